import type { Instance } from '../change'
import type { Host } from '../host'
import { grouped } from '../ledger/grouped'
import { memoize } from '../memoize'
import { powerText } from '../power/state'
import { perClass } from '../resources/allocation'
import type { HostId, InstanceId } from '../words/ids'
import type { AuditRecords, Finding } from './finding'
import { indexSnapshot } from './index-snapshot'
import { nameOf } from './running-domain-checks'
import type { HostSurveys, NodeDeviceState, Snapshot, SurveyResult } from './snapshot'
import { swapEvidence } from './swap-check'

// The three sources about an instance: records, allocations and hypervisors, each with its age. A source without data
// is empty: no answer does not mean that nothing runs there.

export interface Evidence {
  readonly source: 'records' | 'allocations' | 'hypervisor'
  readonly host: HostId | null
  /** Ready to print. */
  readonly says: string
  /** ms since the epoch; null when unknown. */
  readonly at: number | null
}

/** For findings of one snapshot: evidence about the finding's instance, or about its host when it has no instance. */
export function witnessOf(snapshot: Snapshot): (finding: Finding) => readonly Evidence[] {
  const records = indexSnapshot(snapshot)
  return (finding) => {
    const { instance } = finding
    if (finding.kind === 'allocations-swapped') return swapEvidence(records, finding)
    if (instance === null) return hostEvidence(records, finding)
    const hosts = hostsOf(records, instance, finding.host)
    const ofUnit = finding.kind === 'device-still-attached' ? hostEvidence(records, finding).slice(-1) : []
    return [
      ...ofUnit,
      ...recordEvidence(records, instance),
      ...hosts.flatMap((host) => allocationEvidence(records, host, instance)),
      ...hosts.flatMap((host) => surveyEvidence(records, host, instance)),
    ]
  }
}

/** The hosts that hold something for each instance, then those where it was observed; every finding needs them. */
const placesOf = memoize(({ hosts, hostSurveys = [] }: Snapshot) => {
  const held = hosts.flatMap(({ id, holdings }) => holdings.map(({ instance }) => ({ instance, host: id })))
  const seen = hostSurveys.flatMap(({ host, latest }) => latest.domains.map(({ instance }) => ({ instance, host })))
  return grouped([...held, ...seen], ({ instance }) => instance)
})

/** Every host where records, claims, migrations or surveys place the instance. */
function hostsOf(
  { snapshot, instances, activeMigrationOf }: AuditRecords,
  instance: InstanceId,
  also: HostId | null,
): readonly HostId[] {
  const migration = activeMigrationOf.get(instance)
  const places = placesOf(snapshot).get(instance) ?? []
  const hosts = [
    ...[also, instances.get(instance)?.host ?? null, migration?.source ?? null, migration?.target ?? null],
    ...places.map(({ host }) => host),
  ]
  return [...new Set(hosts)].filter((host): host is HostId => host !== null)
}

function recordEvidence(records: AuditRecords, instance: InstanceId): readonly Evidence[] {
  const row = records.instances.get(instance)
  const at = records.snapshot.now ?? null
  if (row === undefined) return [{ source: 'records', host: null, says: 'no such instance', at }]
  const lives = row.host === null ? row.vmState : `${row.vmState} on ${nameOf(records, row.host)}`
  const own: Evidence = {
    source: 'records',
    host: row.host,
    says: `${row.name} is ${lives}`,
    at: writtenAt(records, row),
  }
  const migration = records.activeMigrationOf.get(instance)
  if (migration === undefined) return [own]
  const path = `${nameOf(records, migration.source)} to ${nameOf(records, migration.target)}`
  const says = `${migration.operation} from ${path}, in ${migration.step}, direction ${migration.direction}`
  return [own, { source: 'records', host: null, says, at: migration.stepSince }]
}

const writtenAt = ({ snapshot }: AuditRecords, { id }: Instance) => snapshot.written?.get(id) ?? snapshot.now ?? null

