import { IN_FLIGHT_STEPS, loadsSource } from '../../engine/migration/operations'
import { OPERATIONS } from '../../engine/migration/state'
import type { HostId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'

export interface InFlight {
  readonly fleet: number
  /** Without those that load no source. */
  readonly bySource: ReadonlyMap<HostId, number>
  readonly byTarget: ReadonlyMap<HostId, number>
  readonly queuedBefore: number
}

/**
 * Moves that use a slot now, for the limits.
 */
export async function readInFlight(database: Database, asking: MigrationId): Promise<InFlight> {
  const { rows } = await database.pool.query<{
    source: HostId | null
    target: HostId | null
    moves: number
    queued: number
  }>({
    name: 'in-flight',
    text: `select m.source, m.target, count(*)::int as moves, (
          select count(*)::int from migration q, migration me
          where me.id = $1 and q.outcome is null and q.step = 'claim' and q.waiting ->> 'for' = 'slot'
            and (q.created_at, q.id) < (me.created_at, me.id)) as queued
      from (select null::uuid as source, null::uuid as target, 0 as counts union all
        select case when operation = any($3) then source end, target, 1 from migration
        where outcome is null and step = any($2) and id <> $1) m
      group by m.source, m.target, m.counts order by m.counts`,
    values: [asking, IN_FLIGHT_STEPS, OPERATIONS.filter(loadsSource)],
  })
  const [first, ...moves] = rows
  const bySource = new Map<HostId, number>()
  const byTarget = new Map<HostId, number>()
  let fleet = 0
  for (const { source, target, moves: count } of moves) {
    fleet += count
    if (source) bySource.set(source, (bySource.get(source) ?? 0) + count)
    if (target) byTarget.set(target, (byTarget.get(target) ?? 0) + count)
  }
  return { fleet, bySource, byTarget, queuedBefore: first?.queued ?? 0 }
}
