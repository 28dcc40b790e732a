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
