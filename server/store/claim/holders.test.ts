import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change } from '../../engine/change'
import type { Host } from '../../engine/host'
import { smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import { type CommitResult, commit, commitBatch, commitMany } from '../commit/commit'
import { makeCommitQueue } from '../commit/queue'
import { connectDatabase, type Database } from '../database/database'
import { build, buildOf, changeOf, heldUnits, type InstanceOptions, present, putHost } from '../testing/records'

// A unit has one holder (I2) and amounts never exceed capacity (I1), even when servers decide on the same snapshot and
// race. Tested with guards, and without them where the database alone must enforce it.

const database = onFreshDatabase(connectDatabase)
let other: Database
let next = 1

beforeAll(async () => {
  other = connectDatabase({ url: database.url, connections: 10 })
})
afterAll(async () => {
  await other.close()
})

let host: Host
beforeEach(async () => {
  host = await putHost(database, smallHost({ n: next++, cells: 1, cores: 2, vfs: 2, vgpus: 2 }))
})
// I2 as a query; also no child unit that is held together with its parent by different consumers.
afterEach(async () => {
  const { rows } = await database.pool.query(
    `select u.name from unit_holding h join unit u on u.id = h.unit_id
      join unit_holding p on p.unit_id = u.parent_id where p.claim_id <> h.claim_id`,
  )
  expect(rows).toEqual([])
})

const PF = pinned(1, { 'pci_passthrough:alias': 'pf:1' })
const VF = pinned(1, { 'pci_passthrough:alias': 'vf:1' })
const GPU = pinned(1, { 'pci_passthrough:alias': 'gpu:1' })
const VGPU = pinned(1, { 'resources:VGPU': '1' })

/** Drops every guard, so that only the database enforces the laws. */
const blind = (change: Change): Change => ({ ...change, guards: { ...change.guards, providers: [] } })
const wins = (answers: readonly CommitResult[]) => answers.filter(({ ok }) => ok).length

describe('claims decided on one snapshot and sent at once by two servers', () => {
  test('succeed once, and the losers learn which provider changed', async () => {
    const changes = Array.from({ length: 12 }, () => buildOf(host))
    const answers = await Promise.all(changes.map((change, n) => commit(n % 2 ? database : other, change)))
    expect(wins(answers)).toBe(1)
    for (const answer of answers) if (!answer.ok) expect(answer.conflict.on).toBe('provider')
  })

  test('give a unit to exactly one consumer even without guards', async () => {
    const changes = Array.from({ length: 12 }, () => blind(buildOf(host)))
    const answers = await Promise.all(changes.map((change, n) => commit(n % 2 ? database : other, change)))
    expect(wins(answers)).toBe(1)
    const [winner] = (await present(database, host.id)).holdings
    for (const answer of answers) {
      if (!answer.ok) expect(answer.conflict).toMatchObject({ on: 'unit', found: winner?.consumer })
    }
  })

  test.each([
    ['a PF and one of its VFs', PF, VF],
    ['a GPU and one of its vGPUs', GPU, VGPU],
  ])('%s never have different holders', async (_, parent, child) => {
    for (let round = 0; round < 8; round++) {
      const fresh = await putHost(database, smallHost({ n: next++, cells: 1, cores: 2, vfs: 2, vgpus: 2 }))
      const takes = [{ flavor: parent }, { flavor: child }].map((instance: InstanceOptions) =>
        blind(buildOf(fresh, instance)),
      )
      // Pinned to different CPUs, or the CPU would decide.
      const apart = takes.map((change, cpu) => onCpu(change, cpu))
      const answers = await Promise.all(apart.map((change, n) => commit(n ? database : other, change)))
      expect(wins(answers)).toBe(1)
    }
  })
})

function onCpu(change: Change, cpu: number): Change {
  const writes = change.writes.map((write) => {
    if (write.do !== 'take') return write
    const units = write.plan.units.map((unit) =>
      unit.kind === 'cpu' ? { ...unit, unit: `cpu:${cpu}` as const } : unit,
    )
    return { ...write, plan: { ...write.plan, units } }
  })
  return { ...change, writes }
}

test('no interleaving of builds, deletions and batches overcommits a host', async () => {
  const act = fc.record({
    do: fc.constantFrom('build', 'build', 'release'),
    vcpus: fc.integer({ min: 1, max: 2 }),
    through: fc.constantFrom('one', 'other', 'queue'),
    stale: fc.boolean(),
  })
  const queue = makeCommitQueue({ commitBatch: (changes) => commitBatch(other, changes), lanes: 2 })
  const send = { one: commit.bind(null, database), other: commit.bind(null, other), queue: queue.commit }
  const property = fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async (acts) => {
    const fresh = await putHost(database, smallHost({ n: next++, cells: 1, cores: 2 }))
    let seen = fresh
    const committed: Promise<unknown>[] = []
    for (const { do: what, vcpus, through, stale } of acts) {
      if (!stale) seen = await present(database, fresh.id)
      const change = what === 'build' ? buildIfRoom(seen, vcpus) : releaseOfFirst(seen)
      if (change) committed.push(send[through](change))
    }
    await Promise.all(committed)
    const after = await present(database, fresh.id)
    const units = heldUnits(after)
    expect(new Set(units).size).toBe(units.length)
    for (const { used, total, reserved, resourceClass } of after.providers[0]?.inventories ?? []) {
      expect(used, resourceClass).toBeLessThanOrEqual(total - reserved)
    }
  })
  await fc.assert(property, { numRuns: 25 })
})

function buildIfRoom(seen: Host, vcpus: number): Change | null {
  const free = 4 - heldUnits(seen).length
  return free >= vcpus ? buildOf(seen, { flavor: pinned(vcpus) }) : null
}

function releaseOfFirst(seen: Host): Change | null {
  const consumer = seen.holdings[0]?.consumer
  const root = seen.providers[0]
  if (!consumer || !root) return null
  return changeOf([{ do: 'release', consumer }], { providers: [{ provider: root.id, generation: null }] })
}

test('migrations that cross between two hosts do not deadlock', async () => {
  const far = await putHost(database, smallHost({ n: next++ }))
  const [here, there] = [await build(database, host.id), await build(database, far.id)]
  const [a, b] = [host, far].map(({ providers }) => ({ provider: providers[0]!.id, generation: null }))
  for (let round = 0; round < 10; round++) {
    const forth = changeOf([{ do: 'release', consumer: here }], { providers: [a!, b!] })
    const back = changeOf([{ do: 'release', consumer: there }], { providers: [b!, a!] })
    const answers = await Promise.all([
      commit(database, forth),
      commit(other, back),
      ...(await Promise.all([commitMany(database, [forth, back]), commitMany(other, [back, forth])])).flat(),
    ])
    expect(wins(answers)).toBe(answers.length)
  }
})
