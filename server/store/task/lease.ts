import type { Database } from '../database/database'

// Periodic tasks: the row of each says who runs it, when its last round began and ended, and what went wrong. All times
// are the database's, so servers with different clocks agree on whether a round is due.

export interface TaskLeaseRequest {
  readonly name: string
  readonly owner: string
  readonly everyMs: number
  readonly leaseMs: number
  /** Begins a round even if none is due. */
  readonly force: boolean
  /** This server's round is active: only extends the lease. */
  readonly busy: boolean
}

export type TaskRound =
  /** Another server has it; its lease expires after this many ms. */
  | { readonly is: 'taken'; readonly freeInMs: number }
  | { readonly is: 'ours'; readonly begin: boolean; readonly dueInMs: number; readonly fence: number }

/** Takes or keeps the task, and begins a round when one is due or another server's round failed. One round trip. */
export async function takeTask({ pool }: Database, ask: TaskLeaseRequest): Promise<TaskRound> {
  const { rows } = await pool.query<TaskRoundRow>({
    name: 'take-task',
    text: `with time as materialized (select clock_timestamp() as at),
      before as materialized (select l.*, lease_holds(l.until, t.at) and l.owner <> $2 as taken,
          l.began_at is null or l.began_at > t.at or l.began_at <= t.at - $3::int * interval '1 millisecond'
            or (l.owner <> $2 and (l.ended_at is null or l.ended_at < l.began_at)) as due
        from lease l, time t where l.name = $1),
      ours as (
        insert into lease (name, owner, until, every_ms, began_at)
        select $1, $2, t.at + $4::int * interval '1 millisecond', $3, case when not $6 then t.at end from time t
        where not exists (select from before where taken)
        on conflict (name) do update set owner = $2, until = excluded.until, every_ms = $3,
          fence = lease.fence + case when lease.owner = $2 then 0 else 1 end,
          began_at = case when not $6 and ($5 or (select due from before)) then excluded.began_at else lease.began_at end
        where lease.owner = $2 or lease_holds(lease.until, (select at from time)) is not true
        returning fence, began_at)
      select o.fence, o.began_at = t.at::timestamptz(3) and not $6 as begin,
        ms(o.began_at)::float8 + $3 - ms(t.at)::float8 as "dueInMs",
        (select ms(until)::float8 - ms(t.at)::float8 from before where taken) as "freeInMs"
      from time t left join ours o on true`,
    values: [ask.name, ask.owner, ask.everyMs, ask.leaseMs, ask.force, ask.busy],
  })
  return roundOf(rows[0])
}

interface TaskRoundRow {
  readonly fence: string | null
  readonly begin: boolean | null
  readonly dueInMs: number | null
  readonly freeInMs: number | null
}

function roundOf(row: TaskRoundRow | undefined): TaskRound {
  if (!row || row.fence === null) return { is: 'taken', freeInMs: row?.freeInMs ?? 0 }
  return { is: 'ours', begin: row.begin === true, dueInMs: row.dueInMs ?? 0, fence: Number(row.fence) }
}

export interface RoundEnd {
  readonly name: string
  readonly fence: number
  /** Null: it ended well. */
  readonly error: string | null
}

/** Nothing is written once another server has taken the task over. */
export async function endRound({ pool }: Database, { name, fence, error }: RoundEnd): Promise<void> {
  await pool.query({
    name: 'end-round',
    text: `update lease set ended_at = case when $3::text is null then clock_timestamp() else ended_at end,
        failed_at = case when $3::text is null then null else clock_timestamp() end, error = $3
      where name = $1 and fence = $2`,
    values: [name, fence, error],
  })
}
