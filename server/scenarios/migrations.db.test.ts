import { describe, expect, test } from 'vitest'
import { hostId, smallHost } from '../engine/testing/hosts'
import { flavor, pinned } from '../engine/testing/instances'
import { onEachScenario } from './on-each-scenario'

// The six operations from requested action to end, on real PostgreSQL and the simulated fleet.

const [H1, H2, H3] = [hostId(1), hostId(2), hostId(3)]
const MIB = 1024 * 1024
const scenario = onEachScenario({
  hosts: [1, 2, 3].map((n) => smallHost({ n, shared: 2, layout: n === 2 ? 'nested' : 'flat' })),
})

/** A live migration in transfer, whose guest dirties memory faster than the link copies it. */
async function endlessMigration() {
  const web = await scenario.running({ flavor: pinned(2), host: H1 })
  const before = await scenario.heldFor(web)
  await scenario.fleet.setDirtyRate(web, 4_000 * MIB)
  await scenario.fleet.setFault(H2, { do: 'bandwidth', bytesPerS: 100 * MIB })
  const migration = (await scenario.operators.migrate(web, { operation: 'live-migrate', target: H2 }))!
  await scenario.untilStep(migration, 'transfer')
  return { web, before, migration }
}

describe('a live migration', () => {
  test('claims, transfers, switches and releases the source', async () => {
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    const migration = (await scenario.operators.migrate(web, { operation: 'live-migrate', target: H2 }))!
    const moving = await scenario.untilStep(migration, 'transfer')
    expect(moving.source).toBe(H1)
    expect((await scenario.heldFor(web)).map(({ host, consumerKind }) => [host, consumerKind]).sort()).toEqual([
      [H1, 'migration'],
      [H2, 'instance'],
    ])
    expect(await scenario.findings()).toEqual([])
    const ended = await scenario.untilEnded(migration)
    expect(ended).toMatchObject({ outcome: 'completed', home: 'target' })
    expect(ended.progress).toMatchObject({ remainingBytes: 0, downtimeMs: expect.any(Number) })
    expect(await scenario.instance(web)).toMatchObject({ host: H2, vmState: 'active' })
    expect((await scenario.heldFor(web)).map(({ host }) => host)).toEqual([H2])
    expect(await scenario.fleet.survey(H1)).toEqual([])
  })

  test('lets the scheduler choose a host when none is given', async () => {
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    const ended = await scenario.untilEnded((await scenario.operators.migrate(web, { operation: 'live-migrate' }))!)
    expect(ended.outcome).toBe('completed')
    expect([H2, H3]).toContain(ended.target)
  })

  test('that is aborted midway leaves the instance at its source and nothing at the target', async () => {
    const { web, before, migration } = await endlessMigration()
    await scenario.pass(30_000)
    expect((await scenario.migration(migration)).progress?.iteration).toBeGreaterThan(1)
    expect(await scenario.operators.requestAction(migration, 'abort')).toBe(true)
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'aborted', home: 'source' })
    expect(await scenario.heldFor(web)).toEqual(before)
    expect(await scenario.fleet.survey(H2)).toEqual([])
    expect(await scenario.fleet.survey(H1)).toMatchObject([{ instance: web, observedState: 'running' }])
  })

  test('that never converges can be forced, and cannot be aborted from then on', async () => {
    const { migration } = await endlessMigration()
    await scenario.pass(600_000)
    expect(await scenario.operators.requestAction(migration, 'force-complete')).toBe(true)
    await scenario.pass(0)
    expect(await scenario.operators.requestAction(migration, 'abort')).toBe(false)
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'completed', home: 'target' })
  })

  test('rolls back if its target dies', async () => {
    const { web, migration } = await endlessMigration()
    await scenario.fleet.setFault(H2, { do: 'kill' })
    await scenario.pass(10_000)
    // Its leftovers are a named reason to wait until an operator marks the host.
    expect((await scenario.migration(migration)).waiting).toMatchObject({ for: 'host', host: H2 })
    await scenario.operators.setStatus(H2, 'fenced')
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'failed', home: 'source' })
    expect(await scenario.instance(web)).toMatchObject({ host: H1, vmState: 'active' })
  })
})

describe('a cold migration', () => {
  test('awaits confirm or revert, and a confirm releases the source', async () => {
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    const migration = (await scenario.operators.migrate(web, { operation: 'cold-migrate', target: H2 }))!
    expect((await scenario.untilStep(migration, 'verify')).waiting).toEqual({ for: 'person' })
    expect(await scenario.heldFor(web)).toHaveLength(2)
    expect(await scenario.fleet.survey(H2)).toMatchObject([{ instance: web, observedState: 'running' }])
    expect(await scenario.operators.requestAction(migration, 'confirm')).toBe(true)
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'completed' })
    expect(await scenario.fleet.survey(H1)).toEqual([])
  })

  test('that is reverted returns to exactly its old claim', async () => {
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    const before = await scenario.heldFor(web)
    const migration = (await scenario.operators.migrate(web, { operation: 'cold-migrate', target: H2 }))!
    await scenario.untilStep(migration, 'verify')
    await scenario.operators.requestAction(migration, 'revert')
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'reverted', home: 'source' })
    expect(await scenario.heldFor(web)).toEqual(before)
    expect(await scenario.fleet.survey(H1)).toMatchObject([{ instance: web, observedState: 'running' }])
    expect(await scenario.fleet.survey(H2)).toEqual([])
  })
})

describe('other operations', () => {
  test('a rebuild with another image keeps the claim if the demand is the same', async () => {
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    const before = await scenario.heldFor(web)
    const newImage = { name: 'debian-13', properties: {} }
    const migration = (await scenario.operators.migrate(web, { operation: 'rebuild', newImage }))!
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'completed', keepsClaim: true })
    expect(await scenario.heldFor(web)).toEqual(before)
    expect((await scenario.instance(web)).image).toEqual(newImage)
    expect(await scenario.fleet.survey(H1)).toMatchObject([{ instance: web, observedState: 'running' }])
  })

  test('a deleted instance leaves nothing on its host or in the records', async () => {
    const web = await scenario.running({ flavor: flavor(2), host: H1 })
    expect(await scenario.operators.deleteInstance(web)).toBe(true)
    await scenario.until(async () => (await scenario.heldFor(web)).length === 0)
    expect(await scenario.fleet.survey(H1)).toEqual([])
  })
})
