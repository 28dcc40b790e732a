import { randomUUID } from 'node:crypto'
import type { Endpoints } from '../../api/http/endpoints'
import { connectDatabase, type Database } from '../../store/database/database'
import { createToken } from '../../store/placement/token'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import { type Berth, start } from '../../wiring'
import { CLOUD_ID } from './inputs'
import { call, queryResult, signIn, type Visitor } from './visitor'

// A small demo fleet with rows in every table: running and waiting migrations, a drain, a rollout, findings and
// repairs, users, tokens, saved views and history. Most rows are made through the console's API, the rest with SQL.
// Made once; each batch gets a copy.

const PASSWORD = 'corruption-generator-1'
const TOKEN = 'corruption-generator-token'
const FLEET = '8x30'
const SPEED = '200' // times as fast as real hosts

export interface RunningServer {
  readonly berth: Berth
  readonly visitor: Visitor
}

/** Starts a server on that database and signs an admin in. Throws if the server does not start. */
export async function startOn(url: string, cookie?: string): Promise<RunningServer> {
  Object.assign(process.env, { BERTH_DEMO: FLEET, SIMULATOR_SPEED: SPEED, BERTH_ADMIN_PASSWORD: PASSWORD })
  process.env.BERTH_LOG ||= 'silent'
  const berth = await start({ databaseUrl: url, log: () => {} })
  const endpoints = berth.endpoints as Endpoints
  return { berth, visitor: { endpoints, token: TOKEN, cookie: cookie ?? (await signIn(endpoints, PASSWORD)) } }
}

/** Fills an empty, migrated database and returns the admin's session cookie. No server runs on it afterwards. */
export async function fillTables(url: string): Promise<string> {
  const database = connectDatabase({ url, connections: 2 })
  const { berth, visitor } = await startOn(url)
  try {
    await work(visitor, database).finally(() => berth.stop())
    await restOfRows(database)
    return visitor.cookie
  } finally {
    await database.close()
  }
}

const reason = 'corruption generator'
type Rows<T> = { readonly rows: readonly T[] }
/** When each rule was last changed; null: never. */
interface RulesNow {
  readonly changed: Readonly<Record<string, { readonly at: number } | null>>
}
type NamedRow = { readonly id: string; readonly name: string }

async function work(visitor: Visitor, database: Database): Promise<void> {
  const hosts = ((await queryResult(visitor, 'host.list', {})) as Rows<NamedRow>).rows
  const instances = (
    (await queryResult(visitor, 'instance.list', { where: [{ key: 'migrating', any: ['no'] }] })) as Rows<NamedRow>
  ).rows
  const host = (nth: number) => hosts[nth % hosts.length] as NamedRow
  await call(visitor, 'finding.audit')
  await call(visitor, 'view.save', { name: 'mine', path: '/hosts', query: '?q=std', shared: true })
  await call(visitor, 'user.create', {
    username: 'olga',
    name: 'Olga',
    email: 'olga@localhost.invalid',
    password: `${PASSWORD}-olga`,
    role: 'operator',
  })
  const rules = { policy: 'spread', confirmWindowMs: CONFIRM_WINDOW_MS, secondPerson: ['lost'] }
  const { changed } = (await queryResult(visitor, 'setting.rules')) as RulesNow
  const times = Object.keys(rules).flatMap((rule) => changed[rule]?.at ?? [])
  await call(visitor, 'setting.setRules', { ...rules, readAt: times.length > 0 ? Math.max(...times) : null, reason })
  await call(visitor, 'finding.setRule', { kind: 'stray-allocation', on: false, dailyCap: 5, reason })
  await call(visitor, 'proposal.create', { host: host(1).id, status: 'lost', reason })
  await call(visitor, 'layout.dryRun')
  for (const { id } of instances.slice(0, 6)) {
    await call(visitor, 'migrate.start', { instance: id, operation: 'cold-migrate', reason }).catch(() => null)
  }
  const { run } = (await call(visitor, 'run.plan', {
    ...{ kind: 'drain', host: host(2).id, fallback: 'stay', helpers: false, reason },
  })) as { run: string }
  await call(visitor, 'run.start', { id: run, reason })
  await call(visitor, 'run.control', { id: run, do: 'pause' })
  const wave = (await call(visitor, 'layout.startRollout', { hosts: [host(3).id], reason })) as { wave: string }
  await call(visitor, 'layout.control', { wave: wave.wave, do: 'pause' }).catch(() => null)
  await untilAtRest(database)
  const answer = await queryResult(visitor, 'migration.list', { view: 'waiting', operation: ['cold-migrate'] })
  const ids = (answer as Rows<{ id: string }>).rows.map(({ id }) => id)
  await call(visitor, 'migration.requestAction', { ids: ids.slice(0, 3), requestedAction: 'confirm', reason })
  await untilAtRest(database)
  await spoil(database)
  await call(visitor, 'finding.audit')
  const found = ((await queryResult(visitor, 'finding.list', {})) as Rows<{ id: string; kind: string }>).rows
  const wrong = found.filter(({ kind }) => kind === 'amount-wrong' || kind === 'stray-allocation').map(({ id }) => id)
  const { plan } = (await call(visitor, 'heal.plan', { findings: wrong })) as { plan: string }
  await call(visitor, 'heal.applyParts', { id: plan, parts: [1], reason })
}

