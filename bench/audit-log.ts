import { performance } from 'node:perf_hooks'
import { type AuditLogQuery, listAuditLog } from '../server/store/audit-log/list'
import { putHosts } from '../server/store/host/write'
import type { AuditRow } from './audit'
import { ACTOR, benchHosts, openBenchDatabase } from './bench-fleet'
import { fill } from './projection'

// How fast the audit log answers after a year: a million entries by two hundred users, about 500 hosts with 20 000
// instances.

const ENTRIES = 1_000_000
const HOSTS = 500
/** Rows per insert statement. */
const AT_ONCE = 50_000
const GOAL_MS = 1_000

type Condition = AuditLogQuery['where'][number]
const is = (key: Condition['key'], ...any: string[]): Condition[] => [{ key, any, not: false }]
const NEWEST = { after: null, before: null, oldestFirst: false, offset: 0, limit: 100 }
const DAY_MS = 86_400_000

export async function benchAuditLog(): Promise<AuditRow[]> {
  const { database, stop } = await openBenchDatabase(8)
  try {
    await putHosts(database, benchHosts(HOSTS, 'load'), { actor: ACTOR, at: Date.now() })
    await fill(database)
    for (let n = 0; n < ENTRIES; n += AT_ONCE)
      await database.pool.query(ENTRIES_OF_A_YEAR, [ENTRIES, n + 1, n + AT_ONCE])
    await database.pool.query('vacuum analyze')
    const { rows } = await database.pool.query<{ instance: string; host: string }>(
      `select (select name from instance order by length(name) desc, id limit 1) as instance, (select name from host order by id limit 1) as host`,
    )
    const { instance = '', host = '' } = rows[0] ?? {}
    const now = Date.now()
    const asked: readonly (readonly [string, Partial<AuditLogQuery>])[] = [
      ['the newest', {}],
      ['the oldest', { oldestFirst: true }],
      ['page 500', { offset: 50_000 }],
      ['of one user', { where: is('who', 'person-7') }],
      ['of an unknown user', { where: is('who', 'nobody') }],
      ['one action', { where: is('action', 'action-7.done') }],
      ['actions by a pattern', { where: is('action', 'action-1*') }],
      ['refused', { where: is('outcome', 'refused') }],
      ['about one instance', { where: is('instance', instance) }],
      ['about one host', { where: is('host', host) }],
      ['from one address', { where: is('from', '10.0.0.7') }],
      ['by a word in the reason', { where: is('reason', '*ticket 77777*') }],
      ['a text in few entries', { where: is('text', instance) }],
      ['a text in most entries', { where: is('text', instance.slice(0, 2)) }],
      ['a text in no entry', { where: is('text', 'found-nowhere') }],
      ['one request', { where: is('request', 'r-500000') }],
      ['one day of a year ago', { after: now - 360 * DAY_MS, before: now - 359 * DAY_MS }],
    ]
    const answers: AuditRow[] = []
    for (const [name, part] of asked) {
      const begun = performance.now()
      await listAuditLog(database, { ...NEWEST, where: [], ...part })
      answers.push({ name: `${name}, of ${ENTRIES}`, ms: performance.now() - begun, goalMs: GOAL_MS })
    }
    return answers
  } finally {
    await stop()
  }
}

const ENTRIES_OF_A_YEAR = `
  with instances as (select array_agg(id order by id) as ids from instance), places as (select array_agg(id order by id) as ids from host)
  insert into audit_entry (at, who, request, reason, action, hosts, instance_id, data, origin)
  select now() - (($1::int - n) * interval '31 seconds'), 'person-' || n % 200, 'r-' || n, 'ticket ' || n,
    case when n % 50 = 0 then 'request.refused' else 'action-' || n % 31 || '.done' end,
    array[places.ids[1 + n % ${HOSTS}]], instances.ids[1 + n % array_length(instances.ids, 1)],
    jsonb_build_object('before', n, 'after', n + 1), jsonb_build_object('role', 'operator', 'address', '10.0.0.' || n % 200)
  from generate_series($2::int, $3::int) n, instances, places`
