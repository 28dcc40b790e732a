import type { Instance } from '../../engine/change'
import type { Group } from '../../engine/demand'
import type { Host } from '../../engine/host'
import type { Side } from '../../engine/migration/state'
import type { ConsumerClaim, MigrationRecords } from '../../engine/proof/migration'
import type { GroupId, HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { isReadable } from '../../engine/words/unreadable'
import type { Database } from '../database/database'
import { instanceOf } from '../decode/instance'
import { migrationOf } from '../decode/migration'
import type { Cells } from '../decode/row'
import { hostOf, readHost } from '../host/read'
import { HOST } from '../host/sql'
import { INSTANCE_JSON } from '../instance/row'
import { MIGRATION_JSON } from './row'

// The input of a tick. One statement reads the rows of a migration, and so one snapshot; its hosts, which are most of
// the bytes, are named with their generation, so that a cached version need not be read.

export interface MigrationRows extends Omit<MigrationRecords, 'nameOf'> {
  readonly group: Group | null
  /** Null when there is no such host. */
  readonly sourceState: HostState | null
  readonly targetState: HostState | null
}

/** The fields that decide whether a host is contacted, and its generation. */
export interface HostState {
  readonly generation: number
  readonly status: string
  readonly scheduling: string
}

export interface MigrationWithHosts extends Omit<MigrationRows, 'sourceState' | 'targetState'> {
  readonly source: Host | null
  readonly target: Host | null
  /** The same hosts without changes that are not committed yet. */
  readonly committed: Readonly<Record<Side, Host | null>>
}

export interface InstanceWithHost {
  readonly instance: Instance
  readonly host: Host | null
  readonly held: readonly ConsumerClaim[]
  readonly activeMigration: MigrationId | null
}

const heldBy = (consumer: string) => `(
  select coalesce(json_agg(json_build_object('claim', k.id, 'host', k.host_id, 'kind', k.consumer_kind, 'instance', k.instance_id)), '[]')
  from claim k where k.consumer_id = ${consumer}
)`

const hostNamed = (id: string) => `(select ${HOST.json} from host h where h.id = ${id})`

/** The group `g` as one member sees it: where every other member holds a claim, one entry per member and host. */
const groupWithout = (instance: string) => `json_build_object(
  'id', g.id, 'generation', g.generation, 'policy', g.policy, 'maxPerHost', g.max_per_host,
  'memberHosts', (
    select coalesce(json_agg(d.host_id order by d.host_id), '[]') from (
      select distinct k.instance_id, k.host_id from claim k join instance o on o.id = k.instance_id
      where o.group_id = g.id and o.id <> ${instance}) d))`

const stateOf = (id: string) => `(
  select json_build_object('generation', p.generation, 'status', h.status, 'scheduling', h.scheduling)
  from host h join resource_provider p on p.id = h.id where h.id = ${id})`

/** Reads many migrations in one round trip. Leaves out ended ones whose instance no longer exists. */
export async function readMigrationRows(
  { pool }: Database,
  ids: readonly MigrationId[],
): Promise<ReadonlyMap<MigrationId, MigrationRows>> {
  const { rows } = await pool.query<MigrationRows & { id: MigrationId }>({
    name: 'migration-rows',
    text: `select m.id, ${MIGRATION_JSON} as migration, ${INSTANCE_JSON} as instance,
        ${heldBy('i.id')} as "heldByInstance", ${heldBy('m.id')} as "heldByMigration",
        ${stateOf('m.source')} as "sourceState", ${stateOf('m.target')} as "targetState",
        case when i.group_id is not null then
          (select ${groupWithout('i.id')} from instance_group g where g.id = i.group_id) end as group
      from migration m join instance i on i.id = m.instance_id where m.id = any($1::uuid[])`,
    values: [ids],
  })
  return new Map(
    rows.map(({ id, ...row }) => [
      id,
      { ...row, migration: migrationOf(row.migration), instance: instanceOf(row.instance) },
    ]),
  )
}

/** Returns the host at that generation or a later one. */
export type HostAt = (id: HostId, generation: number) => Promise<Host | null>

export interface CachedHosts {
  /** With uncommitted changes, one of which may have taken that generation for itself. */
  readonly hostAt: HostAt
  readonly committedAt: HostAt
}

const VIEW_TRIES = 3

/**
 * Takes hosts from the cache. Decisions may rest on uncommitted changes, because the commit checks them; a driver
 * operation may not, so its claims come from `committed`, and an uncommitted status has the tables read. Reads the rows
 * again when the claims changed after them. Null when there is no such migration.
 */
export async function readViewOf(
  database: Database,
  readRows: () => Promise<MigrationRows | null>,
  cache: CachedHosts,
): Promise<MigrationWithHosts | null> {
  for (let tries = 1; tries <= VIEW_TRIES; tries++) {
    const rows = await readRows()
    if (rows === null) return null
    const view = await withHosts(database, rows, cache)
    if (isOneState(view)) return view
  }
  throw new Error(`the claims of a migration changed during each of ${VIEW_TRIES} reads`)
}

async function withHosts(database: Database, rows: MigrationRows, cache: CachedHosts): Promise<MigrationWithHosts> {
  const { sourceState, targetState, ...others } = rows
  const from = { id: rows.migration.source, state: sourceState }
  const to = { id: rows.migration.target, state: targetState }
  const committedAt = ({ id, state }: HostAtState) => (id && state ? cache.committedAt(id, state.generation) : null)
  const [source, target, committedSource, committedTarget] = await Promise.all([
    knownHost(database, from, cache.hostAt),
    knownHost(database, to, cache.hostAt),
    committedAt(from),
    committedAt(to),
  ])
  return { ...others, source, target, committed: { source: committedSource, target: committedTarget } }
}

/** Whether the committed hosts have exactly the claims of both consumers that the rows list. */
function isOneState({ migration, heldByInstance, heldByMigration, committed }: MigrationWithHosts): boolean {
  const listed = [
    ...heldByInstance.map(({ claim, host }) => ({ consumer: migration.instance, claim, host })),
    ...heldByMigration.map(({ claim, host }) => ({ consumer: migration.id, claim, host })),
  ]
  const isSame = (host: Host) => {
    const here = listed.filter((held) => held.host === host.id)
    const held = host.holdings.filter(({ consumer }) => consumer === migration.instance || consumer === migration.id)
    return (
      here.length === held.length &&
      here.every(({ consumer, claim }) => held.some((each) => each.consumer === consumer && each.claim === claim))
    )
  }
  // With an unreadable host nothing is done, and its claims may be what is unreadable.
  return [committed.source, committed.target].every((host) => host === null || !isReadable(host) || isSame(host))
}

interface HostAtState {
  readonly id: HostId | null
  readonly state: HostState | null
}

async function knownHost(database: Database, { id, state }: HostAtState, hostAt: HostAt): Promise<Host | null> {
  if (id === null || state === null) return null
  const known = await hostAt(id, state.generation)
  return known?.status === state.status && known.scheduling === state.scheduling ? known : readHost(database, id)
}

/** Null when there is no such migration. */
export async function readMigrationView(database: Database, id: MigrationId): Promise<MigrationWithHosts | null> {
  const hostAt: HostAt = (host) => readHost(database, host)
  const readRows = async () => (await readMigrationRows(database, [id])).get(id) ?? null
  return readViewOf(database, readRows, { hostAt, committedAt: hostAt })
}

/** With the time since when it is recorded, which is later than its creation if it was imported. */
export type InstanceView = InstanceWithHost & { readonly recordedAt: number }

export async function readInstanceView(database: Database, id: InstanceId): Promise<InstanceView | null> {
  const { rows } = await database.pool.query<InstanceView & { host: Cells | null }>({
    name: 'instance-view',
    text: `select ${INSTANCE_JSON} as instance, ${hostNamed('i.host_id')} as host, ${heldBy('i.id')} as held,
        (select m.id from migration m where m.instance_id = i.id and m.outcome is null) as "activeMigration",
        ms(i.created_at)::float8 as "recordedAt"
      from instance i where i.id = $1`,
    values: [id],
  })
  const row = rows[0]
  return row ? { ...row, instance: instanceOf(row.instance), host: row.host && hostOf(row.host) } : null
}

export async function readGroup(
  database: Database,
  ask: { readonly group: GroupId; readonly without: InstanceId },
): Promise<Group | null> {
  const { rows } = await database.pool.query<{ group: Group }>({
    name: 'group-without',
    text: `select ${groupWithout('$2::uuid')} as group from instance_group g where g.id = $1`,
    values: [ask.group, ask.without],
  })
  return rows[0]?.group ?? null
}

/** The same with a cached host: most of the bytes of an instance are the other instances of its host. */
export async function readInstanceKnown(
  database: Database,
  id: InstanceId,
  hostAt: HostAt,
): Promise<InstanceWithHost | null> {
  const { rows } = await database.pool.query<Omit<InstanceWithHost, 'host'> & { state: HostState | null }>({
    name: 'instance-rows',
    text: `select ${INSTANCE_JSON} as instance, ${stateOf('i.host_id')} as state, ${heldBy('i.id')} as held,
        (select m.id from migration m where m.instance_id = i.id and m.outcome is null) as "activeMigration"
      from instance i where i.id = $1`,
    values: [id],
  })
  const [row] = rows
  if (!row) return null
  const { state, ...others } = row
  const instance = instanceOf(row.instance)
  return { ...others, instance, host: await knownHost(database, { id: instance.host, state }, hostAt) }
}
