import type pg from 'pg'
import type { AlarmKind, AlarmSeverity, RaisedAlarm } from '../../engine/alarm/alarms'
import type { Attribution } from '../../engine/change'
import { recordEntry } from '../audit-log/entry'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { addDeliveries, type DeliveryEvent } from './delivery'

// Current alarms. Deliveries are written in the transaction of their alarm, so that a crash neither loses nor repeats
// one.

export interface AlarmRow {
  readonly id: string
  readonly kind: AlarmKind
  readonly subject: string
  readonly name: string
  readonly severity: AlarmSeverity
  readonly says: string
  readonly raisedAt: number
  readonly endedAt: number | null
  readonly acknowledgedAt: number | null
  readonly acknowledgedBy: string | null
}

const COLUMNS = `id, kind, subject, name, severity, says, ms(raised_at)::float8 as "raisedAt",
  ms(ended_at)::float8 as "endedAt", ms(acknowledged_at)::float8 as "acknowledgedAt",
  acknowledged_by as "acknowledgedBy"`

export interface NoteOptions {
  readonly at: number
  readonly newId: () => string
  /** The deliveries of a change, for each channel; empty: no recipient. */
  readonly deliveries: (event: DeliveryEvent, alarm: AlarmRow) => readonly { channel: string; body: object }[]
}

/** An alarm ends this long after it was last seen: a host that answers now and then is one alarm. */
const ENDS_AFTER_MS = 60_000

/**
 * Stores the alarms of one full check. Two servers that check at once raise one alarm, because the index allows one
 * open row per alarm.
 */
export async function noteAlarms(
  database: Database,
  seen: readonly RaisedAlarm[],
  options: NoteOptions,
): Promise<{ readonly raised: number; readonly ended: number }> {
  const at = new Date(options.at)
  return inTransaction(database, async (client) => {
    // Checks note their alarms one after the other: rows that do not exist yet cannot be locked one by one.
    await client.query('lock table alarm in share row exclusive mode')
    // No check is noted that late: the clock was set back, and until it is that time again nothing would change or end.
    await client.query(
      `update alarm set seen_at = $1, raised_at = least(raised_at, $1)
        where ended_at is null and seen_at > $1::timestamptz + interval '1 minute'`,
      [at],
    )
    await client.query(
      // Counts and names change while an alarm is open; a check that began earlier may end later.
      `update alarm a set seen_at = greatest(a.seen_at, $1),
          says = case when a.seen_at <= $1 then x.says else a.says end,
          name = case when a.seen_at <= $1 then x.name else a.name end
        from json_to_recordset($2) as x (kind text, id text, says text, name text)
        where a.kind = x.kind and a.subject = x.id and a.ended_at is null`,
      [at, JSON.stringify(seen)],
    )
    const raised = await client.query<AlarmRow>(
      `insert into alarm (id, kind, subject, name, severity, says, raised_at, seen_at)
        select x.id, x.kind, x.subject, x.name, x.severity, x.says, $1, $1
        from json_to_recordset($2) as x (id uuid, kind text, subject text, name text, severity text, says text)
        on conflict (kind, subject) where ended_at is null do nothing
        returning id, kind, subject, name, severity, says, ms(raised_at)::float8 as "raisedAt",
          ms(ended_at)::float8 as "endedAt", ms(acknowledged_at)::float8 as "acknowledgedAt",
          acknowledged_by as "acknowledgedBy"`,
      [at, JSON.stringify(seen.map(({ id: subject, ...each }) => ({ ...each, subject, id: options.newId() })))],
    )
    const ended = await client.query<AlarmRow>(
      `update alarm set ended_at = greatest($1, raised_at) where ended_at is null and seen_at <= $2
        returning id, kind, subject, name, severity, says, ms(raised_at)::float8 as "raisedAt",
          ms(ended_at)::float8 as "endedAt", ms(acknowledged_at)::float8 as "acknowledgedAt",
          acknowledged_by as "acknowledgedBy"`,
      [at, new Date(options.at - ENDS_AFTER_MS)],
    )
    await tell(client, options, [
      ...raised.rows.map((alarm) => ({ event: 'raised' as const, alarm })),
      ...ended.rows.map((alarm) => ({ event: 'ended' as const, alarm })),
    ])
    return { raised: raised.rows.length, ended: ended.rows.length }
  })
}