const WAIT_MS = 60_000
/** Longer than the longest run, so that no migration is confirmed automatically while rows are tried. */
const CONFIRM_WINDOW_MS = 24 * 60 * 60_000
const QUIET_PERIOD_MS = 1_500

/** Waits until no migration makes progress, so that anything lost afterwards was lost to a corruption. */
async function untilAtRest({ pool }: Database): Promise<void> {
  const until = Date.now() + WAIT_MS
  let last = ''
  let since = Date.now()
  while (Date.now() < until) {
    const { rows } = await pool.query<{ steps: string }>(
      "select string_agg(concat_ws(' ', id, step, direction, outcome), ',' order by id) as steps from migration",
    )
    const steps = rows[0]?.steps ?? ''
    if (steps !== last) since = Date.now()
    last = steps
    if (Date.now() - since >= QUIET_PERIOD_MS) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The migrations did not come to rest in time.')
}

/** Changes rows as a database client does, so that there are findings. */
async function spoil({ pool }: Database): Promise<void> {
  await pool.query(`update allocation a set amount = amount + 1 where (consumer_id, provider_id, resource_class) in (
    select a.consumer_id, a.provider_id, a.resource_class from allocation a join claim k on k.consumer_id = a.consumer_id
    where a.resource_class = 'VCPU' and k.consumer_kind = 'instance'
      and not exists (select 1 from migration m where m.instance_id = k.instance_id)
    order by a.consumer_id limit 2)`)
}

/** Rows of rare events: leftovers on a host that is down, a replanned run, a failed fencing. */
async function restOfRows(database: Database): Promise<void> {
  const token = { id: randomUUID(), name: 'generator', role: 'admin', project: '', token: TOKEN, expiresAt: null }
  await createToken(database, { ...token, ...TEST_ATTRIBUTION })
  for (const sql of SELDOM) await database.pool.query(sql)
}

const SELDOM = [
  `insert into audit_seal (first, last, entries, previous, hash, at)
    select min(id), max(id), count(*), '', audit_digest(min(id), max(id), ''), now() from audit_entry
    where not exists (select 1 from audit_seal) having count(*) > 0`,
  `insert into host_remain (host_id, instance_id, migration_id, side, since)
    select h.id, m.instance_id, m.id, 'source', now() from migration m join host h on h.id = m.source
    where m.outcome is not null and h.id <> m.target limit 1`,
  `update host set status = 'down', reason = 'for the generator' where id in (select host_id from host_remain)`,
  `insert into instance_group (id, name, policy, max_per_host) values (gen_random_uuid(), 'pair', 'anti-affinity', 1)`,
  `insert into domain_record (instance, version, record) select id, 1, jsonb_build_object('instance', id, 'generation', 1,
    'fences', jsonb_build_array(), 'xml', '<domain/>', 'startedAt', null, 'transfer', null) from instance order by id limit 1`,
  `update instance set group_id = (select id from instance_group limit 1) where id = (
    select id from instance i where not exists (select 1 from migration m where m.instance_id = i.id) order by name limit 1)`,
  `insert into auth_verification (id, identifier, value, expires_at)
    values ('v1', 'generator', 'x', now() + interval '1 hour')`,
  `insert into auth_two_factor (id, user_id, secret, backup_codes) select 't1', id, 'x', 'x' from auth_user limit 1`,
  `insert into auth_passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up)
     select 'k1', 'phone', 'x', id, 'c1', 0, 'multiDevice', true from auth_user limit 1`,
  `insert into auth_rate_limit (id, key, count, last_request) values ('r1', 'generator', 1, 0)`,
  `insert into run_diff (run_id, version, at, because, lines) select id, 2, now(), 'a host changed', '[]' from run limit 1`,
  `insert into past_cell (claim_id, cell, since, until)
    select claim_id, to_jsonb(c) - 'claim_id' - 'since', since, now() from claim_cell c limit 1`,
  `insert into past_unit (claim_id, unit_id, use, request_id, since, until)
    select claim_id, unit_id, use, request_id, since, now() from unit_holding limit 1`,
  `insert into cloud (id, name, settings, secret, enabled, added_at) values ('${CLOUD_ID}', 'generator',
    jsonb_build_object('name', 'generator', 'authUrl', 'http://127.0.0.1:1/v3', 'credential', jsonb_build_object('kind',
      'token', 'scope', jsonb_build_object('kind', 'none')), 'region', null, 'interface', 'public', 'tls',
      jsonb_build_object('verify', true, 'caPem', null), 'endpoints', jsonb_build_object('compute', null, 'placement', null),
      'deadlineMs', 1000), '\\x00', false, now())`,
  `insert into cloud_part (cloud_id, part, version, body) select id, 'status', 1, '\\x00' from cloud`,
  `insert into alarm (id, kind, subject, name, severity, says, raised_at, seen_at, ended_at)
    values (gen_random_uuid(), 'audit-late', 'audit', 'Berth', 'warning', 'for the generator', now(), now(), now())`,
  `insert into alarm_mute (id, kind, subject, until, "by", reason, at)
    values (gen_random_uuid(), 'audit-late', null, now() + interval '1 day', 'generator', 'a test', now())`,
  `insert into alarm_delivery (id, alarm_id, event, channel, body, made_at, next_at, sent_at)
    values (gen_random_uuid(), null, 'test', 'webhook', '{}', now(), now(), now())`,
  `insert into cloud_action (id, cloud_id, verb, subject, name, followed, state, who, reason, asked_at, ended_at)
    select gen_random_uuid(), id, 'disable', 'cmp1', 'cmp1', '{}', 'done', 'generator', 'a test', now(), now() from cloud`,
  `insert into cloud_drain (id, cloud_id, host, cold, most, state, says, who, reason, started_at, ended_at)
    select gen_random_uuid(), id, 'cmp1', false, 1, 'stopped', 'for the generator', 'generator', 'a test', now(), now() from cloud`,
  `insert into cloud_fence (cloud_id, host, since, who, at) select id, 'cmp1', 0, 'generator', now() from cloud`,
  `insert into fencing (id, host_id, method, state, who, reason, request, asked_at, deadline_at, orders, accepted, log, ended_at)
    select gen_random_uuid(), id, 'redfish', 'failed', 'generator', 'a test', 'r', now(), now(), 1, true,
      '[{"at": 0, "says": "power state On"}]', now() from host limit 1`,
  `insert into consumer (id, type, owner_kind, owner_name, swapped_from, swapped_at)
    values (gen_random_uuid(), 'unknown', 'token', 'nova', gen_random_uuid(), now())`,
  `insert into outbox (kind, hosts, data, raised, who, at) values ('generator.made', '{}', '{}', '{}', 'generator', now())`,
]

/** Tables without a row. */
export async function emptyTables({ pool }: Database, tables: readonly string[]): Promise<readonly string[]> {
  const counted = tables.map((table) => `select '${table}' as name, exists (select 1 from "${table}") as filled`)
  const { rows } = await pool.query<{ name: string; filled: boolean }>(counted.join(' union all '))
  return rows.filter(({ filled }) => !filled).map(({ name }) => name)
}
