import type pg from 'pg'
import type { Attribution } from '../../engine/change'
import type { HostSpec } from '../../engine/host'
import type { HostId } from '../../engine/words/ids'
import { recordEntry } from '../audit-log/entry'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'
import { digestOf, type HostRows, hostRows } from './rows'

// Hosts as imports and the demo fleet describe them. Importing the same host again does nothing. A changed host is refused
// while it has claims, because only a repair may remove a unit from its holder. A name is always refused if a host of
// another kind or another machine has it: a real host must not become a simulated one.

export type PutHostResult =
  | { readonly host: HostId; readonly did: 'made' | 'changed' | 'unchanged' }
  | { readonly host: HostId; readonly did: 'refused'; readonly why: HostObjection }

/**
 * other-driver, other-machine: a host of that name exists, with another driver or on another machine. enabled: its
 * scheduling is enabled, and no operation could be performed there any more. machine-known: another host is the same
 * machine, whose CPUs would be given away twice.
 */
export type HostObjection = 'held' | 'name-taken' | 'other-driver' | 'other-machine' | 'machine-known' | 'enabled'

/** How the driver of a host reaches it; the driver has checked it. */
export interface HostConnection {
  readonly stored: object
  /** Read-only: Berth may not change anything over it. */
  readonly readOnly: boolean
  /** The machine's identity from its hypervisor; null: not reported. */
  readonly machine: string | null
  /** For the trail, without confidential values. */
  readonly auditData: Readonly<Record<string, unknown>>
}

export interface PutHostsOptions extends Attribution {
  /** For hosts read from their own hypervisor; stored with the host, or not at all. */
  readonly connections?: ReadonlyMap<HostId, HostConnection>
  /** Called after each batch with the number of hosts written so far. */
  readonly onProgress?: (done: number) => void
}

const HOSTS_AT_ONCE = 50 // one transaction: about ten thousand rows, well under a second

/** Returns one result per host, in order. Aggregates may be named by uuid or by their names in the fleet. */
export async function putHosts(
  database: Database,
  specs: readonly HostSpec[],
  options: PutHostsOptions,
): Promise<PutHostResult[]> {
  const answers: PutHostResult[] = []
  for (let from = 0; from < specs.length; from += HOSTS_AT_ONCE) {
    const batch = specs.slice(from, from + HOSTS_AT_ONCE)
    answers.push(...(await inTransaction(database, (client) => putBatch(client, batch, options))))
    options.onProgress?.(answers.length)
  }
  return answers
}

interface StoredHostRow {
  readonly id: HostId
  readonly name: string
  readonly digest: string
  readonly held: boolean
  readonly driver: string
  readonly scheduling: string
  readonly machine: string | null
}

async function putBatch(
  client: pg.PoolClient,
  specs: readonly HostSpec[],
  options: PutHostsOptions,
): Promise<PutHostResult[]> {
  const wanted = specs.map((spec) => {
    const rows = hostRows(spec)
    return { spec, rows, digest: digestOf(rows) }
  })
  const stored = await lockStored(client, specs, options)
  const answers = wanted.map(({ spec, digest }) =>
    verdictOf(spec, { digest, stored, connection: options.connections?.get(spec.frame.id) ?? null }),
  )
  const write = wanted.filter((_, index) => answers[index]?.did === 'made' || answers[index]?.did === 'changed')
  if (write.length > 0) {
    await writeRows(client, write, options)
    const trail = write.map(({ spec, rows }) => {
      const did = answers.find(({ host }) => host === spec.frame.id)?.did
      return { host: spec.frame.id, did, providers: rows.providers.map(({ id }) => id) }
    })
    await writePuts(client, trail, options)
  }
  for (const { host, did } of answers) {
    const connection = options.connections?.get(host)
    if (connection && did !== 'refused') await putConnection(client, { ...options, host, connection })
  }
  return answers
}

interface HostComparison {
  readonly digest: string
  readonly connection: HostConnection | null
  readonly stored: readonly StoredHostRow[]
}

function verdictOf({ frame }: HostSpec, { digest, connection, stored }: HostComparison): PutHostResult {
  const host = frame.id
  const machine = connection?.machine ?? null
  if (stored.some(({ id, name }) => name === frame.name && id !== host))
    return { host, did: 'refused', why: 'name-taken' }
  const before = stored.find(({ id }) => id === host)
  const isNew = machine !== null && machine !== (before?.machine ?? null)
  if (isNew && stored.some((other) => other.id !== host && other.machine === machine))
    return { host, did: 'refused', why: 'machine-known' }
  if (!before) return { host, did: 'made' }
  if (before.driver !== frame.driver) return { host, did: 'refused', why: 'other-driver' }
  if (machine !== null && before.machine !== null && machine !== before.machine)
    return { host, did: 'refused', why: 'other-machine' }
  if (connection?.readOnly && before.scheduling === 'enabled') return { host, did: 'refused', why: 'enabled' }
  if (before.digest === digest) return { host, did: 'unchanged' }
  return before.held ? { host, did: 'refused', why: 'held' } : { host, did: 'changed' }
}