async function tell(
  client: pg.PoolClient,
  { at, newId, deliveries }: NoteOptions,
  changes: readonly { readonly event: DeliveryEvent; readonly alarm: AlarmRow }[],
): Promise<void> {
  if (changes.length === 0) return
  const { rows } = await client.query<{ kind: string; subject: string | null }>(
    'select kind, subject from alarm_mute where until > $1',
    [new Date(at)],
  )
  const isMuted = ({ kind, subject }: AlarmRow) =>
    rows.some((mute) => mute.kind === kind && (mute.subject === null || mute.subject === subject))
  const made = changes
    .filter(({ alarm }) => !isMuted(alarm))
    .flatMap(({ event, alarm }) => deliveries(event, alarm).map((each) => ({ ...each, event, alarm: alarm.id })))
  await addDeliveries(
    client,
    made.map((each) => ({ ...each, id: newId() })),
    at,
  )
}

/** Open alarms first, then those that ended last. */
export async function listAlarms({ pool }: Database, limit: number): Promise<readonly AlarmRow[]> {
  const { rows } = await pool.query<AlarmRow>(
    `select ${COLUMNS} from alarm order by ended_at is not null, case when ended_at is null then severity end, raised_at desc, id limit $1`,
    [limit],
  )
  return rows
}

/** Open alarms that nobody acknowledged, counted by severity. */
export async function countAlarms({
  pool,
}: Database): Promise<{ readonly critical: number; readonly warning: number }> {
  const { rows } = await pool.query<{ critical: number; warning: number }>(
    `select count(*) filter (where severity = 'critical')::int as critical,
        count(*) filter (where severity = 'warning')::int as warning
      from alarm where ended_at is null and acknowledged_at is null`,
  )
  return rows[0] ?? { critical: 0, warning: 0 }
}

/** Returns the ids that were open and not yet acknowledged. */
export async function acknowledgeAlarms(
  database: Database,
  { ids, actor, at }: Attribution & { readonly ids: readonly string[] },
): Promise<readonly string[]> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ id: string; kind: string; name: string }>(
      `update alarm set acknowledged_at = greatest($2, raised_at), acknowledged_by = $3
        where id in (select id from alarm
          where id = any ($1::uuid[]) and ended_at is null and acknowledged_at is null order by id for no key update)
        returning id, kind, name`,
      [ids, new Date(at), actor.who],
    )
    for (const { id, kind, name } of rows)
      await recordEntry(client, { action: 'alarm.acknowledged', actor, at, data: { alarm: id, kind, name } })
    return rows.map(({ id }) => id)
  })
}

export interface AlarmMute {
  readonly id: string
  readonly kind: AlarmKind
  readonly subject: string | null
  readonly until: number
  readonly by: string
  readonly reason: string
}

export async function muteAlarms(database: Database, { actor, at, ...mute }: Omit<AlarmMute, 'by'> & Attribution) {
  const { id, kind, subject, until, reason } = mute
  await inTransaction(database, async (client) => {
    await client.query(
      `insert into alarm_mute (id, kind, subject, until, "by", reason, at) values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, kind, subject, new Date(until), actor.who, reason, new Date(at)],
    )
    await recordEntry(client, { action: 'alarm.muted', actor, at, data: { mute: id, kind, subject, until } })
  })
}

/** False when the alarm has already ended. */
export async function unmuteAlarms(
  database: Database,
  { id, actor, at }: Attribution & { readonly id: string },
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ kind: string }>(
      'update alarm_mute set until = $2 where id = $1 and until > $2 returning kind',
      [id, new Date(at)],
    )
    const ended = rows[0]
    if (!ended) return false
    await recordEntry(client, { action: 'alarm.unmuted', actor, at, data: { mute: id, kind: ended.kind } })
    return true
  })
}

export async function listMutes({ pool }: Database, at: number): Promise<readonly AlarmMute[]> {
  const { rows } = await pool.query<AlarmMute>(
    `select id, kind, subject, ms(until)::float8 as until, "by", reason from alarm_mute where until > $1 order by until`,
    [new Date(at)],
  )
  return rows
}
