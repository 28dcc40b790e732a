import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ForestProvider } from '../resources/forest'
import { type AllocationLine, type AllocationRecords, decideAllocations } from './allocations'

const PROVIDERS = ['a', 'b', 'c']
const TOTAL = 10

const provider = (id: string, used: number): ForestProvider => ({
  ...{ id, name: id, parent: null, root: id, generation: 1, traits: new Set(), aggregates: new Set(), isHost: false },
  stocks: new Map([['VCPU', { total: TOTAL, reserved: 0, minUnit: 1, maxUnit: TOTAL, stepSize: 1, ratio: 1, used }]]),
})

const line = fc.record({ provider: fc.constantFrom(...PROVIDERS), amount: fc.integer({ min: 1, max: 6 }) })
// A consumer takes of a provider once.
const lines = fc.uniqueArray(line, { selector: (each) => each.provider, minLength: 1 })

test('of amounts that do not fit, the first one is named whose sum with those before it exceeds the capacity', () => {
  fc.assert(
    fc.property(
      fc.array(lines, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: TOTAL }), { minLength: 3, maxLength: 3 }),
      (claimed, used) => {
        const providers = new Map(PROVIDERS.map((id, n) => [id, provider(id, used[n] ?? 0)]))
        const records: AllocationRecords = {
          provider: (id) => providers.get(id),
          hasClass: () => true,
          holding: () => undefined,
          isDriven: () => false,
          hosts: new Set(),
          foreignAllowed: true,
        }
        const consumers = claimed.map((taken, n) => ({
          ...{ id: `consumer-${n}`, generation: null, checked: true, project: 'p', user: 'u', type: null },
          amounts: taken.map((each): AllocationLine => ({ ...each, resourceClass: 'VCPU' })),
        }))
        const claim = { kind: 'allocated', consumers } as const
        const sums = new Map(PROVIDERS.map((id, n) => [id, used[n] ?? 0]))
        const first = claimed.flat().find(({ provider: at, amount }) => {
          sums.set(at, (sums.get(at) ?? 0) + amount)
          return (sums.get(at) ?? 0) > TOTAL
        })
        const refused = decideAllocations(records, [claim]).refused.get(claim)
        expect(refused).toEqual(first && { kind: 'full', class: 'VCPU', provider: first.provider })
      },
    ),
  )
})

// A request may have 16 MiB, and the whole server waits while it is decided: no check may compare each line with each.
const MANY = 2_000
const LOOKUPS_PER_LINE = 20

const stocks = new Map([
  ['VCPU', { ...provider('a', 0).stocks.get('VCPU'), total: MANY / 2, maxUnit: MANY }],
]) as ForestProvider['stocks']

/** Counts the reads of lines and the look-ups of providers. */
function countedRecords(more: Partial<AllocationRecords> = {}, of: Partial<ForestProvider> = {}) {
  const counts = { lookups: 0 }
  const records: AllocationRecords = {
    provider: (id) => {
      counts.lookups++
      return { ...provider(id, 0), stocks: id === 'bare' ? new Map() : stocks, ...of }
    },
    ...{ hasClass: () => true, holding: () => undefined, isDriven: () => false },
    ...{ hosts: new Set<string>(), foreignAllowed: true, ...more },
  }
  const line = (at: string, resourceClass = 'VCPU'): AllocationLine => ({
    ...{ resourceClass, amount: 1 },
    get provider() {
      counts.lookups++
      return at
    },
  })
  return { counts, records, line }
}

const numbers = Array.from({ length: MANY }, (_, n) => n)
const consumerOf = (id: string, amounts: readonly AllocationLine[]) => ({
  ...{ id, generation: null, checked: false, project: 'p', user: 'u', type: null, amounts },
})

test('of thousands of consumers that do not fit together, the first too many is found in linear time', () => {
  const { counts, records, line } = countedRecords()
  const claim = { kind: 'allocated', consumers: numbers.map((n) => consumerOf(`c${n}`, [line('a')])) } as const
  expect(decideAllocations(records, [claim]).refused.get(claim)?.kind).toBe('full')
  expect(counts.lookups).toBeLessThan(MANY * LOOKUPS_PER_LINE)
})

test('thousands of lines of which few name a class of the provider are checked in linear time', () => {
  const { counts, records, line } = countedRecords()
  const consumers = numbers.map((n) => consumerOf(`c${n}`, [line('a', n === MANY - 1 ? 'VCPU' : 'DISK_GB')]))
  const claim = { kind: 'allocated', consumers } as const
  expect(decideAllocations(records, [claim]).refused.get(claim)?.kind).toBe('no-inventory')
  expect(counts.lookups).toBeLessThan(MANY * LOOKUPS_PER_LINE)
})

test('a consumer on thousands of providers of one host is checked in linear time', () => {
  const { counts, records, line } = countedRecords(
    { hosts: new Set(['host']), foreignAllowed: false },
    { root: 'host' },
  )
  const amounts = numbers.map((n) => line(`p${n}`))
  const holding = { generation: 1, type: 'INSTANCE', lines: amounts, swappedFrom: null }
  const claim = { kind: 'allocated', consumers: [consumerOf('c', amounts)] } as const
  expect(decideAllocations({ ...records, holding: () => holding }, [claim]).refused.size).toBe(0)
  expect(counts.lookups).toBeLessThan(MANY * LOOKUPS_PER_LINE)
})

test('thousands of unknown classes are refused before they are counted', () => {
  const { records, line } = countedRecords({ hasClass: () => false })
  let reads = 0
  const amounts = numbers.map((n) =>
    Object.defineProperty({ ...line('a') }, 'resourceClass', {
      get: () => {
        reads++
        return `CUSTOM_${n}`
      },
    }),
  )
  const claim = { kind: 'allocated', consumers: [consumerOf('c', amounts)] } as const
  expect(decideAllocations(records, [claim]).refused.get(claim)).toEqual({ kind: 'no-class', class: 'CUSTOM_0' })
  expect(reads).toBe(1)
})
