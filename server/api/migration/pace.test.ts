import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { commit } from '../../store/commit/commit'
import { readInstanceView } from '../../store/migration/view'
import { noteSurvey } from '../../store/survey/survey'
import { readServerSessions, renewServerSession } from '../../store/task/server-session'
import { build, migrationOf, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// Views of a migration besides its state: step durations of earlier ones, reports of each source, and periods with a
// server. The history consists of copies of one ended migration.

const api = onFreshDatabase(openTestApi)
let migration = ''
let hosts: readonly { id: string }[] = []
const SECOND = 1000

beforeAll(async () => {
  const { database } = api
  const put = [await putHost(database, smallHost({ n: 1 })), await putHost(database, smallHost({ n: 2 }))]
  const view = await readInstanceView(database, await build(database, put[0]!.id))
  const begun = migrationOf(view!.instance, put[1]!)
  await commit(database, begun.change)
  migration = begun.migration.id
  hosts = put
  await database.pool.query(
    "update migration set target = $2, step_since = now() - interval '1 minute' where id = $1",
    [...[migration, put[1]!.id]],
  )
  await api.settle()
})

/** Ended migrations, each with this duration of the step in seconds; a `result` other than done does not count. */
async function past(
  seconds: readonly number[],
  { elsewhere = false, result = 'done', step = null as string | null, window = null as number | null } = {},
): Promise<void> {
  await api.database.pool.query(
    `with one as (select m.*, s.n, s.took, gen_random_uuid() as new_id from migration m,
         unnest($2::float8[]) with ordinality as s(took, n) where m.id = $1),
       made as (insert into migration select (jsonb_populate_record(null::migration, to_jsonb(one) || jsonb_build_object(
         'id', new_id, 'instance_id', gen_random_uuid(), 'step', 'ended', 'outcome', 'completed', 'waiting', null,
         'target', case when $3 then gen_random_uuid() else one.target end, 'confirm_window_ms', $6::bigint,
         'ended_at', now()))).* from one returning id)
     insert into migration_step (migration_id, seq, step, direction, started_at, ended_at, result)
     select one.new_id, 1, coalesce($5, one.step), one.direction, now() - one.took * interval '1 second', now(), $4 from one`,
    [migration, seconds, elsewhere, result, step, window],
  )
}
const readMigration = async () =>
  (await api.as('viewer').migration.byId({ id: migration })) as { pace: unknown; overdueAt: number | null }
/** That the hosts were never surveyed, and that nothing audits here, is irrelevant to these tests. */
const urgent = async () =>
  (await api.as('viewer').overview.get()).attention.filter(({ migration }) => migration !== null)
const overdue = async () => (await api.as('viewer').migration.counts()).overdue

describe('the baseline of a step', () => {
  test('is unknown without earlier migrations', async () => {
    await past([1, 2, 3, 4], { elsewhere: true })
    await past(Array(20).fill(1), { result: 'failed' })
    expect(await readMigration()).toMatchObject({ pace: null, overdueAt: null })
    expect(await overdue()).toBe(0)
  })

  test('uses all hosts while too few migrations ran between these two', async () => {
    await past([5], { elsewhere: true })
    await past([10_000]) // far longer than these tests may take, so that the migration is not overdue by it
    const { pace } = await readMigration()
    // Of 1, 2, 3, 4, 5 and 10,000 s: a quarter of the way from the fifth to the sixth.
    expect(pace).toMatchObject({ scope: 'step', samples: 6, pairSamples: 1, p50Ms: 3.5 * SECOND })
    expect((pace as { p95Ms: number }).p95Ms).toBeCloseTo((5 + 9_995 * 0.75) * SECOND, -1)
    expect(await overdue()).toBe(0)
  })

  test('uses the pair of hosts as soon as it has enough, and makes the migration overdue', async () => {
    await api.database.pool.query("delete from migration_step where ended_at - started_at > interval '50 seconds'")
    await past([10, 10, 10, 10, 10])
    const { pace, overdueAt } = await readMigration()
    expect(pace).toMatchObject({ scope: 'pair', samples: 5, pairSamples: 5, p95Ms: 10 * SECOND })
    expect(overdueAt).toBeLessThan(Date.now())
    expect(await overdue()).toBe(1)
    const listed = await api.as('viewer').migration.list({ view: 'overdue' })
    expect(listed.rows.map(({ id }) => id)).toEqual([migration])
  })

  test('puts overdue migrations on the overview and in the counts', async () => {
    expect(await urgent()).toMatchObject([{ kind: 'overdue', migration, step: 'claim', count: 1 }])
    expect(await api.as('viewer').migration.counts()).toMatchObject({ overdue: 1, notConverging: 0 })
  })

  test('is not needed to call a transfer not converging', async () => {
    const progress = {
      totalBytes: 9,
      remainingBytes: 9,
      iteration: 3,
      downtimeMs: null,
      postCopy: false,
      at: Date.now(),
    }
    const transfer = (dirtyBytesPerS: number) =>
      api.database.pool.query("update migration set step = 'transfer', progress = $2 where id = $1", [
        ...[migration, { ...progress, dirtyBytesPerS, bandwidthBytesPerS: 1_000 }],
      ])
    const named = async () => {
      const where = [{ key: 'state', any: ['not-converging'], not: false }]
      const { rows } = await api.as('viewer').migration.list({ view: 'flight', where } as never)
      return rows.map(({ id, notConverging }) => [id, notConverging])
    }
    await transfer(999)
    expect(await named()).toEqual([])
    expect(await urgent()).toEqual([])
    await transfer(1_000)
    expect(await named()).toEqual([[migration, true]])
    expect(await api.as('viewer').migration.counts()).toMatchObject({ notConverging: 1 })
    expect(await urgent()).toMatchObject([{ kind: 'not-converging', migration, count: 1 }])
    await api.database.pool.query("update migration set step = 'claim', progress = null where id = $1", [migration])
  })

  test('is summarized by step, in total and over time', async () => {
    const { range, rows } = await api.as('viewer').migration.stepTimes()
    expect(range).not.toBeNull()
    expect(rows).toHaveLength(1)
    const [row] = rows
    expect(row?.samples).toBe(10)
    expect(row?.buckets.reduce((sum, { samples }) => sum + samples, 0)).toBe(10)
  })

  test('leaves out migrations that confirm themselves', async () => {
    const verify = async () =>
      (await api.as('viewer').migration.stepTimes()).rows.find(({ step }) => step === 'verify')?.samples
    await past([1, 1, 1, 1, 1], { step: 'verify', window: 0 })
    expect(await verify()).toBeUndefined()
    await past([30, 40], { step: 'verify' })
    await past([50], { step: 'verify', window: 60 * SECOND })
    expect(await verify()).toBe(3)
  })
})

test('records, allocations and both hypervisors report where the instance is, or that they are silent', async () => {
  const at = Date.now() - 5 * SECOND
  const [source, target] = hosts.map(({ id }) => id)
  const { instance } = await api.as('viewer').migration.byId({ id: migration })
  const domain = { instance: instance.id, migration: null, observedState: 'running', claim: null }
  await noteSurvey(api.database, [
    { host: source, at, guests: [domain] },
    { host: target, at, guests: null },
  ] as never)
  const facts = await api.as('viewer').migration.facts({ id: migration })
  const of = (from: string) => facts.filter((fact) => fact.source === from)
  expect(of('records')).toEqual([expect.objectContaining({ side: 'source', says: expect.stringMatching(/, on h1$/) })])
  expect(of('allocations').map(({ says }) => says)).toEqual([expect.stringMatching(/held by the instance$/), 'nothing'])
  expect(of('hypervisor')).toEqual([
    expect.objectContaining({ side: 'source', says: 'runs here', at, answered: true }),
    expect.objectContaining({ side: 'target', says: 'never answered', at: null, answered: false }),
  ])
})

test.each([
  ['2.2 GiB of 13 GiB left', 2250, 13_312],
  ['1 MiB of 1 GiB left', 0.2, 1024],
  ['0 MiB of 512 MiB left', 0, 512],
])('a transfer reports %s', async (says, remainingMib, totalMib) => {
  const bytes = { totalBytes: totalMib * 2 ** 20, remainingBytes: Math.ceil(remainingMib * 2 ** 20) }
  const rates = { dirtyBytesPerS: 1, bandwidthBytesPerS: 1_000 }
  const progress = { ...bytes, ...rates, iteration: 1, downtimeMs: null, postCopy: false, at: Date.now() }
  await api.database.pool.query('update migration set progress = $2 where id = $1', [migration, progress])
  const facts = await api.as('viewer').migration.facts({ id: migration })
  expect(facts.find(({ source }) => source === 'transfer')?.says).toBe(says)
})

test('a server that was silent begins a new session', async () => {
  const beat = (at: number) => renewServerSession(api.database, { owner: 'one', at, silenceMs: 6 * SECOND })
  const start = Date.UTC(2026, 0, 1)
  for (const s of [0, 2, 4, 6, 30, 32]) await beat(start + s * SECOND)
  const sessions = await readServerSessions(api.database, { from: start + 10 * SECOND, to: start + 60 * SECOND })
  expect(sessions).toEqual([
    { from: start, seen: start + 6 * SECOND },
    { from: start + 30 * SECOND, seen: start + 32 * SECOND },
  ])
})

test('a migration shows when no server ran it', async () => {
  await api.database.pool.query("update migration set created_at = now() - interval '1 minute' where id = $1", [
    migration,
  ])
  const { startedAt } = await api.as('viewer').migration.byId({ id: migration })
  const beat = (owner: string, at: number) => renewServerSession(api.database, { owner, at, silenceMs: 6 * SECOND })
  // One server runs until a second after the migration began; another starts much later, and never ends.
  for (const s of [-1, 0, 1]) await beat('two', startedAt + s * SECOND)
  await beat('three', startedAt + 20 * SECOND)
  await api.database.pool.query("update server_session set seen_at = now() + interval '1 day' where owner = 'three'")
  const { unattended } = await api.as('viewer').migration.byId({ id: migration })
  expect(unattended).toEqual([{ from: startedAt + SECOND, to: startedAt + 20 * SECOND }])
})
