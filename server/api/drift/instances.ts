import type { FindingBody } from '../../audit/auditing'
import type { HeldClaim } from '../../engine/audit/finding'
import type { Instance } from '../../engine/change'
import type { Host } from '../../engine/host'
import { openRequest } from '../../engine/power/request'
import { type PowerState, powerOfState, powerText } from '../../engine/power/state'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { listFindings } from '../../store/finding/list'
import { listInstances, readInstances } from '../../store/instance/list'
import { type DomainObservation, readSurveys, type SurveyRow } from '../../store/survey/survey'
import { heldText } from '../claim/view'
import type { Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import type { Ms } from '../plain'
import type { ApiServices } from '../services'
import { type Agreement, agreementOf, byAgreement, type ColumnValues } from './agreement'

// Three columns for one instance: its recorded host, its allocations, and the reports of hypervisors. No answer does
// not mean that nothing runs there: a silent host keeps what it showed last, with its age.

/** One row of the three-way drift of an instance or a host (N5). */
export interface DriftRow {
  readonly instance: Ref
  readonly records: string
  readonly allocations: string
  readonly hypervisor: string
  readonly recordsAt: Ms | null
  readonly hypervisorAt: Ms | null
  readonly agreement: Agreement
  readonly findings: readonly string[]
}

const FINDINGS_MAX = 2_000
const DOMAINS_MAX = 2_000 // of one host

interface DriftFilter {
  readonly host: HostId | undefined
  readonly instance: InstanceId | undefined
}

export async function driftRows(services: ApiServices, { host, instance }: DriftFilter): Promise<readonly DriftRow[]> {
  const { database, fleet } = services
  const about = { host, instance, offset: 0, limit: FINDINGS_MAX }
  const { rows: findings } = await listFindings<FindingBody>(database, about)
  const here = instance
    ? await readInstances(database, [instance])
    : (await listInstances(database, { host, offset: 0, limit: DOMAINS_MAX })).rows
  const asked = fleet.hosts().filter((each) => (instance ? holds(each, instance) : each.id === host))
  const shownHere = host === undefined ? [] : await readSurveys(database, [host])
  const ids = new Set<InstanceId>([
    ...here.map(({ id }) => id),
    ...(instance ? [instance] : asked.flatMap(({ holdings }) => holdings.map((each) => each.instance))),
    ...shownHere.flatMap(({ guests: domains }) => (domains ?? []).map((domain) => domain.instance)),
  ])
  const elsewhere = await readInstances(
    database,
    [...ids].filter((id) => !here.some((record) => record.id === id)),
  )
  const known = new Map([...here, ...elsewhere].map((record) => [record.id, record]))
  // A migrating instance has a claim, and maybe a domain, on another host too, whose report is part of its row.
  const holders = fleet.hosts().filter(({ holdings }) => holdings.some((each) => ids.has(each.instance)))
  const concerned = new Set<HostId>([
    ...[...holders, ...asked].map(({ id }) => id),
    ...[...known.values()].flatMap((record) => record.host ?? []),
    ...findings.flatMap((finding) => (finding.host === null ? [] : [finding.host as HostId])),
  ])
  const surveys = new Map((await readSurveys(database, [...concerned])).map((survey) => [survey.host, survey]))
  const names = await namesOf(services, ids)
  const context = { names, holders, surveys, findings, host: host, now: services.now() }
  return [...ids].map((id) => rowOf(id, known.get(id) ?? null, context)).sort(troubleFirst)
}

const holds = (host: Host, instance: InstanceId) => host.holdings.some((holding) => holding.instance === instance)

/** What one host reports on the domain; `survey` null: it was never surveyed. */
interface HostObservation {
  readonly host: HostId
  readonly survey: SurveyRow | null
  readonly domain: DomainObservation | null
}

interface Context {
  readonly names: Names
  readonly holders: readonly Host[]
  readonly surveys: ReadonlyMap<HostId, SurveyRow>
  readonly findings: readonly { readonly id: string; readonly instance: string | null }[]
  readonly host: HostId | undefined
  /** Records and allocations were read just now. */
  readonly now: number
}

function rowOf(id: InstanceId, record: Instance | null, context: Context): DriftRow {
  const { names, now } = context
  const held = context.holders.flatMap((host) =>
    host.holdings.flatMap((holding) => (holding.instance === id ? [{ host, holding }] : [])),
  )
  const observations = observationsOf(id, { record, held, context })
  const findings = context.findings.flatMap((each) => (each.instance === id ? [each.id] : []))
  const times = observations.flatMap(({ survey }) => survey?.answeredAt ?? [])
  return {
    instance: names.instance(id),
    records: record === null ? 'no such instance' : recordSays(record, names),
    allocations: held.length === 0 ? 'nothing' : held.map(claimSays).join('; '),
    hypervisor: hypervisorSays(observations, names),
    recordsAt: now,
    hypervisorAt: times.length === 0 ? null : Math.min(...times),
    agreement: agreementOf([places(record, held, observations), power(record, held, observations)], findings),
    findings,
  }
}

/** Every host where the instance is recorded, has a claim or was observed. */
function observationsOf(
  id: InstanceId,
  { record, held, context }: { record: Instance | null; held: readonly HeldClaim[]; context: Context },
): readonly HostObservation[] {
  const { host: asked, surveys } = context
  const hosts = new Set<HostId>([
    ...held.map(({ host }) => host.id),
    ...(record?.host ? [record.host] : []),
    ...(asked === undefined ? [] : [asked]),
  ])
  const domainOn = (survey: SurveyRow) => survey.guests?.find((domain) => domain.instance === id) ?? null
  for (const survey of surveys.values()) if (domainOn(survey)) hosts.add(survey.host)
  return [...hosts].map((host) => {
    const survey = surveys.get(host) ?? null
    return { host, survey, domain: survey && domainOn(survey) }
  })
}

const isMoving = (held: readonly HeldClaim[]) => held.some(({ holding }) => holding.consumerKind === 'migration')

/** The instance's host. During a migration both sides hold it, and a paused target domain is no second copy. */
function places(
  record: Instance | null,
  held: readonly HeldClaim[],
  observations: readonly HostObservation[],
): ColumnValues {
  const recorded = record?.host ?? 'nowhere'
  const on = [...new Set(held.map(({ host }) => host.id))].sort()
  const allocated = isMoving(held) && on.some((host) => host === recorded) ? recorded : on.join(' ') || 'nowhere'
  return [recorded, allocated, ...observedHosts(observations)]
}

/** An old answer describes the past; the present is unknown. */
function observedHosts(observations: readonly HostObservation[]): ColumnValues {
  const sure = observations.filter(({ survey }) => survey?.answered)
  const on = sure.filter(({ domain }) => domain?.observedState === 'running' || domain?.observedState === 'stopped')
  const unsure = sure.length < observations.length
  if (on.length === 0) return [unsure ? null : 'nowhere']
  const seen = on.map(({ host }) => host).sort()
  return [seen.join(' '), ...(unsure ? [null] : [])]
}

type Runs = 'runs' | 'paused' | 'off'

const RUNS: Readonly<Partial<Record<Instance['vmState'], Runs>>> = {
  active: 'runs',
  paused: 'paused',
  stopped: 'off',
  shelved: 'off',
}

const SHOWN: Readonly<Record<PowerState, Runs | null>> = {
  running: 'runs',
  paused: 'paused',
  shutdown: 'off',
  crashed: 'off',
  unknown: null,
}

const powerOf = ({ power: seen, observedState }: DomainObservation) => seen ?? powerOfState(observedState)

/** Whether it runs. Not compared during a migration or power operation, which may stop and start it. */
function power(
  record: Instance | null,
  held: readonly HeldClaim[],
  observations: readonly HostObservation[],
): ColumnValues {
  const recorded = record && RUNS[record.vmState]
  if (!recorded || isMoving(held) || openRequest(record) !== null) return []
  const seen = observations.flatMap(({ survey, domain }) => {
    if (!survey?.answered) return [null]
    return domain?.observedState === 'running' || domain?.observedState === 'stopped'
      ? [SHOWN[powerOf(domain).state]]
      : []
  })
  return [recorded, ...seen]
}

const recordSays = ({ vmState, host }: Instance, names: Names) =>
  host === null ? `${vmState}, on no host` : `${vmState} on ${names.host(host).name}`

function claimSays({ host, holding: { body, consumerKind } }: HeldClaim): string {
  return `${heldText(body)} on ${host.name}${consumerKind === 'migration' ? ', held by its migration' : ''}`
}

function hypervisorSays(observations: readonly HostObservation[], names: Names): string {
  const reported = observations.flatMap(({ host, survey, domain }) => {
    const { name } = names.host(host)
    if (survey === null) return [`${name} not surveyed yet`]
    if (domain === null) return survey.answered ? [] : [`no answer from ${name}`]
    const shown = domain.observedState === 'shell' ? 'a paused target domain' : powerText(powerOf(domain))
    return [`${shown} on ${name}${survey.answered ? '' : ' when it last answered'}`]
  })
  return reported.length === 0 ? 'not seen' : reported.join('; ')
}

const troubleFirst = (a: DriftRow, b: DriftRow) => byAgreement(a, b) || (a.instance.name < b.instance.name ? -1 : 1)
