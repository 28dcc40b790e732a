import { describe, expect, test } from 'vitest'
import type { Migration } from '../engine/migration/state'
import { hostId, smallHost } from '../engine/testing/hosts'
import { flavor, pinned } from '../engine/testing/instances'
import type { HostId } from '../engine/words/ids'
import { commit } from '../store/commit/commit'
import { reshapeHost } from '../store/layout/reshape'
import { onEachScenario } from './on-each-scenario'
import type { Scenario } from './scenario'

// Hosts are converted during migrations (S9): both sides are claims like any other, so the migration continues, and a
// rollback gets back exactly the CPUs and devices that it had.

const [H1, H2] = [hostId(1), hostId(2)]
const SMALL = pinned(2, { 'pci_passthrough:alias': 'vf:1' })
const LARGE = pinned(4, { 'pci_passthrough:alias': 'vf:2' }, { name: 'large' })
const HELD = { shared: 2, vfs: 4, vgpus: 2, vfTags: { live_migratable: 'true' } }
const scenario = onEachScenario({ hosts: [1, 2].map((n) => smallHost({ n, ...HELD })) })

async function reshape(...hosts: readonly HostId[]): Promise<void> {
  const { database } = scenario
  const attribution = {
    actor: { who: 'scenario', request: 'scenario', reason: 'nested providers' },
    at: scenario.now(),
  }
  for (const host of hosts) {
    const parts = { database, commit: (change: Parameters<typeof commit>[1]) => commit(database, change), attribution }
    expect(await reshapeHost(parts, host)).toEqual({ did: 'verified' })
  }
}

type HeldClaims = Awaited<ReturnType<Scenario['heldFor']>>
const places = (held: HeldClaims) =>
  held.map(({ host, consumerKind, body }) => ({ host, consumerKind, cells: body.cells, units: body.units }))

const STEPS = ['claim', 'prepare', 'transfer', 'switch', 'release'] as const satisfies Migration['step'][]

describe.each(['live-migrate', 'cold-migrate'] as const)('a %s', (operation) => {
  test.each(STEPS)('in step %s continues when both hosts are converted', async (step) => {
    const other = await scenario.running({ flavor: flavor(2), host: H1 })
    const web = await scenario.running({ flavor: SMALL, host: H1 })
    const migration = (await scenario.operators.migrate(web, { operation, target: H2 }))!
    const reached = await reachedOrPassed(migration, step)
    const before = places(await scenario.heldFor(web))
    await reshape(H1, H2)
    expect(places(await scenario.heldFor(web))).toEqual(before)
    if (reached.outcome === null && operation === 'cold-migrate') {
      await scenario.untilStep(migration, 'verify')
      await scenario.operators.requestAction(migration, 'confirm')
    }
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'completed' })
    expect((await scenario.heldFor(web)).map(({ host }) => host)).toEqual([H2])
    expect((await scenario.heldFor(other)).map(({ host }) => host)).toEqual([H1])
  })
})

/** Some steps begin and end at the same time of a scenario. */
async function reachedOrPassed(migration: Migration['id'], step: (typeof STEPS)[number]): Promise<Migration> {
  const rank = (each: Migration['step']) =>
    ['claim', 'prepare', 'transfer', 'switch', 'verify', 'release', 'ended'].indexOf(each)
  await scenario.until(
    async () =>
      rank((await scenario.migration(migration)).step) >= rank(step) ||
      waitsForAPerson(await scenario.migration(migration)),
  )
  return scenario.migration(migration)
}
const waitsForAPerson = ({ step }: Migration) => step === 'verify'

test('a same-host resize reverted after the conversion gets its old CPUs and devices back', async () => {
  const web = await scenario.running({ flavor: SMALL, host: H1 })
  const before = places(await scenario.heldFor(web))
  const migration = (await scenario.operators.migrate(web, { operation: 'resize', newFlavor: LARGE, target: H1 }))!
  await scenario.untilStep(migration, 'verify')
  await reshape(H1)
  expect(await scenario.operators.requestAction(migration, 'revert')).toBe(true)
  expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'reverted' })
  expect(places(await scenario.heldFor(web))).toEqual(before)
})

test('a nested host works like a flat one: an instance migrates there, is resized, and leaves', async () => {
  await reshape(H2)
  const web = await scenario.running({ flavor: SMALL, host: H1 })
  const there = (await scenario.operators.migrate(web, { operation: 'live-migrate', target: H2 }))!
  expect(await scenario.untilEnded(there)).toMatchObject({ outcome: 'completed' })
  const grow = (await scenario.operators.migrate(web, { operation: 'resize', newFlavor: LARGE, target: H2 }))!
  await scenario.untilStep(grow, 'verify')
  await scenario.operators.requestAction(grow, 'confirm')
  expect(await scenario.untilEnded(grow)).toMatchObject({ outcome: 'completed' })
  const back = (await scenario.operators.migrate(web, { operation: 'cold-migrate', target: H1 }))!
  await scenario.untilStep(back, 'verify')
  await scenario.operators.requestAction(back, 'confirm')
  expect(await scenario.untilEnded(back)).toMatchObject({ outcome: 'completed' })
  expect((await scenario.heldFor(web)).map(({ host }) => host)).toEqual([H1])
})
