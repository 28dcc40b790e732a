import { describe, expect, test } from 'vitest'
import { hostId, smallHost } from '../engine/testing/hosts'
import { pinned } from '../engine/testing/instances'
import type { InstanceId } from '../engine/words/ids'
import { onEachScenario } from './on-each-scenario'
import { newScenario } from './scenario'

// A resize on the instance's own host: old and new claims side by side, and the same CPUs and devices after a revert,
// even if the server that began it is gone (S5; Nova bug 1944759 is a revert that takes other CPUs than it gave up).

const H1 = hostId(1)
const SMALL = pinned(2, { 'pci_passthrough:alias': 'vf:1' })
const LARGE = pinned(4, { 'pci_passthrough:alias': 'vf:2' }, { name: 'large' })
const HOSTS = [smallHost({ n: 1, vfs: 4 })]
const scenario = onEachScenario({ hosts: HOSTS })

async function resized(instance: InstanceId) {
  const migration = (await scenario.operators.migrate(instance, { operation: 'resize', newFlavor: LARGE }))!
  await scenario.untilStep(migration, 'verify')
  return migration
}

describe('a resize on one host', () => {
  test('holds old and new units until it is confirmed or reverted, and no unit twice', async () => {
    const web = await scenario.running({ flavor: SMALL })
    await resized(web)
    const held = await scenario.heldFor(web)
    expect(held.map(({ host, consumerKind }) => [host, consumerKind]).sort()).toEqual([
      [H1, 'instance'],
      [H1, 'migration'],
    ])
    const units = held.flatMap(({ body }) => body.units.map((unit) => unit.unit))
    expect(new Set(units).size).toBe(units.length)
    expect(await scenario.fleet.survey(H1)).toHaveLength(2)
  })

  test('reverted by another server restores the old CPUs and devices', async () => {
    const web = await scenario.running({ flavor: SMALL })
    const before = await scenario.heldFor(web)
    const migration = await resized(web)
    await scenario.conductor.stop()
    scenario.newConductor('server-2')
    expect(await scenario.operators.requestAction(migration, 'revert')).toBe(true)
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'reverted', home: 'source' })
    expect(await scenario.heldFor(web)).toEqual(before)
    expect(await scenario.instance(web)).toMatchObject({ host: H1, flavor: SMALL, vmState: 'active' })
    const domains = await scenario.fleet.survey(H1)
    expect(domains).toMatchObject([{ instance: web, observedState: 'running', claim: before[0]?.body }])
  })

  test('that is confirmed keeps the new units and frees the old', async () => {
    const web = await scenario.running({ flavor: SMALL })
    const migration = await resized(web)
    const wanted = (await scenario.heldFor(web)).filter(({ consumerKind }) => consumerKind === 'instance')
    await scenario.operators.requestAction(migration, 'confirm')
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'completed' })
    expect(await scenario.heldFor(web)).toEqual(wanted)
    expect((await scenario.instance(web)).flavor).toEqual(LARGE)
  })

  test('is confirmed automatically after its window', async () => {
    await scenario.close()
    Object.assign(scenario, await newScenario({ hosts: HOSTS, confirmWindowMs: 3_600_000 }))
    const web = await scenario.running({ flavor: SMALL })
    const migration = await resized(web)
    const { dueAt } = await scenario.migration(migration)
    expect(dueAt).toBeGreaterThan(scenario.now() + 3_500_000)
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'completed' })
    expect(scenario.now()).toBeGreaterThanOrEqual(dueAt!)
  })

  test('ends when its host is permanently lost', async () => {
    const web = await scenario.running({ flavor: SMALL })
    const migration = await resized(web)
    await scenario.fleet.setFault(H1, { do: 'vanish' })
    await scenario.operators.setStatus(H1, 'lost')
    await scenario.operators.requestAction(migration, 'revert')
    expect((await scenario.untilEnded(migration)).step).toBe('ended')
    expect(await scenario.heldFor(web)).toHaveLength(1)
  })

  test('that exceeds the host is refused with every reason and changes nothing', async () => {
    const web = await scenario.running({ flavor: SMALL })
    const before = await scenario.heldFor(web)
    const newFlavor = pinned(16, {}, { name: 'huge' })
    const migration = (await scenario.operators.migrate(web, { operation: 'resize', newFlavor }))!
    const ended = await scenario.untilEnded(migration)
    expect(ended).toMatchObject({ outcome: 'failed', cause: { step: 'claim' } })
    expect(ended.cause?.refusals?.[0]?.refusals.length).toBeGreaterThan(0)
    expect(await scenario.heldFor(web)).toEqual(before)
  })
})
