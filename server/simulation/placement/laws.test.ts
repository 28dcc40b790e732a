import { expect, test } from 'vitest'
import type { EndState, History, Holding, OwnWrite } from './history'
import { NOTHING_HELD } from './history'
import { brokenLaws } from './laws'

// Tests the judge: each of these histories breaks the named law, and a legal one breaks none.

const P = 'provider'
const held = (amount: number): Holding => ({ provider: P, amount })

let action = 0
const write = (consumer: string, to: Holding, more: Partial<OwnWrite> = {}): OwnWrite => ({
  ...{ consumer, to, outcome: 'done', startMs: 10, endMs: 20, action: action++ },
  ...more,
})
const end = (holdings: Record<string, Holding>, more: Partial<EndState> = {}): EndState => ({
  ...{ copy: 'copy', holdings: new Map(Object.entries(holdings)), used: new Map(), things: new Map() },
  ...more,
})
const scenario = (more: Partial<History>): History => ({
  ...{ capacity: new Map([[P, 4]]), writes: [], reads: [], uses: [], guarded: [], candidates: [], ends: [end({})] },
  ...more,
})
const guarded = (generation: number, outcome: OwnWrite['outcome'] = 'done') => ({
  ...{ thing: 't', generation, outcome, startMs: 0, endMs: 1 },
})
const counts = (to: number, counted: number | null = null) =>
  end({}, { things: new Map([['t', { from: 1, to, counted }]]) })
const at = (startMs: number, endMs = startMs + 1) => ({ startMs, endMs })

const BROKEN: readonly [string, History][] = [
  [
    'no provider is allocated beyond its capacity',
    scenario({
      writes: [write('a', held(3)), write('b', held(2))],
      ends: [end({ a: held(3), b: held(2) })],
    }),
  ],
  [
    'no provider is allocated beyond its capacity',
    scenario({
      writes: [write('a', held(4)), write('b', held(4), { outcome: 'lost' })],
      uses: [{ provider: P, used: 8, ...at(30) }],
      ends: [end({ a: held(4) })],
    }),
  ],
  [
    'a claim is refused only if it may have exceeded the capacity',
    scenario({ writes: [write('a', held(1)), write('b', held(3), { outcome: 'full' })], ends: [end({ a: held(1) })] }),
  ],
  [
    'a read returns every write acknowledged before it',
    scenario({
      writes: [write('a', held(2))],
      reads: [{ consumer: 'a', saw: NOTHING_HELD, ...at(30) }],
      ends: [end({ a: held(2) })],
    }),
  ],
  [
    'usages equal the sum of allocations',
    scenario({
      writes: [write('a', held(2))],
      uses: [{ provider: P, used: 1, ...at(30) }],
      ends: [end({ a: held(2) })],
    }),
  ],
  [
    'allocation candidates reflect the last write',
    scenario({ candidates: [{ provider: P, isFull: true, found: 1, ...at(1) }] }),
  ],
  [
    'of two writes at the same generation, one is refused',
    scenario({ guarded: [guarded(1), guarded(1)], ends: [counts(2)] }),
  ],
  ['of two writes at the same generation, one is refused', scenario({ guarded: [guarded(1)], ends: [counts(3)] })],
  ['of two writes at the same generation, one is refused', scenario({ guarded: [guarded(1)], ends: [counts(2, 0)] })],
  [
    'every acknowledged write is there at the end, on every copy',
    scenario({ writes: [write('a', held(2))], ends: [end({ a: held(2) }), end({})] }),
  ],
  [
    'every acknowledged write is there at the end, on every copy',
    scenario({ writes: [write('a', held(2))], ends: [end({ a: held(2) }, { used: new Map([[P, 3]]) })] }),
  ],
  [
    'every acknowledged write is there at the end, on every copy',
    scenario({
      writes: [
        write('a', held(2)),
        write('a', NOTHING_HELD, { ...at(30), outcome: 'lost', action: 99 }),
        write('b', held(2), { ...at(30), outcome: 'lost', action: 99 }),
      ],
      ends: [end({})],
    }),
  ],
]

test.each(BROKEN)('%s: a violation is detected (%#)', (law, history) => {
  expect(new Set(brokenLaws(history).map((broken) => broken.law))).toEqual(new Set([law]))
})

test('a possible history is not called a violation', () => {
  const history = scenario({
    writes: [
      write('a', held(3)),
      write('b', held(1), { outcome: 'full', ...at(15, 25) }), // sent while `c` may still have had its allocation
      write('c', held(2), { startMs: 0, endMs: 5 }),
      write('c', NOTHING_HELD, { startMs: 8, endMs: 18 }),
      write('d', held(1), { ...at(30), outcome: 'lost' }),
      write('a', held(2), { startMs: 40, endMs: 60 }),
    ],
    reads: [
      { consumer: 'a', saw: held(3), ...at(50) },
      { consumer: 'a', saw: held(2), ...at(50) },
    ],
    uses: [
      { provider: P, used: 3, ...at(32) },
      { provider: P, used: 4, ...at(32) },
    ],
    guarded: [guarded(1), guarded(1, 'raced'), guarded(2, 'lost')],
    candidates: [{ provider: P, isFull: false, found: 1, ...at(1) }],
    ends: [end({ a: held(2), d: held(1) }, { used: new Map([[P, 3]]), things: counts(3, 2).things })],
  })
  expect(brokenLaws(history)).toEqual([])
})