// One put at a time, or two of the same new host would both create it. The roots' locks keep claims out until commit;
// they are taken before reading holdings. Claims lock a tree in the order of its ids, in which the root is not the first.
async function lockStored(
  client: pg.PoolClient,
  specs: readonly HostSpec[],
  { connections }: PutHostsOptions,
): Promise<StoredHostRow[]> {
  const ids = specs.map(({ frame }) => frame.id)
  const names = specs.map(({ frame }) => frame.name)
  const machines = ids.flatMap((id) => connections?.get(id)?.machine ?? [])
  await client.query(
    `insert into lease (name, owner, until) values ('put hosts', 'put hosts', now())
      on conflict (name) do update set fence = lease.fence + 1`,
  )
  await client.query(
    'select 1 from resource_provider where id = any($1::uuid[]) or root_id = any($1::uuid[]) order by id for update',
    [ids],
  )
  const { rows } = await client.query<StoredHostRow>(
    `select h.id, h.name, h.digest, h.driver, h.scheduling, h.connection ->> 'machine' as machine, exists (select 1 from claim k where k.host_id = h.id) or exists (
        select 1 from resource_provider p join allocation a on a.provider_id = p.id where p.root_id = h.id) as held
      from host h where h.id = any($1::uuid[]) or h.name = any($2::text[]) or h.connection ->> 'machine' = any($3::text[])`,
    [ids, names, machines],
  )
  return rows
}

// Omitted fields keep their stored values, as the migration policy does.
const PUT_CONNECTION = `update host set connection = coalesce(connection, '{}') || $2::jsonb
  where id = $1 and connection is distinct from coalesce(connection, '{}') || $2::jsonb`

interface ConnectionPut extends PutHostsOptions {
  readonly host: HostId
  readonly connection: HostConnection
}

async function putConnection(client: pg.PoolClient, { host, connection, actor, at }: ConnectionPut): Promise<void> {
  const { rowCount } = await client.query(PUT_CONNECTION, [host, JSON.stringify(connection.stored)])
  if (rowCount === 1)
    await writeTrail(client, { kind: 'host.connected', hosts: [host], data: connection.auditData, actor, at })
}

type HostWrite = { readonly rows: HostRows; readonly digest: string }

async function writeRows(client: pg.PoolClient, writes: readonly HostWrite[], { at }: PutHostsOptions): Promise<void> {
  const all = (of: keyof Omit<HostRows, 'host'>) => JSON.stringify(writes.flatMap(({ rows }) => rows[of]))
  const hosts = JSON.stringify(
    writes.map(({ rows, digest }) => ({ ...rows.host, digest, created_at: new Date(at).toISOString() })),
  )
  const ids = writes.map(({ rows }) => rows.host.id)
  await client.query(WORDS, [all('inventories'), all('traits'), all('aggregates')])
  for (const statement of CLEAR) await client.query(statement, [ids])
  await client.query(CLEAR_CHILDREN, [ids, writes.flatMap(({ rows }) => rows.providers.map(({ id }) => id))])
  await client.query(PUT_PROVIDERS, [all('providers')])
  await client.query(PUT_HOSTS, [hosts])
  await client.query(PUT_INVENTORIES, [all('inventories')])
  await client.query(PUT_TRAITS, [all('traits')])
  await client.query(PUT_AGGREGATES, [all('aggregates')])
  await client.query(PUT_CELLS, [all('cells')])
  await client.query(PUT_UNITS, [all('units')])
}

const WORDS = `with
  c as (insert into resource_class (name)
    select distinct r ->> 'resource_class' from jsonb_array_elements($1::jsonb) r order by 1 on conflict do nothing),
  t as (insert into trait (name)
    select distinct r ->> 'trait' from jsonb_array_elements($2::jsonb) r order by 1 on conflict do nothing)
  insert into aggregate (id, name)
  select case when is_uuid then name::uuid else gen_random_uuid() end, case when is_uuid then null else name end
  from (select distinct r ->> 'name' as name, r ->> 'name' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' as is_uuid
    from jsonb_array_elements($3::jsonb) r order by 1) a
  on conflict do nothing`

const CLEAR = [
  'delete from unit where host_id = any($1::uuid[])',
  'delete from numa_cell where host_id = any($1::uuid[])',
  'delete from inventory i using resource_provider p where p.id = i.provider_id and p.root_id = any($1::uuid[])',
  'delete from provider_trait t using resource_provider p where p.id = t.provider_id and p.root_id = any($1::uuid[])',
  'delete from provider_aggregate a using resource_provider p where p.id = a.provider_id and p.root_id = any($1::uuid[])',
]

// A remaining child keeps its row: recreated it would begin at generation 0, and a client's stale read would pass.
const CLEAR_CHILDREN = `delete from resource_provider
  where root_id = any($1::uuid[]) and parent_id is not null and id <> all($2::uuid[])`

