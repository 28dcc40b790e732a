import { openRequest } from '../power/request'
import { EXPECTED_POWER, isOff, powerMismatch, powerOfState, powerText } from '../power/state'
import type { HostId, InstanceId } from '../words/ids'
import type { AuditRecords, Report } from './finding'
import { type DomainOnHost, mayBeSwitching, type Observations } from './observations'
import { nameOf } from './running-domain-checks'

// Records against power. An answer counts only when it is younger than the record (`observationsOf`), so one is enough.

export function powerAsRecorded(records: AuditRecords, seen: Observations, report: Report): void {
  for (const row of records.snapshot.instances) {
    const { id, host, vmState } = row
    const expected = EXPECTED_POWER[vmState]
    if (host === null || expected === undefined || openRequest(row) !== null || mayBeSwitching(records, id)) continue
    const here = shownAt(seen, host, id)
    if (here === null || runsElsewhere(seen, host, id)) continue
    const power = powerOf(here)
    const kind = powerMismatch(vmState, power.state)
    if (kind === null) continue
    const migration = records.activeMigrationOf.get(id)?.id ?? null
    const found = `${powerText(power)} on ${nameOf(records, host)}`
    report({ kind, host, instance: id, migration, expected, found })
  }
}

export const powerOf = ({ domain }: DomainOnHost) => domain.power ?? powerOfState(domain.observedState)

/** The domain that counts when an instance has two on its host, as in a resize in place: the running one. */
function shownAt(seen: Observations, host: HostId, instance: InstanceId): DomainOnHost | null {
  const here = seen.of(instance).filter((each) => each.host === host && each.domain.observedState !== 'shell')
  return here.find((each) => !isOff(powerOf(each).state)) ?? here[0] ?? null
}

/** Then its host is wrong, not its power, and that has its own finding. */
const runsElsewhere = (seen: Observations, host: HostId, instance: InstanceId): boolean =>
  seen.of(instance).some((each) => each.host !== host && each.domain.observedState === 'running')

/** Domains that are shut off on a host where the instance is not recorded, and that are not listed for removal. */
export function nothingLeftOver(records: AuditRecords, seen: Observations, report: Report): void {
  for (const { host, domain } of seen.all) {
    const { instance, observedState } = domain
    if (observedState === 'running') continue
    const row = records.instances.get(instance)
    const here = records.hosts.get(host)
    if (here === undefined || here.leftovers.includes(instance)) continue
    const shown = powerText(domain.power ?? powerOfState(observedState))
    if (row === undefined) {
      const found = `a domain that is ${shown}`
      report({ kind: 'domain-unknown', host, instance, expected: 'a known instance', found })
      continue
    }
    const migration = records.activeMigrationOf.get(instance)
    if (host === row.host || host === migration?.source || host === migration?.target) continue
    const ids = { host, instance, expected: `only on ${nameOf(records, row.host)}` }
    report({ kind: 'domain-leftover', ...ids, found: `${shown} on ${here.name}` })
  }
}
