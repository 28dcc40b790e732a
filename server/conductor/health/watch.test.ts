import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { type HealthCheckName, healthChecks } from '../../engine/health/checks'
import { smallHost } from '../../engine/testing/hosts'
import { commit } from '../../store/commit/commit'
import { connectDatabase } from '../../store/database/database'
import { relayOnce, startRelay } from '../../store/event/relay'
import { nextAuditNumber, recordAudit } from '../../store/finding/finding'
import { readHealth } from '../../store/health/read'
import { noteSurvey } from '../../store/survey/survey'
import { changeOf, putHost } from '../../store/testing/records'
import { type PeriodicTask, type RunningTask, startPeriodicTask } from '../periodic-task'
import { startServerSession } from '../server-session'
import { HEALTH_LIMITS, type HealthWatch, startHealthWatch } from './watch'

// Damages or stops each watched part with SQL: exactly its own check reports it, and a running server repairs it
// without intervention.

const INTERVAL_MS = 60_000
const NOW = 'clock_timestamp()'
const OWNER = 'this server'
const database = onFreshDatabase(connectDatabase)
const changes: string[] = []

beforeAll(async () => {
  await putHost(database, smallHost({ n: 1 }))
  await sql(`update host set created_at = 'epoch'`)
})
beforeEach(async () => {
  while ((await relayOnce(database)) > 0);
  await sql('delete from lease')
  await sql('delete from server_session')
  for (const name of ['survey', 'audit']) {
    await sql(
      `insert into lease (name, owner, until, every_ms, began_at, ended_at)
       values ($1, 'dead', clock_timestamp() + interval '1 second', ${INTERVAL_MS}, clock_timestamp(), clock_timestamp())`,
      [name],
    )
  }
  await audit()
  await survey()
  expect(await failing()).toEqual([])
})

const sql = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])
const fail = (what: unknown, error?: unknown) => {
  throw new Error(String(what), { cause: error })
}

async function audit(): Promise<void> {
  const sequence = await nextAuditNumber(database)
  const empty = { tookMs: 1, cold: true, hosts: 0, instances: 0, findings: [] }
  await recordAudit(database, { sequence, at: Date.now(), ...empty })
}

async function survey(): Promise<void> {
  const { rows } = await sql('select id from host')
  await noteSurvey(
    database,
    rows.map(({ id }) => ({ host: id, at: Date.now(), guests: [] })),
  )
}

const TASKS: readonly PeriodicTask[] = [
  { name: 'survey', everyMs: INTERVAL_MS, round: survey },
  { name: 'audit', everyMs: INTERVAL_MS, round: audit },
]

async function failing(): Promise<HealthCheckName[]> {
  const facts = await readHealth(database, { surveyEveryMs: INTERVAL_MS })
  const checks = healthChecks(facts, { expected: TASKS, limits: HEALTH_LIMITS })
  for (const { ok, why } of checks) expect(why === null).toBe(ok)
  return checks.flatMap(({ name, ok }) => (ok ? [] : [name]))
}

/** The involved parts of a server that has just started. */
async function withServer(work: (watch: HealthWatch) => Promise<void>): Promise<void> {
  const relay = startRelay(database, fail)
  const session = startServerSession({
    database,
    owner: OWNER,
    clockOffsetMs: () => 0,
    replicaFailure: () => null,
    onError: fail,
  })
  const tasks: RunningTask[] = TASKS.map((task) => startPeriodicTask({ database, owner: OWNER, onError: fail }, task))
  const watch = startHealthWatch({
    ...{ database, owner: OWNER, tasks, surveyEveryMs: INTERVAL_MS, everyMs: 50, survey },
    onChange: ({ name, ok }) => void changes.push(`${name} ${ok}`),
    onError: fail,
  })
  try {
    await work(watch)
  } finally {
    await watch.stop()
    for (const { stop } of tasks) await stop()
    await session.stop()
    await relay.stop()
  }
}

/** Another server with a recent heartbeat. */
const beat = (upMs: number) =>
  sql(`insert into server_session (owner, started_at, seen_at) values ($1, ${NOW} - $2 * interval '1 ms', ${NOW})`, [
    `up ${upMs}`,
    upMs,
  ])

