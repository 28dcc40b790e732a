import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Audit, makeAudit } from '../audit/audit'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { smallHost } from '../engine/testing/hosts'
import type { HostId, InstanceId } from '../engine/words/ids'
import { ProviderForest } from '../fleet/candidates-forest'
import { openFleet } from '../fleet/testing/open-fleet'
import { connectDatabase } from '../store/database/database'
import { putHealRule, readHealRules } from '../store/heal/rule'
import { noteSurvey } from '../store/survey/survey'
import { ACTOR, build, newMigrationId, putHost } from '../store/testing/records'
import { periodicAudit } from './periodic-audit'

// Nothing is repaired automatically unless an operator enabled that rule, and never more a day than it allows.

const DAY_MS = 24 * 3600_000
const database = onFreshDatabase(connectDatabase)
let open: Awaited<ReturnType<typeof openFleet>>
let forest: ProviderForest
let audit: Audit
let host: HostId
let web: InstanceId
let now = Date.UTC(2026, 10, 21, 12)
let n = 0
beforeAll(async () => {
  open = await openFleet(database)
  forest = new ProviderForest(database)
  audit = openAudit()
})
afterAll(() => open.stop())
beforeEach(async () => {
  await sql(`delete from allocation where consumer_id in (select id from consumer where type = 'MIGRATION')`)
  await sql(`delete from consumer where type = 'MIGRATION'`)
  await sql('delete from heal_rule')
  host = (await putHost(database, smallHost({ n: ++n }))).id
  web = await build(database, host)
  await sql(`update instance set vm_state = 'active' where id = $1`, [web])
  await recordSurveys()
})

const openAudit = () => makeAudit({ database, fleet: open.fleet, forest, demand: async () => ({}), now: () => now })
const sql = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])
const round = async () => {
  now += 60_000
  await open.settle()
  await periodicAudit({ database, ...audit, now: () => now }).round(new AbortController().signal)
}
const kinds = async () => (await sql('select kind from finding where closed_at is null')).rows.map(({ kind }) => kind)
const rule = (on: boolean, dailyCap: number) =>
  putHealRule(database, { kind: 'stray-allocation', on, dailyCap, actor: { ...ACTOR, who: 'anna' }, at: now })

/** Both surveys show the existing domain and no other. */
async function recordSurveys(): Promise<void> {
  for (const domains of [1, 2].map(
    () => [{ instance: web, migration: null, observedState: 'running', claim: null }] as const,
  )) {
    now += 1_000
    await noteSurvey(database, [{ host, at: now, guests: domains }])
  }
}

async function strayAllocation(): Promise<void> {
  const id = newMigrationId()
  await sql(`insert into consumer (id, type, owner_kind) values ($1, 'MIGRATION', 'berth')`, [id])
  await sql(
    `insert into allocation (consumer_id, provider_id, resource_class, amount) values ($1, $2, 'MEMORY_MB', 64)`,
    [id, host],
  )
}

describe('the periodic audit', () => {
  test('finds but does not repair while no rule is on', async () => {
    await strayAllocation()
    await round()
    expect(await kinds()).toEqual(['stray-allocation'])
    await rule(false, 10)
    await round()
    expect(await kinds()).toEqual(['stray-allocation'])
  })

  test('repairs what the rule allows, up to its daily cap, and continues the next day', async () => {
    await rule(true, 2)
    for (const _ of [1, 2, 3]) await strayAllocation()
    await round()
    expect(await kinds()).toEqual(['stray-allocation'])
    await round()
    expect(await kinds(), 'the cap is reached').toEqual(['stray-allocation'])
    expect(await readHealRules(database, now)).toMatchObject([{ usedToday: 2 }])
    const drafts = (await sql(`select count(*)::int from heal_plan where state = 'draft'`)).rows[0].count
    expect(drafts, 'no plan is made that may not be applied').toBe(0)
    now += DAY_MS
    await round()
    expect(await kinds()).toEqual([])
  })

  test('records the rule and the admin who enabled it', async () => {
    await rule(true, 5)
    await strayAllocation()
    await round()
    const { rows } = await sql(
      `select who, reason, request from audit_entry where action = 'heal.applied' order by id desc limit 1`,
    )
    expect(rows[0]).toEqual({
      who: 'rule stray-allocation',
      reason: 'switched on by anna',
      request: expect.any(String),
    })
    const [plan] = (await sql('select id, state, verified_left from heal_plan order by made_at desc limit 1')).rows
    expect(plan).toEqual({ id: rows[0].request, state: 'applied', verified_left: 0 })
  })

  test('skips a finding that only a silent host could disprove', async () => {
    await rule(true, 5)
    await strayAllocation()
    now += 1_000
    await noteSurvey(database, [{ host, at: now, guests: null }])
    await round()
    expect(await kinds()).toEqual(['stray-allocation'])
    expect(await readHealRules(database, now)).toMatchObject([{ usedToday: 0 }])
  })

  test('shares one cap between two servers', async () => {
    await rule(true, 3)
    for (let each = 0; each < 5; each++) await strayAllocation()
    const both = [audit, openAudit()].map((of) =>
      periodicAudit({ database, ...of, now: () => now }).round(new AbortController().signal),
    )
    await Promise.all(both)
    expect((await readHealRules(database, now))[0]?.usedToday).toBe(3)
    const left = (await sql(`select count(*)::int from consumer where type = 'MIGRATION'`)).rows[0].count
    expect(left).toBeGreaterThanOrEqual(2)
  })
})
