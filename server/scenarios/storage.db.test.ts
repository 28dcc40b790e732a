import { describe, expect, test } from 'vitest'
import type { StorageMode } from '../engine/storage/storage'
import { hostId, inventory, providerId, smallHost } from '../engine/testing/hosts'
import { flavor } from '../engine/testing/instances'
import { DISK_GB } from '../engine/words/units'
import { onEachScenario } from './on-each-scenario'

// Disks on shared storage and local disks, with every operation, on real PostgreSQL and the simulated fleet.

const [H1, H2, H3] = [hostId(1), hostId(2), hostId(3)]
const POOL = {
  id: providerId(9000),
  name: 'ceph',
  parent: null,
  generation: 0,
  inventories: [inventory(DISK_GB, 1000)],
  traits: ['MISC_SHARES_VIA_AGGREGATE'],
  aggregates: ['pool'],
  sharing: true,
}
const SMALL = flavor(1, {}, { diskGib: 7 })
const SHARED = { shared: 2, diskGib: 0, aggregates: ['pool'], sharing: [POOL] }
const scenario = onEachScenario({
  hosts: [smallHost({ n: 1, ...SHARED }), smallHost({ n: 2, ...SHARED }), smallHost({ n: 3, shared: 2 })],
})

/** The allocations at the shared storage, and the generation of its provider. */
async function atPool() {
  const { rows } = await scenario.database.pool.query(
    `select p.generation, (select json_agg(a order by a.consumer_id) from allocation a where a.provider_id = p.id) as held
     from resource_provider p where p.id = $1`,
    [POOL.id],
  )
  return rows
}

const live = async (storage: StorageMode | null, target = H2) => {
  const web = await scenario.running({ flavor: SMALL, host: H1 })
  return {
    web,
    before: await atPool(),
    migration: await scenario.operators.migrate(web, { operation: 'live-migrate', target, storage }),
  }
}

describe('between hosts that share storage', () => {
  const moved = { live: 'live-migrate', cold: 'cold-migrate', size: 'resize', rebuild: 'rebuild' } as const

  test.each(Object.values(moved))(
    'a %s leaves every row of the storage unchanged in both directions',
    async (operation) => {
      const web = await scenario.running({ flavor: SMALL, host: H1 })
      const before = await atPool()
      const other = { newFlavor: { ...SMALL, name: 'more', memoryMib: 1024 } }
      const numa = { newImage: { name: 'numa', properties: { hw_numa_nodes: '1' } } }
      const target = operation === 'rebuild' ? {} : { target: H2 }
      const set = { ...target, ...(operation === 'resize' ? other : {}), ...(operation === 'rebuild' ? numa : {}) }
      const migration = (await scenario.operators.migrate(web, { operation, ...set }))!
      await scenario.untilStep(migration, 'transfer')
      expect(await atPool()).toEqual(before)
      expect(await scenario.findings()).toEqual([])
      if (operation === 'cold-migrate' || operation === 'resize') {
        await scenario.untilStep(migration, 'verify')
        expect(await scenario.operators.requestAction(migration, operation === 'resize' ? 'revert' : 'confirm')).toBe(
          true,
        )
      }
      const ended = await scenario.untilEnded(migration)
      expect(ended.outcome).toBe(operation === 'resize' ? 'reverted' : 'completed')
      expect(await atPool()).toEqual(before)
    },
  )

  test('an evacuation leaves its rows unchanged, and the clean-up keeps the disk', async () => {
    const web = await scenario.running({ flavor: SMALL, host: H1 })
    const before = await atPool()
    await scenario.fleet.setFault(H1, { do: 'fence' })
    await scenario.operators.setStatus(H1, 'fenced')
    const migration = (await scenario.operators.migrate(web, { operation: 'evacuate', target: H2 }))!
    expect((await scenario.untilEnded(migration)).outcome).toBe('completed')
    expect(await atPool()).toEqual(before)
  })

  test('an aborted live migration rolls back without touching its rows', async () => {
    const { web, before, migration } = await live('shared')
    await scenario.fleet.setDirtyRate(web, 4e9)
    await scenario.fleet.setFault(H2, { do: 'bandwidth', bytesPerS: 1e8 })
    await scenario.untilStep(migration!, 'transfer')
    expect(await scenario.operators.requestAction(migration!, 'abort')).toBe(true)
    expect((await scenario.untilEnded(migration!)).outcome).toBe('aborted')
    expect(await atPool()).toEqual(before)
  })

  test('auto chooses shared, and block is refused', async () => {
    const { migration } = await live(null)
    expect(await scenario.untilEnded(migration!)).toMatchObject({
      outcome: 'completed',
      storage: 'auto',
      storageUsed: 'shared',
    })
    const block = await live('block')
    const refused = await scenario.untilEnded(block.migration!)
    expect(refused).toMatchObject({
      outcome: 'failed',
      cause: { refusals: [{ refusals: [{ kind: 'storage-shared' }] }] },
    })
  })
})

describe('between hosts without shared storage', () => {
  test('auto chooses block, claims and copies the disk to the target, and releases the storage', async () => {
    const { web, migration } = await live(null, H3)
    const moving = await scenario.untilStep(migration!, 'transfer')
    expect(moving).toMatchObject({ storage: 'auto', storageUsed: 'block', kept: [] })
    const holds = (await scenario.heldFor(web)).find(({ host }) => host === H3)!.body.amounts
    expect(holds).toContainEqual({ provider: H3, resourceClass: DISK_GB, amount: 7 })
    await scenario.pass(10)
    expect((await scenario.migration(migration!)).progress?.totalBytes ?? Number.POSITIVE_INFINITY).toBeGreaterThan(
      512 * 2 ** 20,
    )
    expect((await scenario.untilEnded(migration!)).outcome).toBe('completed')
    expect((await atPool())[0]?.held).toBeNull()
  })

  test('shared is refused with a reason', async () => {
    const { migration } = await live('shared', H3)
    const refused = await scenario.untilEnded(migration!)
    expect(refused.cause?.refusals).toMatchObject([{ refusals: [{ kind: 'storage-not-shared' }] }])
  })

  test('a storage mode is refused for anything but a live migration', async () => {
    const web = await scenario.running({ flavor: SMALL, host: H1 })
    expect(await scenario.operators.migrate(web, { operation: 'cold-migrate', storage: 'block' })).toBeNull()
  })
})