function allocationEvidence(records: AuditRecords, host: HostId, instance: InstanceId): readonly Evidence[] {
  const row = records.hosts.get(host)
  if (row === undefined) return []
  const at = records.snapshot.now ?? null
  const claims = row.holdings.filter((holding) => holding.instance === instance)
  const loose = (records.snapshot.strayAllocations ?? []).filter(
    (each) => each.host === host && each.consumer === instance,
  )
  const lines = [
    ...claims.map(({ consumerKind, body }) => `${amountsText(perClass(body.amounts))}, held by the ${consumerKind}`),
    ...(loose.length > 0 ? [`${amountsText(perClass(loose))} without a claim`] : []),
  ]
  return (lines.length > 0 ? lines : ['nothing']).map((says) => ({ source: 'allocations', host, says, at }))
}

const amountsText = (sums: ReadonlyMap<string, number>): string =>
  [...sums].map(([resourceClass, amount]) => `${amount} ${resourceClass}`).join(', ') || 'no amounts'

function surveyEvidence({ snapshot }: AuditRecords, host: HostId, instance: InstanceId): readonly Evidence[] {
  const surveys = snapshot.hostSurveys?.find((each) => each.host === host)
  if (surveys === undefined) return [{ source: 'hypervisor', host, says: 'not surveyed', at: null }]
  return rounds(surveys).map((survey, n) => {
    const text = observedText(survey, instance)
    return { source: 'hypervisor', host, says: n === 0 ? text : `in the previous survey: ${text}`, at: survey.at }
  })
}

const rounds = ({ latest, earlier }: HostSurveys): readonly SurveyResult[] =>
  earlier === null ? [latest] : [latest, earlier]

const OBSERVED_STATES = {
  running: 'it runs here',
  stopped: 'it is shut off here',
  left: 'shut off here after the switch',
  shell: 'a paused target domain is here',
} as const

function observedText(survey: SurveyResult, instance: InstanceId): string {
  if (!survey.answered) return 'the host did not answer'
  const domain = survey.domains.find((each) => each.instance === instance)
  if (domain === undefined) return 'it is not here'
  return domain.power && domain.observedState !== 'shell'
    ? `it is ${powerText(domain.power)} here`
    : OBSERVED_STATES[domain.observedState]
}

function hostEvidence(records: AuditRecords, { host, expected, found, where }: Finding): readonly Evidence[] {
  const row: Host | undefined = host === null ? undefined : records.hosts.get(host)
  const at = records.snapshot.now ?? null
  const own: Evidence = { source: 'records', host, says: `expected ${expected}, found ${found}`, at }
  if (row === undefined) return [own]
  const latest = records.snapshot.hostSurveys?.find((each) => each.host === host)?.latest
  const answered = latest?.answered ? answerText(records, latest, where.unit) : 'the host did not answer'
  return [
    own,
    { source: 'allocations', host, says: `${row.holdings.length} claims`, at },
    { source: 'hypervisor', host, says: latest ? answered : 'not surveyed', at: latest?.at ?? null },
  ]
}

function answerText(records: AuditRecords, { domains, devices }: SurveyResult, unit: string | undefined): string {
  if (unit === undefined || unit.startsWith('cpu:')) return `answered with ${domains.length} domains`
  if (devices === null) return 'does not report its devices'
  const device = devices.find((each) => each.unit === unit)
  return device === undefined ? `does not report ${unit}` : `reports ${unit}, ${deviceText(records, device)}`
}

function deviceText({ instances }: AuditRecords, { driver, attachedTo }: NodeDeviceState): string {
  const bound = driver === null ? 'no driver reported' : `bound to ${driver}`
  const instance = attachedTo && (instances.get(attachedTo)?.name ?? attachedTo)
  return `${bound}, attached to ${instance ?? 'no domain'}`
}
