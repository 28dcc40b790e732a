import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { putAliases, putSetting } from '../store/catalog/policy'
import { connectDatabase } from '../store/database/database'
import { DEFAULT_OPTIONS } from './options'
import { rulesOf, tickOptions } from './rules'

const database = onFreshDatabase(({ url }) => connectDatabase({ url, connections: 2 }))

const read = () => rulesOf(database, () => 0)()

describe('the rules of migrations', () => {
  test('are the defaults until one is set', async () => {
    expect(tickOptions(await read())).toEqual({ ...DEFAULT_OPTIONS, demand: { aliases: [] }, silentHosts: new Set() })
    expect((await read()).confirmWindowMs).toBeNull()
  })

  test('are the stored settings, together with the aliases', async () => {
    const vf = { name: 'vf', spec: [{ vendor_id: '8086' }], numaPolicy: 'required' as const }
    await putAliases(database, [vf])
    await putSetting(database, 'policy', 'pack')
    await putSetting(database, 'confirm-window-ms', 60_000)
    await putSetting(database, 'limits', { perSource: 5 })
    expect(await read()).toEqual({
      policy: 'pack',
      demand: { aliases: [vf] },
      confirmWindowMs: 60_000,
      limits: { ...DEFAULT_OPTIONS.limits, perSource: 5 },
      silentHosts: new Set(),
    })
  })

  test('fall back to the default where a setting is invalid', async () => {
    // Rows from before the database refused them.
    await database.pool.query('alter table setting drop constraint setting_value_known')
    await putSetting(database, 'policy', 'tallest')
    await putSetting(database, 'confirm-window-ms', -1)
    await putSetting(database, 'limits', { perSource: 'many', fleet: 0.5 })
    const { policy, confirmWindowMs, limits } = await read()
    expect({ policy, confirmWindowMs, limits }).toEqual({
      policy: DEFAULT_OPTIONS.policy,
      confirmWindowMs: null,
      limits: DEFAULT_OPTIONS.limits,
    })
  })

  test('are cached, and read again once they expire', async () => {
    let now = 0
    const rules = rulesOf(database, () => now)
    await putSetting(database, 'policy', 'spread')
    expect((await rules()).policy).toBe('spread')
    await putSetting(database, 'policy', 'pack')
    expect((await rules()).policy).toBe('spread')
    now += 5_000
    expect((await rules()).policy).toBe('pack')
  })
})
