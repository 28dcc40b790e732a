import type { InstanceId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { eventOf } from '../decode/event'

// Reads events by their objects, and the requests on a migration.

/** Fields shared by events and audit entries. */
export interface TrailRow {
  readonly at: number
  readonly hosts: readonly string[]
  readonly instance: string | null
  readonly migration: string | null
  readonly who: string
  readonly request: string | null
  readonly reason: string | null
  readonly data: Readonly<Record<string, unknown>>
}

export interface EventRow extends TrailRow {
  readonly sequence: string
  readonly kind: string
}

const COLUMNS = `sequence::text, ms(at)::float8 as at, kind, hosts, instance_id as instance, migration_id as migration,
  who, request, reason, data`

export interface EventFilter {
  readonly host?: string | undefined
  readonly instance?: string | undefined
  readonly migration?: string | undefined
  readonly before?: string | undefined
  /** With the reports of a transfer, one a second: on a long one they alone fill any limit. */
  readonly progress: boolean
  readonly limit: number
}

/** Newest first. */
export async function listEvents({ pool }: Database, filter: EventFilter): Promise<EventRow[]> {
  const { host, instance, migration, before, progress, limit } = filter
  const tests = [
    host === undefined ? null : 'hosts @> array[$1::uuid]',
    instance === undefined ? null : 'instance_id = $2::uuid',
    migration === undefined ? null : 'migration_id = $3::uuid',
    progress ? null : `kind <> 'migration.progressed'`,
  ].filter((test) => test !== null)
  // PostgreSQL needs the type of parameters that no condition uses.
  const { rows } = await pool.query<EventRow>(
    `select ${COLUMNS} from event
     where ($1::uuid, $2::uuid, $3::uuid) is not distinct from ($1::uuid, $2::uuid, $3::uuid)
       and ${[...tests, '($4::bigint is null or sequence < $4)'].join(' and ')}
     order by event.sequence desc limit $5`,
    [host ?? null, instance ?? null, migration ?? null, before ?? null, limit],
  )
  return rows.map(eventOf)
}

/** The last assigned sequence. */
export async function readLastSequence({ pool }: Database): Promise<bigint> {
  const { rows } = await pool.query<{ last: string }>('select last_sequence()::text as last')
  return BigInt(rows[0]?.last ?? '0')
}

export interface RequestRow extends Pick<TrailRow, 'at' | 'who' | 'reason' | 'data'> {
  readonly migration: MigrationId
  readonly action: string
}

/** The requests on these migrations, oldest first: how each began, and every requested action. */
export async function readRequests({ pool }: Database, ids: readonly MigrationId[]): Promise<RequestRow[]> {
  const { rows } = await pool.query<RequestRow>({
    name: 'asked-of-migrations',
    text: `select migration_id as migration, ms(at)::float8 as at, who, reason, action, data
           from audit_entry where migration_id = any($1::uuid[]) order by id`,
    values: [ids],
  })
  return rows.map(eventOf)
}

/** The data of a migration's events of one kind, oldest first. */
export async function readEventData(
  { pool }: Database,
  { migration, kind, limit }: { readonly migration: MigrationId; readonly kind: string; readonly limit: number },
): Promise<Readonly<Record<string, unknown>>[]> {
  const { rows } = await pool.query<{ data: Readonly<Record<string, unknown>> }>({
    name: 'event-data',
    text: `select data from (
             select sequence, data from event where migration_id = $1 and kind = $2 order by sequence desc limit $3
           ) newest order by sequence`,
    values: [migration, kind, limit],
  })
  return rows.map((row) => eventOf({ ...row, at: 0 }).data)
}

/** The last event of a kind about an instance; null when there is none, or it was pruned. */
export async function readLastEvent(
  { pool }: Database,
  { instance, kind }: { readonly instance: InstanceId; readonly kind: string },
): Promise<Pick<EventRow, 'at' | 'data'> | null> {
  const { rows } = await pool.query<Pick<EventRow, 'at' | 'data'>>({
    name: 'last-event-of-instance',
    text: `select ms(at)::float8 as at, data from event where instance_id = $1 and kind = $2
           order by sequence desc limit 1`,
    values: [instance, kind],
  })
  return rows.map(eventOf)[0] ?? null
}

/** Who began the migration, and why. Migrations without a request, such as the demo's, are only in the events. */
export async function readStarter(
  { pool }: Database,
  migration: MigrationId,
): Promise<{ readonly who: string; readonly reason: string | null } | null> {
  const { rows } = await pool.query<{ who: string; reason: string | null }>({
    name: 'starter-of-migration',
    text: `select who, reason from audit_entry where migration_id = $1 and action = 'migration.accepted'
           union all
           select who, reason from event where migration_id = $1 and kind = 'migration.accepted' limit 1`,
    values: [migration],
  })
  return rows[0] ?? null
}
