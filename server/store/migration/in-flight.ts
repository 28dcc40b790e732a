import { loadsSource } from '../../engine/migration/operations'
import type { Operation } from '../../engine/migration/state'
import type { HostId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'

export interface InFlight {
  readonly fleet: number
  /** Excludes migrations that put no load on a source. */
  readonly bySource: ReadonlyMap<HostId, number>
  readonly byTarget: ReadonlyMap<HostId, number>
  readonly queuedBefore: number
}

/** A migration that uses a slot. */
export interface SlotUse {
  readonly id: MigrationId
  readonly operation: Operation
  readonly source: HostId | null
  readonly target: HostId | null
}

export interface SlotRows {
  readonly using: readonly SlotUse[]
  /** By waiting migration: how many earlier ones also wait for a slot. */
  readonly queuedBefore: ReadonlyMap<MigrationId, number>
}

/** Migrations that use a slot now, and the queue positions of the given ones. */
export async function readSlots({ pool }: Database, asking: readonly MigrationId[]): Promise<SlotRows> {
  const [using, queued] = await Promise.all([
    pool.query<SlotUse>({
      name: 'slots-used',
      text: 'select id, operation, source, target from migration where outcome is null and is_in_flight(step)',
    }),
    pool.query<{ id: MigrationId; queued: number }>({
      name: 'queued-before',
      text: `with queue as materialized (
          select created_at, id from migration
          where outcome is null and step = 'claim' and waiting ->> 'for' = 'slot')
        select me.id, (select count(*)::int from queue q where (q.created_at, q.id) < (me.created_at, me.id)) as queued
        from migration me where me.id = any($1::uuid[])`,
      values: [asking],
    }),
  ])
  return { using: using.rows, queuedBefore: new Map(queued.rows.map(({ id, queued: before }) => [id, before])) }
}

/** The same without the slot of the asking migration. */
export function inFlightFor(asking: MigrationId, { using, queuedBefore }: SlotRows): InFlight {
  const bySource = new Map<HostId, number>()
  const byTarget = new Map<HostId, number>()
  let fleet = 0
  for (const { id, operation, source, target } of using) {
    if (id === asking) continue
    fleet++
    if (source && loadsSource(operation)) bySource.set(source, (bySource.get(source) ?? 0) + 1)
    if (target) byTarget.set(target, (byTarget.get(target) ?? 0) + 1)
  }
  return { fleet, bySource, byTarget, queuedBefore: queuedBefore.get(asking) ?? 0 }
}

export const readInFlight = async (database: Database, asking: MigrationId): Promise<InFlight> =>
  inFlightFor(asking, await readSlots(database, [asking]))
