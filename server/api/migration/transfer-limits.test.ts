import { beforeAll, expect, test } from 'vitest'
import type { TransferLimits } from '@/forms/transfer-limits'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { acceptMigration, build, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// e2e/libvirt checks the transfer itself on real hosts; this checks who may change it, when, and what is logged.

const given = new Map<string, TransferLimits>()
const PLAIN = { bandwidthMibPerS: 8, maxDowntimeMs: null }
const api = onFreshDatabase((fresh) =>
  openTestApi(fresh, {
    transfers: {
      policyTo: async () => null,
      measure: async () => ({ why: 'not asked here' }),
      limitsOf: async ({ id }) => given.get(id) ?? PLAIN,
      limit: async ({ id }, limits) => Boolean(given.set(id, limits)),
    },
  }),
)

let id: string
const limits = { bandwidthMibPerS: 100, maxDowntimeMs: 250 }
const change = (role: 'viewer' | 'operator', over = {}) =>
  api.as(role).migration.limitTransfer({ id: id as never, ...limits, reason: 'night is short', ...over })

beforeAll(async () => {
  const host = await putHost(api.database, smallHost({ n: 1 }))
  const web = await build(api.database, host.id, { name: 'web-1' })
  id = (await acceptMigration(api.database, web)).id
})

const inTransfer = () =>
  api.database.pool.query("update migration set step = 'transfer', operation = 'live-migrate' where id = $1", [id])

test('only a live migration in its transfer step has limits to change', async () => {
  expect((await api.as('viewer').migration.byId({ id: id as never })).limits).toBeNull()
  await expect(change('operator')).rejects.toThrow(/in the transfer step/)
  expect(given.size).toBe(0)
})

test('an operator changes the limits, and the reason is audited', async () => {
  await inTransfer()
  await expect(change('viewer')).rejects.toThrow(/needs operator/)
  for (const wrong of [{ bandwidthMibPerS: 0 }, { maxDowntimeMs: 1.5 }, { bandwidthMibPerS: 1e9 }, { reason: '' }])
    await expect(change('operator', wrong)).rejects.toThrow(/expected/)
  expect(given.size).toBe(0)
  await change('operator')
  expect((await api.as('viewer').migration.byId({ id: id as never })).limits).toMatchObject({
    now: limits,
    permit: { ok: false },
  })
  const { rows } = await api.database.pool.query(
    "select action, who, reason from audit_entry where action = 'migration.limited'",
  )
  expect(rows).toEqual([{ action: 'migration.limited', who: 'the_operator', reason: 'night is short' }])
})
