import type { HealthFacts } from '../../engine/health/checks'
import type { Database } from '../database/database'

const MAX_LISTED_HOSTS = 50
/** A server writes a heartbeat every two seconds. */
const HEARTBEAT_TIMEOUT_MS = 10_000

export interface HealthOptions {
  /** How often hosts are surveyed; a host that was not queried for three intervals counts as skipped. */
  readonly surveyEveryMs: number
}

const age = (time: string) => `case when isfinite(${time}) then (extract(epoch from t.at - ${time}) * 1000)::float8 end`

/** The data of the health checks, from one snapshot and by the database's clock. */
export async function readHealth(
  { pool }: Pick<Database, 'pool'>,
  { surveyEveryMs }: HealthOptions,
): Promise<HealthFacts> {
  const { rows } = await pool.query<{ health: HealthFacts }>({
    name: 'health',
    text: `with t as materialized (select clock_timestamp() as at),
      skipped as materialized (
        select h.id, h.name from t, host h left join host_survey s on s.host_id = h.id
        where h.status <> 'lost' and h.created_at < t.at - $1::int * interval '3 milliseconds'
          and (s.asked_at is null or s.asked_at < t.at - $1::int * interval '3 milliseconds'
            or s.asked_at > t.at + interval '1 minute'))
      select json_build_object(
        'relay', json_build_object('present', exists (select from relay),
          'behind', greatest(0, (select max(sequence) from event) - coalesce((select last from relay), 0))
            * (select count(*) from relay)),
        'outbox', (select json_build_object('count', count(*), 'oldestMs', coalesce(max(${age('o.at')}), 0)) from outbox o),
        'tasks', (select coalesce(json_agg(json_build_object('name', l.name, 'owner', l.owner, 'everyMs', l.every_ms,
            'held', lease_holds(l.until, t.at), 'begunMs', ${age('l.began_at')}, 'endedMs', ${age('l.ended_at')},
            'failedMs', ${age('l.failed_at')},
            'error', l.error) order by l.name), '[]') from lease l where l.every_ms is not null),
        'auditAgeMs', (select ${age('a.at')} from standing_audit a),
        'survey', json_build_object('skipped', (select count(*) from skipped),
          'hosts', (select coalesce(json_agg(k), '[]') from (select * from skipped order by name limit ${MAX_LISTED_HOSTS}) k)),
        'leasesAhead', (select count(*) from lease l where l.until > t.at + interval '61 seconds')
          + (select count(*) from migration m where m.outcome is null and m.lease_until > t.at + interval '61 seconds'),
        'servers', (select coalesce(json_agg(json_build_object('owner', s.owner, 'upMs', ${age('s.started_at')},
            'seenMs', ${age('s.seen_at')}, 'clockOffsetMs', s.clock_offset_ms,
            'replicaFailure', s.replica_failure) order by s.owner), '[]')
          from server_session s
          where s.seen_at between t.at - ${HEARTBEAT_TIMEOUT_MS} * interval '1 millisecond' and t.at + interval '1 second')
      ) as health from t`,
    values: [surveyEveryMs],
  })
  const [row] = rows
  if (!row) throw new Error('The database did not answer the health query.')
  return row.health
}
