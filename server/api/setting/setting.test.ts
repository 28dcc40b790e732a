import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../boot/test-database'
import type { MoveRules } from '../../engine/move-rules'
import { putSetting } from '../../store/catalog/policy'
import { openTestApi, type TestApi } from '../testing/api'

// The rules of moves: read by all, changed by admins, and never over somebody else's change.

let fresh: FreshDatabase
let api: TestApi

beforeAll(async () => {
  fresh = await freshDatabase()
  api = await openTestApi(fresh.url)
})
afterAll(async () => {
  await api.close()
  await fresh.drop()
})

const USUAL: MoveRules = {
  policy: 'spread',
  limits: { perSource: 2, perTarget: 2, fleet: 64 },
  confirmWindowMs: null,
  secondPerson: [],
  foreignInstances: 'refuse',
}
const CHANGED: MoveRules = {
  policy: 'pack',
  limits: { perSource: 1, perTarget: 3, fleet: 12 },
  confirmWindowMs: 600_000,
  secondPerson: ['gone', 'heal', 'release'],
  foreignInstances: 'allow',
}
const rules = () => api.as('viewer').setting.rules()
const trail = () =>
  api.database.pool.query(`select who, reason, data from audit_entry where action = 'setting.changed' order by id`)

test('rules are the usual ones until an admin changes them, with the reason in the trail', async () => {
  const bounds = expect.objectContaining({ perHost: 100 })
  const mayNot = expect.objectContaining({ ok: false })
  expect(await rules()).toEqual({ ...USUAL, bounds, by: null, at: null, permit: mayNot })
  const now = await api.as('admin').setting.setRules({ ...CHANGED, readAt: null, reason: 'quiet night' })
  expect(now).toEqual({ ...CHANGED, bounds, by: 'the_admin', at: expect.any(Number), permit: { ok: true } })
  expect(await rules()).toMatchObject(CHANGED)
  const { rows } = await trail()
  expect(rows).toEqual([
    { who: 'the_admin', reason: 'quiet night', data: expect.objectContaining({ was: USUAL, now: CHANGED }) },
  ])
})

test('whoever read them before somebody else changed them changes nothing, and is told by whom', async () => {
  const { at } = await rules()
  const late = api.as('admin').setting.setRules({ ...USUAL, readAt: null, reason: 'as they were' })
  await expect(late).rejects.toThrow(/what the_admin set found/)
  expect(await rules()).toMatchObject({ ...CHANGED, at })
  expect((await trail()).rows).toHaveLength(1)
})

test('of two at once one is first', async () => {
  const { at } = await rules()
  const tries = [USUAL, CHANGED].map((wanted) =>
    api.as('admin').setting.setRules({ ...wanted, readAt: at, reason: 'both at once' }),
  )
  const ends = await Promise.allSettled(tries)
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('what a script wrote counts where it makes sense', async () => {
  await expect(putSetting(api.database, 'policy', 'tallest')).rejects.toThrow(/setting_value_known/)
  await putSetting(api.database, 'limits', { fleet: 7 })
  await putSetting(api.database, 'second-person', ['fenced', 'reboot'])
  expect(await rules()).toMatchObject({
    policy: 'spread',
    limits: { ...USUAL.limits, fleet: 7 },
    secondPerson: ['fenced'],
    foreignInstances: 'refuse',
  })
})
