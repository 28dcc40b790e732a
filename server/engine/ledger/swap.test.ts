import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ForestProvider } from '../resources/forest'
import { INTENT_NUMBERS, intentOf, NaiveLedger, PROVIDERS, type Step, uuidOf, writeOf } from '../testing/swaps'
import { type AllocationRecords, type ConsumerHolding, type ConsumerWrite, decideAllocations } from './allocations'
import { swapsOf } from './swap'

// Only the request that created a pair identifies the two halves of a migration.

const STOCK = { total: 1000, reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, ratio: 1, used: 0 }
const NONE = new Set<string>()

function providerOf(id: string): ForestProvider {
  const own = { id, name: id, parent: null, root: id, generation: 1, isHost: false }
  return { ...own, traits: NONE, aggregates: NONE, stocks: new Map([['VCPU', STOCK]]) }
}

class Records implements AllocationRecords {
  readonly holdings = new Map<string, ConsumerHolding>()
  readonly hosts = NONE
  readonly foreignAllowed = false
  readonly #providers = new Map(
    Array.from({ length: PROVIDERS }, (_, nth) => [uuidOf('a', nth), providerOf(uuidOf('a', nth))]),
  )
  provider = (id: string) => this.#providers.get(id)
  hasClass = (name: string) => name === 'VCPU'
  holding = (consumer: string) => this.holdings.get(consumer)
  isDriven = () => false

  write({ how, parts }: Step, generationOf: (id: number) => number | null): void {
    const kind = how === 'delete' ? 'released' : how === 'reshape' ? 'reshaped' : 'allocated'
    const claim = { kind, consumers: parts.map((part) => writeOf(part, generationOf(part.id))) } as const
    const { change, refused } = decideAllocations(this, [claim])
    expect([...refused.values()]).toEqual([])
    for (const { id, amounts: lines, type } of claim.consumers) {
      const before = change.known.get(id)
      const swappedFrom = (before ? before.swappedFrom : change.swaps.get(id)) ?? null
      if (lines.length === 0) this.holdings.delete(id)
      else {
        const generation = (before?.generation ?? 0) + 1
        this.holdings.set(id, { generation, type: type ?? before?.type ?? 'unknown', lines, swappedFrom })
      }
    }
  }

  get pairs(): readonly (readonly [string, string])[] {
    return [...this.holdings].flatMap(([id, { swappedFrom }]) => (swappedFrom === null ? [] : [[id, swappedFrom]]))
  }
}

const die = fc.nat({ max: 999 })
const steps = fc.array(fc.array(die, { minLength: INTENT_NUMBERS, maxLength: INTENT_NUMBERS, size: 'max' }), {
  minLength: 4,
  maxLength: 14,
  size: 'max',
})

const pairsOf = ({ pairs }: NaiveLedger) => [...pairs].map((pair) => pair.map((nth) => uuidOf('c', nth)))

test('pairs equal those of a naive model of all requests', () => {
  fc.assert(
    fc.property(steps, (numbers) => {
      const model = new NaiveLedger()
      const records = new Records()
      for (const each of numbers) {
        const step = model.stepOf(intentOf(each))
        if (!step) continue
        records.write(step, model.generationOf)
        model.follow(step)
        expect([...records.pairs].sort()).toEqual(pairsOf(model).sort())
      }
    }),
    { numRuns: 500 },
  )
})

const put = (id: number, amounts: Record<string, number>) => ({ do: 'put', id, amounts, type: null }) as const
const over = (from: number, to: number) => ({ from, to, aim: 'any', twist: 'none' }) as const
const move = (...pairs: ReturnType<typeof over>[]) => ({ do: 'hand-over', pairs }) as const

test.each([
  ['a swap makes a pair', [put(0, { 0: 2 }), move(over(0, 1))], [[1, 0]]],
  [
    'a pair lasts while the instance claims the target',
    [put(0, { 0: 2 }), move(over(0, 1)), put(0, { 1: 2 })],
    [[1, 0]],
  ],
  ['a release ends it', [put(0, { 0: 2 }), move(over(0, 1)), put(0, { 1: 2 }), move(over(1, 0))], []],
  [
    'a release to an instance without allocations ends it too',
    [put(0, { 0: 2 }), move(over(0, 1)), move(over(1, 0))],
    [],
  ],
  ['a delete ends it', [put(0, { 0: 2 }), move(over(0, 1)), { do: 'delete', id: 1 } as const], []],
  ['a migration can be used again', [put(0, { 0: 2 }), move(over(0, 1)), move(over(1, 0)), move(over(0, 1))], [[1, 0]]],
  ['two different instances have one pair each', [put(0, { 0: 2 }), put(1, { 0: 1 }), move(over(0, 2), over(1, 3))], [[2, 0], [3, 1]]], // biome-ignore format: a row a case
  ['two equal instances are ambiguous', [put(0, { 0: 2 }), put(1, { 0: 2 }), move(over(0, 2), over(1, 3))], []],
])('the pairs are right: %s', (_, wanted, expected) => {
  const model = new NaiveLedger()
  const records = new Records()
  for (const intent of wanted) {
    const step = model.stepOf(intent)
    if (!step) throw new Error('every step asks for something')
    records.write(step, model.generationOf)
    model.follow(step)
  }
  expect(records.pairs).toEqual(expected.map((pair) => pair.map((nth) => uuidOf('c', nth))))
  expect(pairsOf(model)).toEqual(records.pairs)
})

test.each([
  ['distinct', (nth: number) => nth],
  ['equal', () => 1],
])('thousands of %s pairs in one request are found in linear time', (_, amountOf) => {
  const MANY = 2_000
  let lookups = 0
  const records = new Records()
  const lines = (nth: number) => [{ provider: uuidOf('a', 0), resourceClass: 'VCPU', amount: amountOf(nth) }]
  const numbers = Array.from({ length: MANY }, (_, nth) => nth + 1)
  for (const nth of numbers) {
    records.holdings.set(`giver ${nth}`, { generation: 1, type: 'unknown', lines: lines(nth), swappedFrom: null })
  }
  const counted: AllocationRecords = {
    ...records,
    holding: (id) => {
      lookups++
      return records.holding(id)
    },
  }
  const write = (id: string, amounts: ConsumerWrite['amounts']) => ({
    ...{ id, generation: null, checked: false, project: 'p', user: 'u', type: null, amounts },
  })
  const consumers = numbers.flatMap((nth) => [write(`giver ${nth}`, []), write(`taker ${nth}`, lines(nth))])
  const swaps = swapsOf(counted, { kind: 'allocated', consumers })
  expect(swaps.size).toBe(amountOf(2) === amountOf(3) ? 0 : MANY)
  expect(lookups).toBeLessThan(MANY * 20)
})
