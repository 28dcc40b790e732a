import type { RaisedGenerations } from '../../engine/ledger/raised'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { eventOf, msOf } from '../decode/event'
import type { TrailRow } from './trail-read'

/** One event, with its position in the global order. */
export interface FleetEvent extends TrailRow {
  readonly sequence: bigint
  readonly kind: string
  readonly hosts: readonly HostId[]
  readonly instance: InstanceId | null
  readonly migration: MigrationId | null
  readonly raised: RaisedGenerations
}

export const EVENTS_READ_AT_ONCE = 1000

/** Oldest first. No event with a lower sequence can appear later. */
export async function readEventsAfter(
  database: Database,
  sequence: bigint,
  limit: number = EVENTS_READ_AT_ONCE,
): Promise<FleetEvent[]> {
  const { rows } = await database.pool.query<Omit<FleetEvent, 'sequence' | 'at'> & { sequence: string; at: Date }>({
    name: 'events-after',
    text: `select sequence, kind, hosts, instance_id as instance, migration_id as migration, data, raised, who, request,
        reason, at from event where sequence > $1 order by sequence limit $2`,
    values: [String(sequence), limit],
  })
  return rows.map((row) => eventOf({ ...row, sequence: BigInt(row.sequence), at: msOf(row.at) }))
}

const EVENTS_DELETED_AT_ONCE = 5000

/**
 * Deletes events before that time, except those of active migrations, whose author and durations are still shown. Audit
 * entries stay. Returns the number. Readers that are further behind must reload.
 */
export async function forgetEventsBefore(database: Database, before: number): Promise<number> {
  for (let gone = 0; ; ) {
    const { rowCount } = await database.pool.query(
      `delete from event where sequence in (
         select e.sequence from event e where e.at < $1
           and not exists (select 1 from migration m where m.id = e.migration_id and m.outcome is null) limit $2)`,
      [new Date(before), EVENTS_DELETED_AT_ONCE],
    )
    gone += rowCount ?? 0
    if ((rowCount ?? 0) < EVENTS_DELETED_AT_ONCE) return gone
  }
}
