import type { Instance } from '../engine/books'
import type { Holding, Host } from '../engine/host'
import type { HostId, InstanceId } from '../engine/words/ids'
import { listFindings } from '../store/finding-list'
import { listInstances, readInstances } from '../store/instance-list'
import { type GuestSeen, readSurveys, type SurveyRow } from '../store/survey'
import type { FindingBody } from '../truth/auditing'
import type { DriftRow } from './contract-truth'
import { namesOf } from './names'
import type { ApiServices } from './services'
import { heldText } from './views/claim'
import type { Names } from './views/names'

// Three columns of one guest: where the records place it, what is allocated for it, what hypervisors show. Nobody
// answered is not nowhere, so a silent host says so and keeps what it showed before, with its age.

const FINDINGS_MAX = 2_000
const GUESTS_MAX = 2_000 // of one host

interface Asked {
  readonly host: HostId | undefined
  readonly instance: InstanceId | undefined
}

export async function driftRows(services: ApiServices, { host, instance }: Asked): Promise<readonly DriftRow[]> {
  const { database, fleet } = services
  const about = { host, instance, offset: 0, limit: FINDINGS_MAX }
  const { rows: findings } = await listFindings<FindingBody>(database, about)
  const records = instance
    ? await readInstances(database, [instance])
    : (await listInstances(database, { host, offset: 0, limit: GUESTS_MAX })).rows
  const holders = fleet.hosts().filter((each) => (instance ? holds(each, instance) : each.id === host))
  const asked = new Set<HostId>([
    ...holders.map(({ id }) => id),
    ...records.flatMap((record) => record.host ?? []),
    ...findings.flatMap((finding) => (finding.host === null ? [] : [finding.host as HostId])),
  ])
  const surveys = await readSurveys(database, instance ? [...asked] : [host!])
  const seen = sightsOf(surveys, instance)
  const ids = new Set<InstanceId>([
    ...records.map(({ id }) => id),
    ...(instance
      ? [instance]
      : [...holders.flatMap(({ holdings }) => holdings.map((each) => each.instance)), ...seen.keys()]),
  ])
  const elsewhere = await readInstances(
    database,
    [...ids].filter((id) => !records.some((record) => record.id === id)),
  )
  const known = new Map([...records, ...elsewhere].map((record) => [record.id, record]))
  const names = await namesOf(services, ids)
  const context = { names, holders, surveys, seen, findings, now: services.now() }
  return [...ids].map((id) => rowOf(id, known.get(id) ?? null, context)).sort(troubleFirst)
}

const holds = (host: Host, instance: InstanceId) => host.holdings.some((holding) => holding.instance === instance)

interface Sighted {
  readonly host: HostId
  readonly guest: GuestSeen
  readonly survey: SurveyRow
}

function sightsOf(surveys: readonly SurveyRow[], only: InstanceId | undefined): Map<InstanceId, Sighted[]> {
  const sights = new Map<InstanceId, Sighted[]>()
  for (const survey of surveys) {
    for (const guest of survey.guests ?? []) {
      if (only !== undefined && guest.instance !== only) continue
      sights.set(guest.instance, [...(sights.get(guest.instance) ?? []), { host: survey.host, guest, survey }])
    }
  }
  return sights
}

interface Context {
  readonly names: Names
  readonly holders: readonly Host[]
  readonly surveys: readonly SurveyRow[]
  readonly seen: ReadonlyMap<InstanceId, readonly Sighted[]>
  readonly findings: readonly { readonly id: string; readonly instance: string | null }[]
  /** Records and allocations were read just now. */
  readonly now: number
}

function rowOf(id: InstanceId, record: Instance | null, context: Context): DriftRow {
  const { names, holders, surveys, seen } = context
  const held = holders.flatMap((host) =>
    host.holdings.flatMap((holding) => (holding.instance === id ? [{ host, holding }] : [])),
  )
  const sighted = seen.get(id) ?? []
  const silent = surveys.filter(({ answered }) => !answered)
  const findings = context.findings.flatMap((each) => (each.instance === id ? [each.id] : []))
  const times = surveys.flatMap(({ answeredAt }) => answeredAt ?? [])
  return {
    instance: names.instance(id),
    records: record === null ? 'no such instance' : recordSays(record, names),
    allocations: held.length === 0 ? 'nothing' : held.map(({ host, holding }) => claimSays(host, holding)).join('; '),
    hypervisor: hypervisorSays(sighted, silent, names),
    recordsAt: context.now,
    hypervisorAt: times.length === 0 ? null : Math.min(...times),
    agree: findings.length === 0 && silent.length === 0,
    findings,
  }
}

const recordSays = ({ vmState, host }: Instance, names: Names) =>
  host === null ? `${vmState}, on no host` : `${vmState} on ${names.host(host).name}`

function claimSays(host: Host, { body, consumerKind }: Holding): string {
  return `${heldText(body)} on ${host.name}${consumerKind === 'migration' ? ', held by its move' : ''}`
}

function hypervisorSays(sighted: readonly Sighted[], silent: readonly SurveyRow[], names: Names): string {
  const said = sighted.map(({ host, guest, survey }) =>
    survey.answered
      ? `${guest.sight} on ${names.host(host).name}`
      : `${guest.sight} on ${names.host(host).name} when it last answered`,
  )
  const missing = silent
    .filter(({ host }) => !sighted.some((each) => each.host === host))
    .map(({ host }) => `nobody answered on ${names.host(host).name}`)
  const all = [...said, ...missing]
  return all.length === 0 ? 'not seen' : all.join('; ')
}

const troubleFirst = (a: DriftRow, b: DriftRow) =>
  Number(a.agree) - Number(b.agree) || (a.instance.name < b.instance.name ? -1 : 1)
