import { randomUUID } from 'node:crypto'
import { type Actor, type Change, type Guards, type Instance, NO_GUARDS, type Write } from '../../engine/change'
import type { ClaimPlan } from '../../engine/claim'
import type { Flavor } from '../../engine/demand'
import type { Holding, Host, HostSpec } from '../../engine/host'
import { startBuild } from '../../engine/lifecycle'
import { accept } from '../../engine/migration/accept'
import { changeOf as transition } from '../../engine/migration/changes'
import type { Migration } from '../../engine/migration/state'
import { inventory, providerId } from '../../engine/testing/hosts'
import { demandFor, IMAGE, pinned, planOn } from '../../engine/testing/instances'
import type { ClaimId, HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { DISK_GB } from '../../engine/words/units'
import { commit } from '../commit/commit'
import type { Database } from '../database/database'
import { readHost } from '../host/read'
import { SHARES } from '../host/rows'
import { putHosts } from '../host/write'
import { readInstanceView, readMigrationView } from '../migration/view'

// Records on a real PostgreSQL for tests of the store: hosts are put, the engine decides claims, and every change is
// committed as in production.

export const AT = Date.UTC(2026, 10, 21)
export const ACTOR: Actor = { who: 'tester', request: 'req-1', reason: null }

export const newInstanceId = () => randomUUID() as InstanceId
export const newMigrationId = () => randomUUID() as MigrationId
export const newClaimId = () => randomUUID() as ClaimId

export const specOf = ({ providers, numaNodes, devices, holdings: _, leftovers: __, ...frame }: Host): HostSpec => ({
  frame,
  providers,
  numaNodes,
  devices,
})

/** For `smallHost`: all hosts of this shape have one disk. */
export const ON_SHARED_DISK = {
  ...{ diskGib: 0, aggregates: ['nfs-hosts'] },
  sharing: [
    {
      ...{ id: providerId(901), name: 'nfs', parent: null, generation: 0, sharing: true },
      ...{ inventories: [inventory(DISK_GB, 500)], traits: [SHARES], aggregates: ['nfs-hosts'] },
    },
  ],
}

/** The host in the tables, as it is read back. */
export async function putHost(database: Database, host: Host): Promise<Host> {
  await putHosts(database, [specOf(host)], { actor: ACTOR, at: AT })
  return present(database, host.id)
}

export async function present(database: Database, id: HostId): Promise<Host> {
  const host = await readHost(database, id)
  if (!host) throw new Error(`no host ${id}`)
  return host
}

export interface InstanceOptions {
  readonly flavor?: Flavor
  readonly name?: string
  readonly project?: string
  readonly id?: InstanceId
}

/** The change that builds one instance on the host, decided now. */
export function buildOf(host: Host, options: InstanceOptions = {}): Change & { readonly instance: InstanceId } {
  const { flavor = pinned(2), name = 'web-1', project = 'shop', id = newInstanceId() } = options
  const plan = planOn(host, demandFor(flavor))
  const instance = { id, name, project, flavor, image: IMAGE, zone: null, group: null }
  const change = startBuild(instance, { id: newClaimId(), plan }, { actor: ACTOR, at: AT })
  return { ...change, instance: id }
}

export async function build(database: Database, host: HostId, options: InstanceOptions = {}): Promise<InstanceId> {
  const change = buildOf(await present(database, host), options)
  await commitOrThrow(database, change)
  return change.instance
}

async function commitOrThrow(database: Database, change: Change): Promise<void> {
  const committed = await commit(database, change)
  if (!committed.ok) throw new Error(JSON.stringify(committed.conflict))
}

export function changeOf(writes: readonly Write[], guards: Partial<Guards> = {}): Change {
  const event = { kind: 'test.changed', hosts: [], instance: null, migration: null, data: {} }
  return { guards: { ...NO_GUARDS, ...guards }, writes, event, actor: ACTOR, at: AT }
}

/** The change that accepts a migration of the instance. */
export function migrationOf(
  instance: Instance,
  host: Host,
): { readonly migration: Migration; readonly change: Change } {
  const accepted = accept(
    { instance: { ...instance, vmState: 'active' }, host, activeMigration: null },
    { operation: 'live-migrate', target: null, newFlavor: null, newImage: null },
    { id: newMigrationId(), sameDemand: () => false, confirmWindowMs: null, actor: ACTOR, at: AT },
  )
  if (!accepted.ok) throw new Error(JSON.stringify(accepted.refusals))
  return accepted
}

/** Its migration from the host where it is, accepted and committed. */
export async function acceptMigration(
  database: Database,
  instance: InstanceId,
  also: Partial<Change> = {},
): Promise<Migration> {
  const view = await readInstanceView(database, instance)
  if (!view?.host) throw new Error(`instance ${instance} is on no host`)
  const { migration, change } = migrationOf(view.instance, view.host)
  await commitOrThrow(database, { ...change, ...also })
  return migration
}

interface ClaimOf {
  readonly id: MigrationId
  readonly target: HostId
  readonly fleetLimit?: number
}

/** The change by which a migration claims a place on the target, decided now. */
export async function claimChange(database: Database, { id, target, ...limit }: ClaimOf): Promise<Change> {
  const view = await readMigrationView(database, id)
  if (!view) throw new Error(`no migration ${id}`)
  const host = await present(database, target)
  return transition({
    records: { ...view, target: host },
    after: { ...view.migration, step: 'prepare', target, seq: view.migration.seq + 1 },
    claim: { id: newClaimId(), plan: planOn(host, demandFor(view.migration.newFlavor)) },
    fence: view.migration.fence,
    ...limit,
    actor: ACTOR,
    at: AT,
  })
}

export const takeFor = (consumer: InstanceId | MigrationId, instance: InstanceId, plan: ClaimPlan): Write => ({
  do: 'take',
  claim: newClaimId(),
  consumer,
  consumerKind: (consumer as string) === instance ? 'instance' : 'migration',
  instance,
  plan,
})

export const heldUnits = (host: Host): string[] =>
  host.holdings.flatMap(({ body }: Holding) => body.units.map(({ unit }) => unit)).sort()

/** Row counts of every table that a change may write, to show that a conflict wrote nothing. */
export async function rowCounts({ pool }: Database): Promise<Record<string, string>> {
  const tables = ['instance', 'consumer', 'allocation', 'claim', 'claim_cell', 'unit_holding', 'migration']
  const all = [...tables, 'migration_step', 'outbox', 'host_remain']
  const { rows } = await pool.query(
    `select ${all.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')},
      -- Refusals are logged, and change nothing.
      (select count(*) from audit_entry where action <> 'request.refused') as audit_entry,
      (select sum(generation) from resource_provider) as generations`,
  )
  return rows[0]
}
