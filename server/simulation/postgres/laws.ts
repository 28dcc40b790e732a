import type { CopyOf } from '../../drivers/simulated/driver'
import { type CurrentDomain, newAuditor } from '../../engine/audit'
import { demandOf } from '../../engine/demand'
import type { Host } from '../../engine/host'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { type RecordSnapshot, readSnapshot } from '../../store/audit/records'
import { DEMAND_OPTIONS } from '../hardware'
import type { LawViolation } from '../laws'
import type { PostgresFixture } from './fixture'

// What must hold at every moment, and what must hold at rest. The records are read in one statement, and so are the
// copies of all domains. Something may change between the two, so a copy is compared with the records only if it was
// there both before and after they were read.

const auditRecords = newAuditor(({ flavor, image }) => {
  const result = demandOf(flavor, image, DEMAND_OPTIONS)
  return result.ok ? result.demand : null
})

export async function holdsNow(fixture: PostgresFixture): Promise<LawViolation | null> {
  const before = await fixture.fleet.everyCopy()
  const snapshot = await readSnapshot(fixture.database)
  const after = await fixture.fleet.everyCopy()
  const standing = before.filter((copy) => after.some((other) => isSame(copy, other)))
  return (
    findings(snapshot, standing) ?? duplicateDomain(before) ?? duplicateDomain(after) ?? uncovered(snapshot, standing)
  )
}

const isSame = (one: CopyOf, other: CopyOf): boolean =>
  one.instance === other.instance &&
  one.host === other.host &&
  one.madeBy === other.madeBy &&
  one.is === other.is &&
  one.since === other.since

function findings(snapshot: RecordSnapshot, copies: readonly CopyOf[]): LawViolation | null {
  const domains = copies.map(({ host, instance, is }): CurrentDomain => {
    return { host, instance, observedState: is === 'left' ? 'stopped' : is }
  })
  const finding = auditRecords({ ...snapshot, domains }).find(({ kind }) => kind !== 'device-off-node')
  if (!finding) return null
  const { kind, host, instance, migration, expected, found } = finding
  return { law: kind, what: JSON.stringify({ expected, found, host, instance, migration }) }
}

function duplicateDomain(copies: readonly CopyOf[]): LawViolation | null {
  const runsAt = new Map<InstanceId, HostId>()
  for (const { instance, host, is } of copies) {
    if (is !== 'running') continue
    if (runsAt.has(instance))
      return { law: 'one running domain', what: `${instance} on ${runsAt.get(instance)}, ${host}` }
    runsAt.set(instance, host)
  }
  return null
}

/** A claim covers every copy on a host, or a leftover that keeps the host from new claims for it. */
function uncovered({ hosts }: RecordSnapshot, copies: readonly CopyOf[]): LawViolation | null {
  const hostOf = new Map(hosts.map((host) => [host.id, host]))
  for (const { host: id, instance, is } of copies) {
    const host = hostOf.get(id)
    const held = host?.holdings.some((holding) => holding.instance === instance)
    if (!held && !host?.leftovers.includes(instance))
      return { law: 'no instance without a claim', what: `${is} ${instance} on ${host?.name}` }
  }
  return null
}

/** At rest every domain exists once, on the recorded host, with the recorded claim. */
export async function holdsAtRest(fixture: PostgresFixture): Promise<LawViolation | null> {
  const broken = await holdsNow(fixture)
  if (broken) return broken
  const snapshot = await readSnapshot(fixture.database)
  const copies = await fixture.fleet.everyCopy()
  return unfinished(snapshot) ?? misplaced(snapshot, copies)
}

export function unfinished({ migrations, instances, hosts }: RecordSnapshot): LawViolation | null {
  const migration = migrations.find(({ step }) => step !== 'ended')
  if (migration) {
    const { operation, id, step, direction, waiting, requestedAction, cause } = migration
    return {
      law: 'every migration ends',
      what: JSON.stringify({ operation, id, step, direction, waiting, requestedAction, cause }),
    }
  }
  const open = instances.find(({ vmState }) => vmState === 'building' || vmState === 'deleting')
  if (open) return { law: 'every build and deletion ends', what: `${open.id} is ${open.vmState}` }
  const dirty = hosts.find(
    ({ status, leftovers, scheduling }) => status === 'up' && (leftovers.length > 0 || scheduling !== 'enabled'),
  )
  if (dirty)
    return {
      law: 'every returned host is cleaned up',
      what: `${dirty.name} is ${dirty.scheduling}, leftovers of ${dirty.leftovers}`,
    }
  return null
}

function misplaced({ instances, hosts }: RecordSnapshot, copies: readonly CopyOf[]): LawViolation | null {
  const rows = new Map(instances.map((instance) => [instance.id, instance]))
  for (const { instance, host, is } of copies) {
    if (rows.get(instance)?.host !== host) return { law: 'no stray domain', what: `${is} ${instance} on ${host}` }
  }
  for (const { id, host, vmState } of instances) {
    const here = copies.filter((copy) => copy.instance === id)
    const home = hosts.find((each) => each.id === host)
    if (here.length > 1) return { law: 'no stray files', what: `${here.length} copies of ${id}` }
    if (vmState !== 'active' || home?.status !== 'up') continue
    if (here[0]?.is !== 'running')
      return { law: 'an active instance runs on its recorded host', what: `${id} is ${here[0]?.is}` }
    if (!sameClaim(here[0], home))
      return { law: 'a domain has the CPUs and devices of its claim', what: `${id} on ${home.name}` }
  }
  return null
}

/** Whether the CPUs and devices of the domain are exactly those of its claim. */
function sameClaim(copy: CopyOf, home: Host): boolean {
  const held = home.holdings.find((holding) => holding.consumer === copy.instance)?.body
  const names = (units: readonly { readonly unit: string }[] = []) => units.map(({ unit }) => unit).sort()
  return JSON.stringify(names(held?.units)) === JSON.stringify(names(copy.claim?.units))
}