const HOUR = "interval '1 hour'"
const DAMAGES: readonly (readonly [what: string, damage: string, checks: readonly HealthCheckName[]])[] = [
  ['the row of the relay is deleted', 'delete from relay', ['relay']],
  ['the sequence of the relay is set back', 'update relay set last = 0', ['relay']],
  ['an event has no number for an hour', `update outbox set at = ${NOW} - ${HOUR}`, ['outbox']],
  [
    'a task has not run for an hour',
    `update lease set began_at = ${NOW} - ${HOUR}, ended_at = null where name = 'audit'`,
    ['tasks'],
  ],
  [
    'a task began in the future',
    `update lease set began_at = ${NOW} + ${HOUR}, ended_at = null where name = 'audit'`,
    ['tasks'],
  ],
  [
    'a task hangs on a live server',
    `update lease set began_at = ${NOW} - ${HOUR}, ended_at = ${NOW} - 2 * ${HOUR} where name = 'audit'`,
    ['tasks'],
  ],
  [
    'a task fails every time',
    `update lease set ended_at = ${NOW} - ${HOUR}, failed_at = ${NOW}, error = 'no' where name = 'survey'`,
    ['tasks'],
  ],
  ['a lease of a task lasts a day', `update lease set until = ${NOW} + interval '1 day'`, ['leases']],
  [
    'a lease of a task that did not run lasts a day',
    `update lease set until = ${NOW} + interval '1 day', began_at = ${NOW} - ${HOUR}, ended_at = null`,
    ['tasks', 'leases'],
  ],
  ['the last audit is old', `update standing_audit set at = ${NOW} - ${HOUR}`, ['audit']],
  ['the last audit has a time in the future', `update standing_audit set at = ${NOW} + ${HOUR}`, ['audit']],
  ['a survey is an hour old', `update host_survey set asked_at = ${NOW} - ${HOUR}`, ['survey']],
  ['a survey has a time in the future', `update host_survey set asked_at = ${NOW} + ${HOUR}`, ['survey']],
  ['a host was never surveyed', 'delete from host_survey', ['survey']],
]

describe('the health watch', () => {
  test.each(DAMAGES)('reports exactly the damage when %s, and a server repairs it', async (_, damage, checks) => {
    await commit(database, changeOf([]))
    if (checks[0] !== 'outbox') while ((await relayOnce(database)) > 0);
    expect((await sql(damage)).rowCount).toBeGreaterThan(0)
    expect(await failing()).toEqual(checks)
    // Beside a server with a long uptime, so that a recent start excuses no check.
    await beat(10 * INTERVAL_MS)
    expect(await failing()).toEqual(checks)
    await withServer(() => expect.poll(failing).toEqual([]))
  })

  test('names a server whose clock is wrong, until it is right', async () => {
    await sql(
      `insert into server_session (owner, started_at, seen_at, clock_offset_ms)
       values ('ahead', ${NOW}, ${NOW}, 3600000), ('behind', ${NOW}, ${NOW}, -2001), ('fine', ${NOW}, ${NOW}, 1999),
         ('gone', 'epoch', 'epoch', 3600000)`,
    )
    expect(await failing()).toEqual(['clock'])
    const facts = await readHealth(database, { surveyEveryMs: INTERVAL_MS })
    const why = healthChecks(facts, { expected: [], limits: HEALTH_LIMITS }).find(({ name }) => name === 'clock')?.why
    expect(why).toContain('ahead is 60 min ahead')
    expect(why).toContain('behind is 2 s behind')
    expect(why).not.toMatch(/fine|gone/)
    await sql('update server_session set clock_offset_ms = 0')
    expect(await failing()).toEqual([])
  })

  test('reports once that a check fails, and once that it passes again', async () => {
    changes.length = 0
    await sql(
      `insert into server_session (owner, started_at, seen_at, clock_offset_ms) values ('off', ${NOW}, ${NOW} + interval '1 second', 9000)`,
    )
    await withServer(async (watch) => {
      await expect.poll(() => changes).toEqual(['clock false'])
      expect(watch.last()?.checks.filter(({ ok }) => !ok)).toHaveLength(1)
      await sql(`delete from server_session where owner = 'off'`)
      await expect.poll(() => changes).toEqual(['clock false', 'clock true'])
    })
  })

  test('gives a fresh server time before it reports tasks, audit and survey as late', async () => {
    await sql('delete from lease')
    await sql('update standing_audit set at = null')
    await sql('delete from host_survey')
    await beat(1_000)
    expect(await failing()).toEqual([])
    await beat(10 * INTERVAL_MS)
    expect(await failing()).toEqual(['tasks', 'audit', 'survey'])
  })
})
