import type pg from 'pg'
import type { Attribution } from '../../engine/change'
import type { HostId, ProviderId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'

// Shared storage: providers that offer DISK_GB to the hosts of their aggregates. A host's disks are either local or on
// shared storage, so joining removes its own DISK_GB. Joining or leaving is refused while it would cut off a disk.

export interface SharedStorage {
  readonly id: ProviderId
  readonly name: string
  readonly totalGib: number
  readonly usedGib: number
  readonly hosts: readonly HostId[]
}

const SHARES = `exists (select 1 from provider_trait t
  where t.provider_id = p.id and t.trait = 'MISC_SHARES_VIA_AGGREGATE')`
const HOSTS = `select distinct o.root_id from provider_aggregate sa
  join provider_aggregate ha on ha.aggregate_id = sa.aggregate_id
  join resource_provider o on o.id = ha.provider_id
  join host h on h.id = o.root_id where sa.provider_id = p.id`

/** By name. */
export async function listStorage({ pool }: Database): Promise<readonly SharedStorage[]> {
  const { rows } = await pool.query<SharedStorage>(
    `select p.id, p.name, i.total::float8 as "totalGib", array(${HOSTS}) as hosts,
       (select coalesce(sum(a.amount), 0)::float8 from allocation a
         where a.provider_id = p.id and a.resource_class = 'DISK_GB') as "usedGib"
     from resource_provider p join inventory i on i.provider_id = p.id and i.resource_class = 'DISK_GB'
     where ${SHARES} order by p.name`,
  )
  return rows
}

export type StorageChangeResult =
  | { readonly did: 'done' }
  /** The host or the storage does not exist. */
  | { readonly did: 'unknown' }
  /** It is joined, or not joined, already. */
  | { readonly did: 'already' }
  /** The number of disks that would be cut off. */
  | { readonly did: 'held'; readonly disks: number }

export interface JoinRequest extends Attribution {
  readonly host: HostId
  readonly storage: ProviderId
}

const LOCK = `select p.id = $2 as is_storage from resource_provider p
  where (p.id = $1 and exists (select 1 from host h where h.id = p.id)) or (p.id = $2 and ${SHARES})
  order by p.id for update`
const JOINED = `select 1 from resource_provider o join provider_aggregate ha on ha.provider_id = o.id
  join provider_aggregate sa on sa.aggregate_id = ha.aggregate_id and sa.provider_id = $2 where o.root_id = $1`
const LOCAL_DISKS = `select count(*)::int as disks from allocation a join resource_provider o on o.id = a.provider_id
  where o.root_id = $1 and a.resource_class = 'DISK_GB'`
// During a migration one side's claim holds the disk, while the instance may still run on the other side.
const SHARED_DISKS = `select (select count(*)::int from allocation a join claim k on k.consumer_id = a.consumer_id
    where k.host_id = $1 and a.provider_id = $2)
  + (select count(*)::int from migration m where m.outcome is null and $1 in (m.source, m.target)
      and m.kept @> jsonb_build_array(jsonb_build_object('provider', $2::text))) as disks`

/** Claims wait for the lock of the root; then the generation they were decided on is stale. */
export const joinStorage = (database: Database, ask: JoinRequest): Promise<StorageChangeResult> =>
  inTransaction(database, (client) => joinOn(client, ask))

/** Makes the storage and joins the host, or neither. */
export async function joinNewStorage(
  database: Database,
  { host, ...storage }: NewStorage & Pick<JoinRequest, 'host'>,
): Promise<StorageChangeResult | { readonly did: 'name-taken' }> {
  const { id, actor, at } = storage
  return inTransaction(database, async (client) => {
    if (!(await createOn(client, storage))) return { did: 'name-taken' } as const
    const answer = await joinOn(client, { host, storage: id, actor, at })
    if (answer.did !== 'done') throw new NotJoined(answer)
    return answer
  }).catch((error: unknown) => {
    if (error instanceof NotJoined) return error.answer
    throw error
  })
}

/** Thrown to roll back the creation of the storage. */
class NotJoined extends Error {
  constructor(readonly answer: StorageChangeResult) {
    super(`The host did not join: ${answer.did}`)
  }
}

function joinOn(client: pg.PoolClient, ask: JoinRequest): Promise<StorageChangeResult> {
  const how = { isJoined: false, disks: LOCAL_DISKS, kind: 'host.storage-joined' }
  return changeOn(client, { ...ask, ...how }, async () => {
    await client.query(
      `delete from inventory i using resource_provider o
       where o.id = i.provider_id and o.root_id = $1 and i.resource_class = 'DISK_GB'`,
      [ask.host],
    )
    await client.query(
      `insert into provider_aggregate (provider_id, aggregate_id)
       select $1, aggregate_id from provider_aggregate where provider_id = $2 order by aggregate_id limit 1`,
      [ask.host, ask.storage],
    )
  })
}

export interface LeaveRequest extends JoinRequest {
  /** The host's own disk from then on; 0 for none. */
  readonly diskGib: number
}

export async function leaveStorage(database: Database, ask: LeaveRequest): Promise<StorageChangeResult> {
  const how = { isJoined: true, disks: SHARED_DISKS, kind: 'host.storage-left' }
  const leave = async (client: pg.PoolClient) => {
    await client.query(
      `delete from provider_aggregate ha using resource_provider o, provider_aggregate sa
       where o.id = ha.provider_id and o.root_id = $1 and sa.provider_id = $2 and sa.aggregate_id = ha.aggregate_id`,
      [ask.host, ask.storage],
    )
    if (ask.diskGib === 0) return
    await client.query(
      `insert into inventory (provider_id, resource_class, total, max_unit) values ($1, 'DISK_GB', $2, $2)
       on conflict do nothing`,
      [ask.host, ask.diskGib],
    )
  }
  return inTransaction(database, (client) => changeOn(client, { ...ask, ...how }, () => leave(client)))
}

interface Kind {
  /** Whether the host must be joined before the change. */
  readonly isJoined: boolean
  readonly disks: string
  readonly kind: string
}

async function changeOn(
  client: pg.PoolClient,
  { isJoined, disks, kind, host, storage, actor, at }: JoinRequest & Kind,
  write: () => Promise<void>,
): Promise<StorageChangeResult> {
  const ids = [host, storage]
  if ((await client.query(LOCK, ids)).rowCount !== 2) return { did: 'unknown' }
  if (((await client.query(JOINED, ids)).rowCount ?? 0) > 0 !== isJoined) return { did: 'already' }
  const held = await client.query<{ disks: number }>(disks, disks === LOCAL_DISKS ? [host] : ids)
  const count = held.rows[0]?.disks ?? 0
  if (count > 0) return { did: 'held', disks: count }
  await write()
  const raises = [host as string as ProviderId]
  await writeTrail(client, { kind, raises, hosts: [host], data: { storage }, actor, at })
  return { did: 'done' }
}

export interface NewStorage extends Attribution {
  readonly id: ProviderId
  readonly name: string
  readonly totalGib: number
}

/** False when the name is taken. The aggregate of a storage has its name. */
export const createStorage = (database: Database, storage: NewStorage): Promise<boolean> =>
  inTransaction(database, (client) => createOn(client, storage))

async function createOn(client: pg.PoolClient, { id, name, totalGib, actor, at }: NewStorage): Promise<boolean> {
  const made = await client.query(
    `insert into resource_provider (id, name, root_id) values ($1, $2, $1) on conflict do nothing`,
    [id, name],
  )
  if (made.rowCount !== 1) return false
  await client.query(`insert into resource_class (name) values ('DISK_GB') on conflict do nothing`)
  await client.query(`insert into trait (name) values ('MISC_SHARES_VIA_AGGREGATE') on conflict do nothing`)
  await client.query(
    `insert into inventory (provider_id, resource_class, total, max_unit) values ($1, 'DISK_GB', $2, $2)`,
    [id, totalGib],
  )
  await client.query(`insert into provider_trait values ($1, 'MISC_SHARES_VIA_AGGREGATE')`, [id])
  await client.query(`insert into aggregate (id) values ($1)`, [id])
  await client.query(`insert into provider_aggregate values ($1, $1)`, [id])
  await writeTrail(client, { kind: 'provider.storage-created', raises: [id], data: { storage: id }, actor, at })
  return true
}