// A change of inventory raises the generation, as a claim does, so that earlier decisions do not commit.
const PUT_PROVIDERS = `insert into resource_provider (id, name, parent_id, root_id, cell)
  select id, name, parent_id, root_id, cell
  from jsonb_to_recordset($1::jsonb) as r(id uuid, name text, parent_id uuid, root_id uuid, cell int)
  group by id, name, parent_id, root_id, cell order by id
  on conflict (id) do update set name = excluded.name, cell = excluded.cell, parent_id = excluded.parent_id,
    generation = resource_provider.generation + 1`

const PUT_HOSTS = `insert into host (id, name, status, scheduling, zone, cpu, layout, driver, memory, digest, created_at)
  select id, name, status, scheduling, zone, cpu, layout, driver, memory, digest, created_at
  from jsonb_to_recordset($1::jsonb) as r(id uuid, name text, status text, scheduling text, zone text, cpu jsonb,
    layout text, driver text, memory text, digest text, created_at timestamptz)
  order by id
  on conflict (id) do update set name = excluded.name, zone = excluded.zone, cpu = excluded.cpu,
    layout = excluded.layout, driver = excluded.driver, digest = excluded.digest`

const PUT_INVENTORIES = `insert into inventory
    (provider_id, resource_class, total, reserved, min_unit, max_unit, step_size, allocation_ratio_milli)
  select distinct on (provider_id, resource_class) *
  from jsonb_to_recordset($1::jsonb) as r(provider_id uuid, resource_class text, total bigint, reserved bigint,
    min_unit bigint, max_unit bigint, step_size bigint, allocation_ratio_milli int)
  on conflict (provider_id, resource_class) do update set total = excluded.total, reserved = excluded.reserved,
    min_unit = excluded.min_unit, max_unit = excluded.max_unit, step_size = excluded.step_size,
    allocation_ratio_milli = excluded.allocation_ratio_milli`

const PUT_TRAITS = `insert into provider_trait (provider_id, trait)
  select distinct provider_id, trait from jsonb_to_recordset($1::jsonb) as r(provider_id uuid, trait text)
  on conflict do nothing`

const PUT_AGGREGATES = `insert into provider_aggregate (provider_id, aggregate_id)
  select distinct r.provider_id, a.id
  from jsonb_to_recordset($1::jsonb) as r(provider_id uuid, name text)
  join aggregate a on a.name = r.name or a.id::text = r.name
  on conflict do nothing`

const PUT_CELLS = `insert into numa_cell
    (host_id, cell, socket, shared_cpus, dedicated_cpus, siblings, memory_mib, pages, network, distances)
  select * from jsonb_to_recordset($1::jsonb) as r(host_id uuid, cell int, socket int, shared_cpus int[],
    dedicated_cpus int[], siblings jsonb, memory_mib bigint, pages jsonb, network jsonb, distances int[])`

// Ids are assigned before anything is written, so that a VF always has its PF.
const PUT_UNITS = `with r as materialized (
    select *, nextval('unit_id_seq') as id
    from rows from (jsonb_to_recordset($1::jsonb) as (host_id uuid, name text, kind text, cell int,
      resource_class text, provider text, pci jsonb, mdev_type text, size_mib bigint, state text, parent text))
      with ordinality as r(host_id, name, kind, cell, resource_class, provider, pci, mdev_type, size_mib, state, parent, place)
    order by place)
  insert into unit (id, host_id, name, kind, cell, parent_id, resource_class, provider, pci, mdev_type, size_mib, state)
  select r.id, r.host_id, r.name, r.kind, r.cell, p.id, r.resource_class, r.provider, r.pci, r.mdev_type, r.size_mib,
    coalesce(r.state, 'present')
  from r left join r p on p.host_id = r.host_id and p.name = r.parent
  order by r.place`

interface HostPutEvent {
  readonly host: HostId
  readonly did: string | undefined
  readonly providers: readonly unknown[]
}

// An event names every provider it raised: a shared one is visible from hosts that this put did not name.
async function writePuts(
  client: pg.PoolClient,
  written: readonly HostPutEvent[],
  options: PutHostsOptions,
): Promise<void> {
  const { actor, at } = options
  const who = [actor.who, actor.request, actor.reason, new Date(at)]
  await client.query(
    `insert into outbox (kind, hosts, data, raised, who, request, reason, at)
      select 'host.' || (w ->> 'did'), array[(w ->> 'host')::uuid], '{}', (
          select jsonb_object_agg(p.id, p.generation) from resource_provider p
          where p.id in (select value::uuid from jsonb_array_elements_text(w -> 'providers'))), $2, $3, $4, $5
      from jsonb_array_elements($1::jsonb) w`,
    [JSON.stringify(written), ...who],
  )
  if (actor.request === null) return
  await recordEntry(client, { action: 'hosts.put', actor, at, hosts: written.map(({ host }) => host) })
}
