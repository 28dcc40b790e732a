import { describe, expect, test } from 'vitest'
import type { Migration } from '../engine/migration/state'
import { hostId, smallHost } from '../engine/testing/hosts'
import { flavor, pinned } from '../engine/testing/instances'
import type { HostId } from '../engine/words/ids'
import { commit } from '../store/commit/commit'
import { reshapeHost } from '../store/layout/reshape'
import { onEachStory } from './on-each-story'
import type { Story } from './story'

// Hosts are converted during migrations (S9): both sides are claims like any other, so the migration continues, and a
// rollback gets back exactly the CPUs and devices that it had.

const [H1, H2] = [hostId(1), hostId(2)]
const SMALL = pinned(2, { 'pci_passthrough:alias': 'vf:1' })
const LARGE = pinned(4, { 'pci_passthrough:alias': 'vf:2' }, { name: 'large' })
const HELD = { shared: 2, vfs: 4, vgpus: 2, vfTags: { live_migratable: 'true' } }
const story = onEachStory({ hosts: [1, 2].map((n) => smallHost({ n, ...HELD })) })

async function reshape(...hosts: readonly HostId[]): Promise<void> {
  const { database } = story
  const attribution = { actor: { who: 'story', request: 'story', reason: 'nested providers' }, at: story.now() }
  for (const host of hosts) {
    const parts = { database, commit: (change: Parameters<typeof commit>[1]) => commit(database, change), attribution }
    expect(await reshapeHost(parts, host)).toEqual({ did: 'verified' })
  }
}

type HeldClaims = Awaited<ReturnType<Story['heldFor']>>
const places = (held: HeldClaims) =>
  held.map(({ host, consumerKind, body }) => ({ host, consumerKind, cells: body.cells, units: body.units }))

const STEPS = ['claim', 'prepare', 'transfer', 'switch', 'release'] as const satisfies Migration['step'][]

describe.each(['live-migrate', 'cold-migrate'] as const)('a %s', (operation) => {
  test.each(STEPS)('in step %s continues when both hosts are converted', async (step) => {
    const other = await story.running({ flavor: flavor(2), host: H1 })
    const web = await story.running({ flavor: SMALL, host: H1 })
    const migration = (await story.people.move(web, { operation, target: H2 }))!
    const reached = await reachedOrPassed(migration, step)
    const before = places(await story.heldFor(web))
    await reshape(H1, H2)
    expect(places(await story.heldFor(web))).toEqual(before)
    if (reached.outcome === null && operation === 'cold-migrate') {
      await story.untilStep(migration, 'verify')
      await story.people.requestAction(migration, 'confirm')
    }
    expect(await story.untilEnded(migration)).toMatchObject({ outcome: 'completed' })
    expect((await story.heldFor(web)).map(({ host }) => host)).toEqual([H2])
    expect((await story.heldFor(other)).map(({ host }) => host)).toEqual([H1])
  })
})

/** Some steps begin and end at the same time of a story. */
async function reachedOrPassed(migration: Migration['id'], step: (typeof STEPS)[number]): Promise<Migration> {
  const rank = (each: Migration['step']) =>
    ['claim', 'prepare', 'transfer', 'switch', 'verify', 'release', 'ended'].indexOf(each)
  await story.until(
    async () =>
      rank((await story.migration(migration)).step) >= rank(step) || waitsForAPerson(await story.migration(migration)),
  )
  return story.migration(migration)
}
const waitsForAPerson = ({ step }: Migration) => step === 'verify'

test('a same-host resize reverted after the conversion gets its old CPUs and devices back', async () => {
  const web = await story.running({ flavor: SMALL, host: H1 })
  const before = places(await story.heldFor(web))
  const migration = (await story.people.move(web, { operation: 'resize', newFlavor: LARGE, target: H1 }))!
  await story.untilStep(migration, 'verify')
  await reshape(H1)
  expect(await story.people.requestAction(migration, 'revert')).toBe(true)
  expect(await story.untilEnded(migration)).toMatchObject({ outcome: 'reverted' })
  expect(places(await story.heldFor(web))).toEqual(before)
})

test('a nested host works like a flat one: an instance migrates there, is resized, and leaves', async () => {
  await reshape(H2)
  const web = await story.running({ flavor: SMALL, host: H1 })
  const there = (await story.people.move(web, { operation: 'live-migrate', target: H2 }))!
  expect(await story.untilEnded(there)).toMatchObject({ outcome: 'completed' })
  const grow = (await story.people.move(web, { operation: 'resize', newFlavor: LARGE, target: H2 }))!
  await story.untilStep(grow, 'verify')
  await story.people.requestAction(grow, 'confirm')
  expect(await story.untilEnded(grow)).toMatchObject({ outcome: 'completed' })
  const back = (await story.people.move(web, { operation: 'cold-migrate', target: H1 }))!
  await story.untilStep(back, 'verify')
  await story.people.requestAction(back, 'confirm')
  expect(await story.untilEnded(back)).toMatchObject({ outcome: 'completed' })
  expect((await story.heldFor(web)).map(({ host }) => host)).toEqual([H1])
})
