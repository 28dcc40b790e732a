import type { Holding, HostScheduling, HostStatus } from '../../engine/host'
import type { MemoryPolicy } from '../../engine/memory/policy'
import type { HostId } from '../../engine/words/ids'
import { readSetting } from '../catalog/policy'
import type { Database } from '../database/database'
import type { Cells } from '../decode/row'
import { holdingOf } from '../host/read'
import { AMOUNT, HOLDING, PLACED, TAKEN } from '../host/sql'

// Past ledgers: rows unchanged since that time, plus rows that have ended since.

/** Rows of `table` at `$2`; `past` has those that ended. */
const asOf = (columns: string, { table, past, where }: { table: string; past: string; where: string }) =>
  `(select ${columns} from ${table} where ${where} and since <= $2
    union all select ${columns} from ${past} where ${where} and since <= $2 and until > $2)`

const AMOUNTS = asOf('provider_id, resource_class, amount', {
  ...{ table: 'allocation', past: 'past_allocation', where: 'consumer_id = k.consumer_id' },
})
const UNITS = asOf('unit_id, use, request_id', {
  ...{ table: 'unit_holding', past: 'past_unit', where: 'claim_id = k.id' },
})

// Ended rows are stored as JSON, which may hold anything: its members are read as they are, and decoded.
const CELLS = `(
  select to_jsonb(c) as cell from claim_cell c where c.claim_id = k.id and c.since <= $2
  union all
  select p.cell from past_cell p where p.claim_id = k.id and p.since <= $2 and p.until > $2)`

const CLAIMS = `(
  select id, consumer_id, consumer_kind, instance_id, null as name, host_id, taken_at from claim
  where host_id = any($1::uuid[]) and since <= $2
  union all
  select claim_id, consumer_id, consumer_kind, instance_id, instance_name, host_id, taken_at from past_claim
  where host_id = any($1::uuid[]) and since <= $2 and until > $2)`

const HELD_THEN: Partial<Record<string, string>> = {
  amounts: `(select json_agg(${AMOUNT.json} order by a.provider_id, a.resource_class) from ${AMOUNTS} a)`,
  cells: `(
    select json_agg(${PLACED.jsonOf((_, sql) => sql.replace('c.', "c.cell -> '").concat("'"))} order by c.cell -> 'guest_cell')
    from ${CELLS} c)`,
  units: `(
    select json_agg(${TAKEN.json} order by d.unit_id) from ${UNITS} d join unit u on u.id = d.unit_id)`,
}

const HELD = `select k.host_id as host, k.name, ${HOLDING.jsonOf((member, sql) => HELD_THEN[member] ?? sql)} as holding
  from ${CLAIMS} k order by k.taken_at, k.id`

export interface HoldingsAtTime {
  readonly holdings: ReadonlyMap<HostId, readonly Holding[]>
  /** For ended claims, whose instance may no longer exist. */
  readonly names: ReadonlyMap<string, string>
}

/** Holdings on these hosts at that time (ms). Hosts without any are left out. */
export async function readHeldAt({ pool }: Database, hosts: readonly HostId[], at: number): Promise<HoldingsAtTime> {
  const holdings = new Map<HostId, Holding[]>()
  const names = new Map<string, string>()
  if (hosts.length === 0) return { holdings, names }
  const { rows } = await pool.query<{ host: HostId; name: string | null; holding: Cells }>({
    name: 'held-at',
    text: HELD,
    values: [hosts, new Date(at)],
  })
  for (const { host, name, holding: json } of rows) {
    const holding = holdingOf(json)
    const here = holdings.get(host)
    if (here) here.push(holding)
    else holdings.set(host, [holding])
    if (name) names.set(holding.instance, name)
  }
  return { holdings, names }
}

const CHANGED = `
  select host_id from claim where since > $1
  union select host_id from past_claim where until > $1
  union select k.host_id from past_cell p join claim k on k.id = p.claim_id where p.until > $1
  union select k.host_id from past_unit p join claim k on k.id = p.claim_id where p.until > $1
  union select k.host_id from past_allocation p join claim k on k.consumer_id = p.consumer_id where p.until > $1
  union select k.host_id from claim_cell c join claim k on k.id = c.claim_id where c.since > $1
  union select k.host_id from unit_holding h join claim k on k.id = h.claim_id where h.since > $1
  union select k.host_id from allocation a join claim k on k.consumer_id = a.consumer_id where a.since > $1`

/** Hosts whose holdings changed after that time; all others are unchanged. */
export async function readHostsChangedSince({ pool }: Database, at: number): Promise<readonly HostId[]> {
  const { rows } = await pool.query<{ host_id: HostId }>({
    name: 'hosts-changed-since',
    text: CHANGED,
    values: [new Date(at)],
  })
  return rows.map((row) => row.host_id)
}

export interface HostStateAtTime {
  readonly status: HostStatus
  readonly scheduling: HostScheduling
  readonly memory?: MemoryPolicy
}

/** For hosts whose status, scheduling or memory policy changed after that time: what held before the first change. */
export async function readStatesAt({ pool }: Database, at: number): Promise<ReadonlyMap<HostId, HostStateAtTime>> {
  const { rows } = await pool.query<{ host: HostId; was: HostStateAtTime }>({
    name: 'states-at',
    text: `select distinct on (h.id) h.id as host, e.data -> 'was' as was
      from event e cross join lateral unnest(e.hosts) h(id)
      where e.at > $1 and e.kind in ('host.status', 'host.scheduling', 'host.memory') and e.data -> 'was' ->> 'status' is not null
      order by h.id, e.sequence`,
    values: [new Date(at)],
  })
  return new Map(rows.map(({ host, was }) => [host, was]))
}

const PAST_SINCE = 'past-since'

/** The time (ms) from which the past is known. */
export async function readPastSince(database: Database): Promise<number> {
  return Number(await readSetting(database, PAST_SINCE))
}

const TABLES = ['past_claim', 'past_cell', 'past_unit', 'past_allocation'] as const
const FORGOTTEN_AT_ONCE = 5_000

/** Deletes what ended before that time (ms); earlier views are then unavailable. Returns the number of rows. */
export async function forgetPastBefore({ pool }: Database, before: number): Promise<number> {
  // The limit is recorded first, so that no reader sees a half-deleted time.
  await pool.query(
    `update setting set value = to_jsonb(greatest((value #>> '{}')::bigint, $2::bigint)), updated_at = now() where name = $1`,
    [PAST_SINCE, before],
  )
  let forgotten = 0
  for (const table of TABLES) {
    for (;;) {
      const { rowCount } = await pool.query(
        `delete from ${table} where id in (select id from ${table} where until < $1 order by until limit $2)`,
        [new Date(before), FORGOTTEN_AT_ONCE],
      )
      forgotten += rowCount ?? 0
      if ((rowCount ?? 0) < FORGOTTEN_AT_ONCE) break
    }
  }
  return forgotten
}
