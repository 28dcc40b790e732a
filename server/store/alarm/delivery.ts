import type pg from 'pg'
import type { Attribution } from '../../engine/change'
import { recordEntry } from '../audit-log/entry'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'

// Alarm deliveries and their results. A server leases a row; if it dies, another server sends the row under the same id
// once the lease has expired.

export type DeliveryEvent = 'raised' | 'ended' | 'test'
export const CHANNELS = ['webhook', 'mail'] as const
export type Channel = (typeof CHANNELS)[number]

export interface NewDelivery {
  readonly id: string
  /** Null for a test delivery. */
  readonly alarm: string | null
  readonly event: DeliveryEvent
  readonly channel: string
  readonly body: object
}

export async function addDeliveries(
  client: Pick<pg.PoolClient, 'query'>,
  made: readonly NewDelivery[],
  at: number,
): Promise<void> {
  if (made.length === 0) return
  await client.query(
    `insert into alarm_delivery (id, alarm_id, event, channel, body, made_at, next_at)
      select x.id, x.alarm, x.event, x.channel, x.body, $1, $1
      from json_to_recordset($2) as x (id uuid, alarm uuid, event text, channel text, body jsonb)`,
    [new Date(at), JSON.stringify(made)],
  )
}

export async function addTest(
  database: Database,
  { actor, at, ...made }: Attribution & Omit<NewDelivery, 'alarm' | 'event'>,
): Promise<void> {
  await inTransaction(database, async (client) => {
    await addDeliveries(client, [{ ...made, alarm: null, event: 'test' }], at)
    await recordEntry(client, { action: 'alarm.tested', actor, at, data: { delivery: made.id, channel: made.channel } })
  })
}

export interface DueDelivery extends Pick<DeliveryRow, 'id' | 'channel' | 'event' | 'madeAt'> {
  readonly body: Readonly<Record<string, unknown>>
  /** Including this one. */
  readonly attempts: number
}

const TAKEN_AT_ONCE = 20

/**
 * Leases due deliveries until `until`: no other server sends them before. None waits before its first attempt, or longer
 * than an hour: a later time was written before the clock was set back.
 */
export async function takeDeliveries(
  { pool }: Database,
  { at, until }: { readonly at: number; readonly until: number },
): Promise<readonly DueDelivery[]> {
  const { rows } = await pool.query<DueDelivery>(
    `update alarm_delivery set attempts = attempts + 1, next_at = $2 where id in (
        select id from alarm_delivery where sent_at is null and given_up_at is null
          and (next_at <= $1 or attempts = 0 or next_at > $1 + interval '1 hour')
        order by made_at, id limit $3 for update skip locked)
      returning id, channel, event, body, attempts, ms(made_at)::float8 as "madeAt"`,
    [new Date(at), new Date(until), TAKEN_AT_ONCE],
  )
  return [...rows].sort((a, b) => a.madeAt - b.madeAt)
}

export async function noteSent({ pool }: Database, id: string, at: number): Promise<void> {
  await pool.query('update alarm_delivery set sent_at = $2, error = null where id = $1', [id, new Date(at)])
}

export interface FailedDelivery extends Pick<DueDelivery, 'id' | 'attempts'> {
  readonly error: string
  readonly at: number
  /** Null: no further attempt. */
  readonly nextAt: number | null
}

/** Nothing is written once another server has taken the row: what came of its attempt counts. */
export async function noteFailed({ pool }: Database, failed: FailedDelivery): Promise<void> {
  const { id, attempts, error, at, nextAt } = failed
  await pool.query(
    `update alarm_delivery set error = $2, next_at = coalesce($3, next_at),
        given_up_at = case when $3::timestamptz is null then $4::timestamptz end
      where id = $1 and attempts = $5`,
    [id, error, nextAt === null ? null : new Date(nextAt), new Date(at), attempts],
  )
}

export interface DeliveryRow {
  readonly id: string
  readonly event: DeliveryEvent
  readonly channel: Channel
  /** The subject of the alarm; null for a test delivery. */
  readonly name: string | null
  readonly kind: string | null
  readonly madeAt: number
  readonly attempts: number
  readonly sentAt: number | null
  readonly givenUpAt: number | null
  readonly error: string | null
}

/** Newest first. */
export async function listDeliveries({ pool }: Database, limit: number): Promise<readonly DeliveryRow[]> {
  const { rows } = await pool.query<DeliveryRow>(
    `select d.id, d.event, d.channel, a.name, a.kind, ms(d.made_at)::float8 as "madeAt", d.attempts,
        ms(d.sent_at)::float8 as "sentAt", ms(d.given_up_at)::float8 as "givenUpAt", d.error
      from alarm_delivery d left join alarm a on a.id = d.alarm_id order by d.made_at desc, d.id limit $1`,
    [limit],
  )
  return rows
}
