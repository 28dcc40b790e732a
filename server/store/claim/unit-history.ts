import type { UnitUse } from '../../engine/host'
import type { Operation } from '../../engine/migration/state'
import type { ConsumerId, HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'

/** One period in which a claim held the unit, with the consumer at its end. */
export interface UnitTime {
  readonly consumer: ConsumerId
  readonly consumerKind: 'instance' | 'migration'
  readonly instance: InstanceId
  /** Empty while the claim is held, because the instance's own row then has the name. */
  readonly instanceName: string
  readonly use: UnitUse
  readonly from: number
  readonly to: number | null
  /**
   * The migration that claimed the unit; null: the instance was built with it, or the migration's record was pruned.
   */
  readonly cameBy: UnitMigration | null
  /** The migration that released it; null while it is held, and where no migration did. */
  readonly wentBy: UnitMigration | null
}

export interface UnitMigration {
  readonly id: MigrationId
  readonly operation: Operation
}

const MAX_ROWS = 200

/** The instance's migration from or to this host that was active at that time; there is at most one. */
const migrationAt = (time: string, side: string) => `(
  select json_build_object('id', m.id, 'operation', m.operation) from migration m
  where m.instance_id = k.instance_id and ${side} and m.created_at <= ${time}
    and (m.ended_at is null or m.ended_at >= ${time})
  order by m.created_at desc limit 1)`

/** Present and past holders of one CPU or device of a host, newest first. */
export async function readUnitTimes(
  { pool }: Database,
  { host, unit }: { readonly host: HostId; readonly unit: string },
): Promise<readonly UnitTime[]> {
  const { rows } = await pool.query<UnitTime>({
    name: 'unit-times',
    text: `
      with u as (select id from unit where host_id = $1 and name = $2),
        times as (
          select d.claim_id, d.use, d.since, null::timestamptz as until from unit_holding d join u on u.id = d.unit_id
          union all
          select p.claim_id, p.use, p.since, p.until from past_unit p join u on u.id = p.unit_id)
      select k.consumer_id as consumer, k.consumer_kind as "consumerKind", k.instance_id as instance,
        k.name as "instanceName", t.use, ms(t.since)::float8 as from, ms(t.until)::float8 as to,
        ${migrationAt('t.since', 'm.target = $1')} as "cameBy", ${migrationAt('t.until', '$1 in (m.source, m.target)')} as "wentBy"
      from times t join lateral (
        select c.consumer_id, c.consumer_kind, c.instance_id, ''::text as name, 'infinity'::timestamptz as until
          from claim c where c.id = t.claim_id
        union all
        select c.consumer_id, c.consumer_kind, c.instance_id, c.instance_name, c.until
          from past_claim c where c.claim_id = t.claim_id
        order by until desc limit 1) k on true
      order by t.since desc, t.until desc nulls first limit ${MAX_ROWS}`,
    values: [host, unit],
  })
  return rows
}
