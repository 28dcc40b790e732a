import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CopyFacts, copyAt } from './copying'
import { type LiveFacts, liveAt, type Rate, slower } from './physics'

const MIB = 1024 * 1024
const GIB = 1024 * MIB
const START = 1_800_000_000_000
const HOUR = 3_600_000

const calm: LiveFacts = {
  startedAt: START,
  totalBytes: 8 * GIB,
  workingSetBytes: 2 * GIB,
  maxDowntimeMs: 300,
  switchMs: 20,
  bandwidth: [{ at: START, bytesPerS: GIB }],
  dirty: [{ at: START, bytesPerS: 200 * MIB }],
  force: null,
}
const busy: LiveFacts = { ...calm, dirty: [{ at: START, bytesPerS: 2 * GIB }] }

const integers = (min: number, max: number) => fc.integer({ min, max })
const rates = (min: number, max: number) =>
  fc
    .tuple(integers(min, max), fc.array(fc.tuple(integers(1, 60_000), integers(0, max)), { maxLength: 3 }))
    .map(([first, later]): Rate[] =>
      [{ at: START, bytesPerS: first }, ...later.map(([after, bytesPerS]) => ({ at: START + after, bytesPerS }))].sort(
        (a, b) => a.at - b.at,
      ),
    )
const liveFacts: fc.Arbitrary<LiveFacts> = fc
  .record({
    totalBytes: integers(1, 16 * GIB),
    workingShare: integers(0, 100),
    maxDowntimeMs: integers(50, 1000),
    switchMs: integers(0, 200),
    bandwidth: rates(MIB, 4 * GIB),
    dirty: rates(0, 6 * GIB),
    force: fc.option(
      fc.record({ after: integers(0, 60_000), how: fc.constantFrom('pause' as const, 'post-copy' as const) }),
    ),
  })
  .map(({ workingShare, force, ...facts }) => ({
    ...facts,
    startedAt: START,
    workingSetBytes: Math.floor((facts.totalBytes * workingShare) / 100),
    force: force && { at: START + force.after, how: force.how },
  }))
const moments = fc
  .tuple(integers(0, 2 * HOUR), integers(0, 2 * HOUR))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
const toleranceOf = (bytes: number) => 1 + bytes * 1e-6 // times are whole-number-sized floats: allow their last digit

describe('a live transfer', () => {
  test('of a calm instance converges within its downtime', () => {
    const done = liveAt(calm, START + HOUR)
    expect(done).toMatchObject({ phase: 'done', remainingBytes: 0 })
    expect(done.iteration).toBeGreaterThan(1)
    expect(done.downtimeMs).toBeLessThanOrEqual(calm.maxDowntimeMs + calm.switchMs)
    expect(done.doneAt! - START).toBeGreaterThan(8_000)
  })

  test('of an instance that dirties memory faster than the link copies it never ends', () => {
    const state = liveAt(busy, START + 100 * 24 * HOUR)
    expect(state).toMatchObject({ phase: 'copying', handedOverAt: null, doneAt: null })
    expect(state.iteration).toBeGreaterThan(1_000_000)
  })

  test('ends when the instance is paused, at the cost of a longer downtime', () => {
    const done = liveAt({ ...busy, force: { at: START + 60_000, how: 'pause' } }, START + HOUR)
    expect(done.phase).toBe('done')
    expect(done.downtimeMs).toBeGreaterThan(busy.maxDowntimeMs)
  })

  test('by post-copy hands over at once and keeps sending', () => {
    const facts: LiveFacts = { ...busy, force: { at: START + 60_000, how: 'post-copy' } }
    const after = liveAt(facts, START + 60_100)
    expect(after).toMatchObject({ phase: 'post-copy', handedOverAt: START + 60_020, downtimeMs: 20, doneAt: null })
    expect(after.remainingBytes).toBeGreaterThan(0)
    expect(liveAt(facts, START + HOUR)).toMatchObject({ phase: 'done', remainingBytes: 0 })
  })

  test('makes no progress on a cut network', () => {
    const cut: LiveFacts = { ...calm, bandwidth: [...calm.bandwidth, { at: START + 1000, bytesPerS: 0 }] }
    expect(liveAt(cut, START + HOUR).sentBytes).toBe(liveAt(cut, START + 1000).sentBytes)
  })

  test('conserves bytes at every time', () => {
    fc.assert(
      fc.property(liveFacts, integers(0, 2 * HOUR), (facts, after) => {
        const state = liveAt(facts, START + after)
        const gap = facts.totalBytes + state.dirtiedBytes - state.sentBytes - state.remainingBytes
        expect(Math.abs(gap)).toBeLessThan(toleranceOf(state.sentBytes))
        expect(state.remainingBytes).toBeGreaterThanOrEqual(0)
        expect(state.remainingBytes).toBeLessThanOrEqual(facts.totalBytes + toleranceOf(facts.totalBytes))
      }),
    )
  })

  test('never goes back in time', () => {
    const order = { copying: 0, paused: 1, 'post-copy': 1, done: 2 }
    fc.assert(
      fc.property(liveFacts, moments, (facts, [early, late]) => {
        const before = liveAt(facts, START + early)
        const after = liveAt(facts, START + late)
        expect(after.sentBytes).toBeGreaterThanOrEqual(before.sentBytes - toleranceOf(before.sentBytes))
        expect(after.dirtiedBytes).toBeGreaterThanOrEqual(before.dirtiedBytes - toleranceOf(before.dirtiedBytes))
        expect(after.iteration).toBeGreaterThanOrEqual(before.iteration)
        expect(order[after.phase]).toBeGreaterThanOrEqual(order[before.phase])
        if (before.handedOverAt !== null) expect(after.handedOverAt).toBe(before.handedOverAt)
        if (before.doneAt !== null) expect(after).toEqual(before)
      }),
    )
  })
})

describe('a disk copy', () => {
  const copyFacts: fc.Arbitrary<CopyFacts> = fc.record({
    startedAt: fc.constant(START),
    delayMs: integers(0, 10_000),
    totalBytes: integers(0, 100 * GIB),
    bandwidth: rates(MIB, 4 * GIB),
  })

  test('conserves bytes and never goes back in time', () => {
    fc.assert(
      fc.property(copyFacts, moments, (facts, [early, late]) => {
        const before = copyAt(facts, START + early)
        const after = copyAt(facts, START + late)
        for (const state of [before, after])
          expect(state.sentBytes + state.remainingBytes).toBeCloseTo(facts.totalBytes, 0)
        expect(after.sentBytes).toBeGreaterThanOrEqual(before.sentBytes - 1)
        if (before.doneAt !== null) expect(after.doneAt).toBe(before.doneAt)
      }),
    )
  })

  test('without data is done after its delay', () => {
    expect(copyAt({ startedAt: 0, delayMs: 5, totalBytes: 0, bandwidth: [] }, 4).doneAt).toBeNull()
    expect(copyAt({ startedAt: 0, delayMs: 5, totalBytes: 0, bandwidth: [] }, 6).doneAt).toBe(5)
  })
})

test('the slower end sets the rate, even when only one of them changes', () => {
  const one = [{ at: 0, bytesPerS: 10 }]
  const other = [
    { at: 5, bytesPerS: 3 },
    { at: 9, bytesPerS: 20 },
  ]
  expect(slower(one, other)).toEqual([
    { at: 0, bytesPerS: 3 },
    { at: 5, bytesPerS: 3 },
    { at: 9, bytesPerS: 10 },
  ])
})
