import type { Holding, Host } from '../../engine/host'
import type { Device } from '../../engine/topology/host'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { listFindings, type StoredFinding } from '../../store/finding/list'
import { type DeviceObservation, readSurveys, type SurveyRow } from '../../store/survey/survey'
import { deviceLabel } from '../claim/view'
import type { Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import type { Ms } from '../plain'
import type { ApiServices } from '../services'
import { type Agreement, agreementOf, byAgreement, type ColumnValues } from './agreement'

// Recorded and observed state of a device. A host that never reported its devices, or did not answer the last survey,
// contradicts nothing: the value is unknown, and the row says what would settle it.

/** A recorded device and what its host reports of it. */
export interface DeviceDriftRow {
  readonly host: Ref
  readonly unit: string
  readonly label: string
  readonly records: string
  /** Null while unknown; then `needs` says what would settle it. */
  readonly hypervisor: string | null
  /** Null when the host reported its devices in the last survey. */
  readonly needs: 'a first survey' | 'an answer of the host' | 'a driver that reports devices' | null
  readonly recordsAt: Ms
  readonly hypervisorAt: Ms | null
  readonly agreement: Agreement
  readonly findings: readonly string[]
}

const FINDINGS_MAX = 2_000

interface DeviceDriftFilter {
  readonly host?: HostId | undefined
  readonly instance?: InstanceId | undefined
  /** One device only, with `host`. */
  readonly unit?: string
}

export async function deviceDrift(
  services: ApiServices,
  filter: DeviceDriftFilter,
): Promise<readonly DeviceDriftRow[]> {
  const { database, fleet } = services
  const { host, instance, unit } = filter
  const isOfInstance = (holds: (id: InstanceId) => boolean) => instance !== undefined && holds(instance)
  const { rows: findings } = await listFindings(database, { host, instance, unit, offset: 0, limit: FINDINGS_MAX })
  const named = new Set(findings.map((finding) => finding.host))
  const hosts = fleet
    .hosts()
    .filter((each) => (host ? each.id === host : named.has(each.id) || isOfInstance((id) => holds(each, id))))
  const surveys = new Map(
    (
      await readSurveys(
        database,
        hosts.map(({ id }) => id),
      )
    ).map((survey) => [survey.host, survey]),
  )
  const pairs = hosts.flatMap((each) => pairsOf(each, surveys.get(each.id) ?? null, findings))
  const wanted = pairs.filter((pair) =>
    unit ? pair.device.unit === unit : host ? true : isOfInstance((id) => concerns(pair, id)),
  )
  const whose = wanted.flatMap(({ holding, observed }) => [holding?.instance ?? [], observed?.attachedTo ?? []].flat())
  const names = await namesOf(services, whose)
  return wanted.map((pair) => rowOf(pair, names, services.now())).sort(troubleFirst)
}

interface Pair {
  readonly host: Host
  readonly device: Device
  readonly holding: Holding | null
  readonly survey: SurveyRow | null
  readonly observed: DeviceObservation | null
  readonly findings: readonly string[]
}

type DeviceFinding = Pick<StoredFinding, 'id' | 'host' | 'unit'>

function pairsOf(host: Host, survey: SurveyRow | null, findings: readonly DeviceFinding[]): readonly Pair[] {
  const holders = new Map(host.holdings.flatMap((each) => each.body.units.map(({ unit }) => [unit as string, each])))
  const shown = new Map(survey?.devices?.map((each) => [each.unit, each]))
  return host.devices.map((device) => ({
    ...{ host, device, survey, holding: holders.get(device.unit) ?? null, observed: shown.get(device.unit) ?? null },
    findings: findings.flatMap((each) => (each.host === host.id && each.unit === device.unit ? [each.id] : [])),
  }))
}

const holds = ({ holdings }: Host, instance: InstanceId) => holdings.some((each) => each.instance === instance)

const concerns = ({ holding, observed }: Pair, instance: InstanceId) =>
  holding?.instance === instance || observed?.attachedTo === instance

function rowOf(pair: Pair, names: Names, now: number): DeviceDriftRow {
  const { host, device, survey, findings } = pair
  const surveyed = isSurveyed(pair)
  return {
    host: { id: host.id, name: host.name },
    unit: device.unit,
    label: deviceLabel(device),
    records: recordsSay(pair, names),
    hypervisor: hypervisorSays(pair, names),
    needs: surveyed ? null : needsOf(survey),
    recordsAt: now,
    hypervisorAt: survey?.devices ? survey.answeredAt : null,
    agreement: agreementOf([presence(pair), attachment(pair)], findings),
    findings,
  }
}

const isSurveyed = ({ survey }: Pair) => survey?.answered === true && survey.devices !== null

function presence(pair: Pair): ColumnValues {
  const word = (there: boolean) => (there ? 'there' : 'gone')
  return [word(!pair.device.gone), isSurveyed(pair) ? word(pair.observed !== null) : null]
}

function attachment(pair: Pair): ColumnValues {
  const { holding, observed } = pair
  const holder = holding?.instance ?? 'nobody'
  if (!isSurveyed(pair)) return [holder, null]
  if (observed === null || (observed.attachedTo === null && whyDetached(pair) !== null)) return []
  return [holder, observed.attachedTo ?? 'nobody']
}

/** Why a held device need not be attached now; null when it must be. */
function whyDetached({ device, holding, survey }: Pair): string | null {
  if (holding === null) return null
  if (holding.consumerKind === 'migration') return 'by its migration'
  if (holding.body.units.some(({ unit, use }) => unit === device.unit && use !== 'device'))
    return 'together with another device'
  const domain = survey?.guests?.find(({ instance }) => instance === holding.instance)
  return domain?.observedState === 'running' ? null : 'which does not run here'
}

function recordsSay(pair: Pair, names: Names): string {
  const { device, holding } = pair
  const why = isSurveyed(pair) ? whyDetached(pair) : null
  const held =
    holding === null
      ? 'held by no instance'
      : [`held for ${names.instance(holding.instance).name}`, ...(why === null ? [] : [why])].join(', ')
  return device.gone ? `gone, ${held}` : `there, ${held}`
}

/** Null while unknown. For a silent host, what it reported last, with its age. */
function hypervisorSays({ survey, observed }: Pair, names: Names): string | null {
  if (!survey?.devices) return null
  const before = survey.answered ? '' : ' when it last answered'
  if (observed === null) return `not reported${before}`
  const instance = observed.attachedTo === null ? 'no domain' : names.instance(observed.attachedTo).name
  const driver = observed.driver === null ? '' : `, bound to ${observed.driver}`
  return `reported, attached to ${instance}${driver}${before}`
}

function needsOf(survey: SurveyRow | null): DeviceDriftRow['needs'] {
  if (survey === null || survey.answeredAt === null) return 'a first survey'
  return survey.answered ? 'a driver that reports devices' : 'an answer of the host'
}

const BY_NAME = new Intl.Collator('en', { numeric: true })
const troubleFirst = (a: DeviceDriftRow, b: DeviceDriftRow) =>
  byAgreement(a, b) || BY_NAME.compare(a.host.name, b.host.name) || BY_NAME.compare(a.unit, b.unit)
