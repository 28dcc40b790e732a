import type { HostId, InstanceId } from '../words/ids'
import type { AuditRecords, Report } from './finding'
import type { CurrentDomain } from './snapshot'

// Records against running domains. Only a running domain can write to disks: migrations leave paused target domains and
// stopped domains temporarily, and the host's list of leftovers covers the rest.

type RunningDomain = Pick<CurrentDomain, 'host' | 'instance'>

export function runningDomainChecks(records: AuditRecords, running: readonly RunningDomain[], report: Report): void {
  const runsAt = new Map<InstanceId, HostId>()
  for (const { host, instance } of running) {
    const elsewhere = runsAt.get(instance)
    if (elsewhere !== undefined && elsewhere !== host) {
      const found = `also on ${nameOf(records, elsewhere)}`
      report({ kind: 'instance-runs-twice', host, instance, expected: 'one running domain', found })
    }
    runsAt.set(instance, host)
    placed(records, { host, instance }, report)
  }
}

function placed(records: AuditRecords, { host, instance }: RunningDomain, report: Report): void {
  const row = records.instances.get(instance)
  const here = records.hosts.get(host)
  if (row === undefined) {
    // Leftovers of a deletion on an unreachable host are listed there and will be cleaned up.
    if (here?.leftovers.includes(instance)) return
    report({ kind: 'domain-unknown', host, instance, expected: 'a known instance', found: 'a running domain' })
    return
  }
  const migration = records.activeMigrationOf.get(instance)
  if (host === row.host || host === migration?.source || host === migration?.target) return
  const found = nameOf(records, host)
  if (row.vmState === 'shelved') {
    report({ kind: 'instance-runs-while-shelved', host, instance, expected: 'no domain: it is shelved', found })
    return
  }
  report({ kind: 'instance-runs-elsewhere', host, instance, expected: nameOf(records, row.host), found })
  // I11: a host that came back runs nothing of what was evacuated from it.
  if (here?.scheduling === 'quarantined') {
    report({ kind: 'quarantined-host-runs', host, instance, expected: 'no domain that belongs elsewhere', found })
  }
}

export const nameOf = (records: AuditRecords, host: HostId | null) =>
  host === null ? 'nowhere' : (records.hosts.get(host)?.name ?? host)
