import type pg from 'pg'
import type { Attribution, Change, Conflict, EventBody } from '../../engine/change'
import { commitOn } from '../commit/commit'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'
import type { Run, RunDiff, RunMigration } from './row'

// Writes a run: its row, its migrations and its trail in one transaction, only while it is unchanged since it was read.
// Its effects on the records (a migration begun, a host disabled) commit in the same transaction.

export interface RunWrite extends Attribution {
  /** As it was read; for a new run, generation 0. */
  readonly run: Pick<Run, 'id' | 'generation'>
  readonly set: Partial<Omit<Run, 'id' | 'generation'>>
  /** Written over the rows with the same number, or added. */
  readonly put?: readonly RunMigration[]
  readonly remove?: readonly number[]
  readonly diff?: RunDiff
  readonly change?: Change
  readonly event: Pick<EventBody, 'kind' | 'hosts' | 'data'>
}

export type RunWriteResult =
  | { readonly ok: true }
  /** Another write committed first, and nothing was written. `on: 'run'`: that of the run itself. */
  | { readonly ok: false; readonly on: Conflict['on'] | 'run' }

/** Commits all of it or nothing. Throws only when the database itself fails. */
export async function writeRun(database: Database, write: RunWrite): Promise<RunWriteResult> {
  try {
    await inTransaction(database, (client) => writeAll(client, write))
    return { ok: true }
  } catch (error) {
    if (error instanceof ConcurrentWrite) return { ok: false, on: error.on }
    if (isSecondRun(error)) return { ok: false, on: 'run' }
    throw error
  }
}

class ConcurrentWrite extends Error {
  constructor(readonly on: Conflict['on'] | 'run') {
    super(`written meanwhile: ${on}`)
  }
}

const isSecondRun = (error: unknown) => (error as { constraint?: string }).constraint === 'run_one_active_per_host'

async function writeAll(client: pg.PoolClient, write: RunWrite): Promise<void> {
  const { run, put = [], remove = [], diff, change, event, actor, at } = write
  if (run.generation === 0) await insertRun(client, write)
  else await updateRun(client, write)
  if (remove.length > 0) await client.query('delete from run_move where run_id = $1 and n = any($2)', [run.id, remove])
  if (put.length > 0) await client.query(PUT_MIGRATIONS, [run.id, JSON.stringify(put.map(migrationRow))])
  if (diff) {
    const values = [run.id, diff.version, new Date(at), diff.because, JSON.stringify(diff.lines)]
    await client.query('insert into run_diff (run_id, version, at, because, lines) values ($1, $2, $3, $4, $5)', values)
  }
  const committed = change && (await commitOn(client, change))
  if (committed?.ok === false) throw new ConcurrentWrite(committed.conflict.on)
  await writeTrail(client, { ...event, data: { run: run.id, ...event.data }, actor, at })
}

const COLUMNS: { readonly [K in keyof RunWrite['set']]-?: string } = {
  kind: 'kind',
  host: 'host_id',
  state: 'state',
  fallback: 'fallback',
  others: 'others',
  within: 'within',
  planVersion: 'plan_version',
  tookMs: 'took_ms',
  replanBecause: 'replan_because',
  note: 'note',
  who: 'who',
  request: 'request',
  reason: 'reason',
  createdAt: 'created_at',
  startedAt: 'started_at',
  endedAt: 'ended_at',
}
const TIMES: readonly string[] = ['createdAt', 'startedAt', 'endedAt']

function columnsOf(set: RunWrite['set']) {
  // By columns: callers pass an actor, which has more than a run stores.
  const entries = Object.entries(COLUMNS).flatMap(([key, name]) => {
    const value = set[key as keyof typeof COLUMNS]
    return value === undefined
      ? []
      : [{ name, value: TIMES.includes(key) && value !== null ? new Date(Number(value)) : value }]
  })
  return { names: entries.map(({ name }) => name), values: entries.map(({ value }) => value) }
}

async function insertRun(client: pg.PoolClient, { run, set }: RunWrite): Promise<void> {
  const { names, values } = columnsOf(set)
  const places = values.map((_, index) => `$${index + 2}`)
  await client.query(`insert into run (id, ${names.join(', ')}) values ($1, ${places.join(', ')})`, [run.id, ...values])
}

async function updateRun(client: pg.PoolClient, { run, set }: RunWrite): Promise<void> {
  const { names, values } = columnsOf(set)
  const sets = ['generation = generation + 1', ...names.map((name, index) => `${name} = $${index + 3}`)]
  const text = `update run set ${sets.join(', ')} where id = $1 and generation = $2`
  const { rowCount } = await client.query(text, [run.id, run.generation, ...values])
  if (rowCount !== 1) throw new ConcurrentWrite('run')
}

const PUT_MIGRATIONS = `
  insert into run_move
  select (jsonb_populate_record(null::run_move, w || jsonb_build_object('run_id', $1::uuid))).*
  from jsonb_array_elements($2::jsonb) w
  on conflict (run_id, n) do update set to_host = excluded.to_host, method = excluded.method, after = excluded.after,
    wave = excluded.wave, priority = excluded.priority, chosen = excluded.chosen, body = excluded.body,
    why = excluded.why, state = excluded.state, migration_id = excluded.migration_id, attempts = excluded.attempts,
    note = excluded.note`

function migrationRow(planned: RunMigration) {
  const { instance, name, from, to, migration, after, ...rest } = planned
  const ids = { instance_id: instance, instance_name: name, from_host: from, to_host: to, migration_id: migration }
  return { ...rest, ...ids, after: `{${after.join(',')}}` }
}
