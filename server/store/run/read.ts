import type { HostId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { diffOf, listedRunOf, runMigrationOf, runOf } from '../decode/run'
import { RUN_JSON, RUN_MIGRATION_JSON, type Run, type RunDiff, type WholeRun } from './row'

// Reads runs: the rows of one in one snapshot, and lists.

/** Null when there is no such run. */
export async function readRun({ pool }: Database, id: string): Promise<WholeRun | null> {
  const { rows } = await pool.query<WholeRun>({
    name: 'read-run',
    text: `select ${RUN_JSON} as run, (
        select coalesce(json_agg(${RUN_MIGRATION_JSON} order by v.n), '[]') from run_move v where v.run_id = r.id) as migrations
      from run r where r.id = $1`,
    values: [id],
  })
  const [whole] = rows
  return whole ? { run: runOf(whole.run), migrations: whole.migrations.map(runMigrationOf) } : null
}

/** Runs that need a runner: started and not ended, oldest first. */
export async function readActiveRuns({ pool }: Database): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'active-runs',
    text: `select id from run where state in ('running', 'paused', 'stopping') order by started_at, id`,
  })
  return rows.map(({ id }) => id)
}

export interface RunningOn {
  readonly id: string
  readonly kind: Run['kind']
  readonly host: HostId
  readonly done: number
  readonly total: number
}

/** Progress of the run by emptied host. For an instance that was tried more than once, the last row counts. */
export async function readRunningOn({ pool }: Database): Promise<ReadonlyMap<HostId, RunningOn>> {
  const { rows } = await pool.query<RunningOn>({
    name: 'running-on',
    text: `select r.id, r.kind, r.host_id as host, c.done, c.total from run r cross join lateral (
        select count(*)::int as total, count(*) filter (where v.state = 'done')::int as done from (
          select distinct on (m.instance_id) m.state, m.helper from run_move m where m.run_id = r.id
          order by m.instance_id, m.n desc
        ) v where not v.helper) c
      where r.state in ('running', 'paused', 'stopping') order by r.started_at, r.id`,
  })
  return new Map(rows.map((row) => [row.host, row]))
}

export interface RunCounts {
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly left: number
}
export interface ListedRun {
  readonly run: Run
  readonly counts: RunCounts
}

const RUNS_LISTED = 500

/** Newest first, at most 500. For an instance that was tried more than once, the last row counts. */
export async function listRuns(
  { pool }: Database,
  { kind, host }: { readonly kind?: Run['kind'] | undefined; readonly host?: HostId | undefined },
): Promise<readonly ListedRun[]> {
  const { rows } = await pool.query<ListedRun>({
    name: 'list-runs',
    text: `select ${RUN_JSON} as run, (select json_build_object(
        'total', count(*) filter (where not v.helper),
        'done', count(*) filter (where not v.helper and v.state = 'done'),
        'failed', count(*) filter (where v.state = 'failed'),
        'left', count(*) filter (where not v.helper and v.state in ('stays', 'blocked', 'skipped', 'failed')))
        from (
          select distinct on (m.instance_id) m.* from run_move m where m.run_id = r.id order by m.instance_id, m.n desc
        ) v) as counts
      from run r where ($1::text is null or r.kind = $1) and ($2::uuid is null or r.host_id = $2)
      order by r.created_at desc, r.id limit ${RUNS_LISTED}`,
    values: [kind ?? null, host ?? null],
  })
  return rows.map(listedRunOf)
}

/** Newest first. */
export async function readRunDiffs({ pool }: Database, id: string): Promise<readonly RunDiff[]> {
  const { rows } = await pool.query<RunDiff>({
    name: 'run-diffs',
    text: `select version, ms(at)::float8 as at, because, lines from run_diff where run_id = $1 order by version desc`,
    values: [id],
  })
  return rows.map(diffOf)
}

/** The host's open run of that kind, else its newest one; null when there is none. */
export async function readLatestRun(
  { pool }: Database,
  { kind, host }: { readonly kind: Run['kind']; readonly host: HostId },
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'latest-run',
    text: `select id from run where host_id = $1 and kind = $2
      order by state in ('running', 'paused', 'stopping') desc, created_at desc, id limit 1`,
    values: [host, kind],
  })
  return rows[0]?.id ?? null
}
