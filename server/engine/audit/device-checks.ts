import type { Host } from '../host'
import { type AuditRecords, ofHolding, type Report } from './finding'
import type { Observations, Round } from './observations'
import { nameOf } from './running-domain-checks'
import type { NodeDeviceState } from './snapshot'

// Devices in the records against those that their hosts report. When a host's driver does not report devices, no
// finding follows: unknown does not mean gone.

interface ObservationRound {
  readonly observations: Observations
  readonly round: Round
}

export function deviceChecks(records: AuditRecords, { observations, round }: ObservationRound, report: Report): void {
  for (const surveys of records.snapshot.hostSurveys ?? []) {
    const survey = surveys[round]
    const host = records.hosts.get(surveys.host)
    if (!survey?.answered || survey.devices === null || host === undefined) continue
    devicesAsShown(records, { host, shown: survey.devices }, report)
    for (const device of survey.devices) attachedAsHeld(records, { host, device, observations }, report)
  }
}

interface ReportedDevices {
  readonly host: Host
  readonly shown: readonly NodeDeviceState[]
}

function devicesAsShown(records: AuditRecords, { host, shown: devices }: ReportedDevices, report: Report): void {
  const shown = new Set(devices.map(({ unit }) => unit))
  for (const { unit, gone = false } of host.devices) {
    if (shown.has(unit) !== gone) continue
    const holder = gone ? undefined : holderOf(host, unit)
    if (holder !== undefined) {
      // Report the loss to its holder first, whatever else is wrong with the device.
      const found = lostBy(records.instances.get(holder.instance)?.name ?? holder.instance)
      const ids = { host: host.id, ...ofHolding(holder) }
      report({ kind: 'device-lost', ...ids, where: { unit }, expected: 'a device of this host', found })
      continue
    }
    const [expected, found] = gone ? ['gone', 'reported by the host'] : ['present', 'not reported by the host']
    report({ kind: 'device-state-wrong', host: host.id, where: { unit }, expected, found })
  }
}

const holderOf = ({ holdings }: Host, unit: NodeDeviceState['unit']) =>
  holdings.find(({ body }) => body.units.some((each) => each.unit === unit && each.use === 'device'))

const lostBy = (name: string): string => `${name} has lost this device`

/** A domain that has a device of its host without a record: the next claim would get the same device. */
export function devicesRecorded(records: AuditRecords, seen: Observations, report: Report): void {
  for (const { host: at, domain } of seen.all) {
    const host = records.hosts.get(at)
    if (domain.body === null || host === undefined) continue
    const known = new Set(host.devices.map(({ unit }) => unit))
    const name = records.instances.get(domain.instance)?.name ?? domain.instance
    for (const { unit, use } of domain.body.units) {
      if (use !== 'device' || known.has(unit)) continue
      const found = `attached to ${name}, but not recorded`
      const ids = { host: at, instance: domain.instance }
      report({ kind: 'device-unrecorded', ...ids, where: { unit }, expected: 'a record of this device', found })
    }
  }
}

interface AttachmentFacts {
  readonly host: Host
  readonly device: NodeDeviceState
  readonly observations: Observations
}

// A reported domain is checked by its own CPUs and devices (`claim-differs-from-domain`). A migration or a clean-up of
// leftovers that is still in progress will detach the device.
function attachedAsHeld(records: AuditRecords, { host, device, observations }: AttachmentFacts, report: Report): void {
  const { unit, attachedTo: instance, driver } = device
  if (instance === null || records.activeMigrationOf.has(instance) || host.leftovers.includes(instance)) return
  if (observations.answer(host.id, instance) === null) return
  if (observations.of(instance).some((each) => each.host === host.id && each.domain.body !== null)) return
  const holding = host.holdings.find(({ body }) => body.units.some((each) => each.unit === unit))
  if (holding?.instance === instance) return
  const name = (id: typeof instance) => records.instances.get(id)?.name ?? id
  const expected =
    holding === undefined ? 'attached to no domain' : `attached to ${name(holding.instance)} or to no domain`
  const lives = records.instances.get(instance)?.host ?? null
  const where = lives === null ? 'which is on no host' : `which is on ${nameOf(records, lives)}`
  const found = `attached to ${name(instance)}, ${where}${driver === null ? '' : `, bound to ${driver}`}`
  report({ kind: 'device-still-attached', host: host.id, instance, where: { unit }, expected, found })
}
