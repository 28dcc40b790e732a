import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { MigrationRules } from '../../engine/migration/rules'
import { putSetting } from '../../store/catalog/policy'
import { openTestApi } from '../testing/api'

// The policy of migrations: read by all, changed by admins, and never over another user's change.

const api = onFreshDatabase(openTestApi)

const DEFAULTS: MigrationRules = {
  policy: 'spread',
  limits: { perSource: 2, perTarget: 2, fleet: 64 },
  confirmWindowMs: null,
  secondPerson: [],
  foreignInstances: 'refuse',
}
const CHANGED: MigrationRules = {
  policy: 'pack',
  limits: { perSource: 1, perTarget: 3, fleet: 12 },
  confirmWindowMs: 600_000,
  secondPerson: ['lost', 'heal', 'release'],
  foreignInstances: 'allow',
}
const UNCHANGED = { policy: null, limits: null, confirmWindowMs: null, secondPerson: null, foreignInstances: null }
const rules = () => api.as('viewer').setting.rules()
const trail = () =>
  api.database.pool.query(`select who, reason, data from audit_entry where action = 'setting.changed' order by id`)

test('rules have their defaults until an admin changes them, and the audit log has the reason', async () => {
  const bounds = expect.objectContaining({ perHost: 100 })
  const mayNot = expect.objectContaining({ ok: false })
  expect(await rules()).toEqual({ ...DEFAULTS, bounds, defaults: DEFAULTS, changed: UNCHANGED, permit: mayNot })
  const now = await api.as('admin').setting.setRules({ ...CHANGED, readAt: null, reason: 'quiet night' })
  expect(now).toMatchObject({ ...CHANGED, bounds, defaults: DEFAULTS, permit: { ok: true } })
  const byAdmin = { by: 'the_admin', at: expect.any(Number) }
  expect(Object.values(now.changed)).toEqual(Object.keys(DEFAULTS).map(() => byAdmin))
  expect(await rules()).toMatchObject(CHANGED)
  const { rows } = await trail()
  expect(rows).toEqual([
    { who: 'the_admin', reason: 'quiet night', data: expect.objectContaining({ was: DEFAULTS, now: CHANGED }) },
  ])
})

test('a change based on outdated rules is refused and names the other author', async () => {
  const { changed } = await rules()
  const late = api.as('admin').setting.setRules({ ...DEFAULTS, readAt: null, reason: 'as they were' })
  await expect(late).rejects.toThrow(/a change by the_admin found/)
  expect(await rules()).toMatchObject({ ...CHANGED, changed })
  expect((await trail()).rows).toHaveLength(1)
})

test('only one of two simultaneous changes succeeds', async () => {
  const { changed } = await rules()
  const readAt = changed.policy?.at ?? null
  const tries = [DEFAULTS, CHANGED].map((wanted) =>
    api.as('admin').setting.setRules({ ...wanted, readAt, reason: 'both at once' }),
  )
  const ends = await Promise.allSettled(tries)
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a single rule changes without affecting the others or their timestamps', async () => {
  const before = await rules()
  const readAt = before.changed.limits?.at ?? null
  const limits = { perSource: 4, perTarget: 4, fleet: 40 }
  const after = await api.as('admin').setting.setRules({ limits, readAt, reason: 'a wider window' })
  expect(after.limits).toEqual(limits)
  expect(after.changed.limits?.at).toBeGreaterThan(readAt ?? 0)
  expect(after.changed).toEqual({ ...before.changed, limits: after.changed.limits })
  const policy = { policy: 'spread' as const, readAt: before.changed.policy?.at ?? null, reason: 'read before that' }
  expect(await api.as('admin').setting.setRules(policy)).toMatchObject({ policy: 'spread', limits })
  expect((await trail()).rows.at(-2)).toMatchObject({ data: { was: { limits: before.limits }, now: { limits } } })
})

test('a setting written by a script counts where it is valid', async () => {
  // The order of the two concurrent changes above is unknown.
  const { policy, foreignInstances } = await rules()
  await expect(putSetting(api.database, 'policy', 'tallest')).rejects.toThrow(/setting_value_known/)
  await putSetting(api.database, 'limits', { fleet: 7 })
  await putSetting(api.database, 'second-person', ['fenced', 'reboot'])
  expect(await rules()).toMatchObject({
    policy,
    limits: { ...DEFAULTS.limits, fleet: 7 },
    secondPerson: ['fenced'],
    foreignInstances,
  })
})
