import { expect, test } from 'vitest'
import type { Stock } from './forest'
import { type InstanceCount, instancesByAmounts } from './instances-by-amounts'

const stock = (more: Partial<Stock> = {}): Stock => ({
  ...{ total: 8, reserved: 0, minUnit: 1, maxUnit: 8, stepSize: 1, ratio: 1, used: 0 },
  ...more,
})
const of = (stocks: Record<string, Partial<Stock>>) =>
  new Map(Object.entries(stocks).map(([name, more]) => [name, stock(more)]))

const ROWS: readonly [string, Record<string, Partial<Stock>>[], Record<string, number>, InstanceCount][] = [
  [
    'the scarcest class is the limit',
    [{ VCPU: {}, MEMORY_MB: { total: 5 } }],
    { VCPU: 2, MEMORY_MB: 2 },
    { more: 2, limit: 'MEMORY_MB' },
  ],
  ['used amounts are subtracted', [{ VCPU: { used: 5 } }], { VCPU: 2 }, { more: 1, limit: 'VCPU' }],
  ['ratio and reserve count', [{ VCPU: { ratio: 2, reserved: 4 } }], { VCPU: 2 }, { more: 4, limit: 'VCPU' }],
  [
    'a class comes from a single provider',
    [{ VCPU: { total: 3 } }, { VCPU: { total: 3 } }],
    { VCPU: 2 },
    { more: 2, limit: 'VCPU' },
  ],
  [
    'classes may come from different providers',
    [{ VCPU: {} }, { MEMORY_MB: {} }],
    { VCPU: 4, MEMORY_MB: 8 },
    { more: 1, limit: 'MEMORY_MB' },
  ],
  ['a missing class allows none', [{ VCPU: {} }], { VCPU: 1, DISK_GB: 1 }, { more: 0, limit: 'DISK_GB' }],
  ['an amount of zero is no limit', [{ VCPU: {} }], { VCPU: 1, DISK_GB: 0 }, { more: 8, limit: 'VCPU' }],
  ['the maximum per claim is respected', [{ VCPU: { maxUnit: 2 } }], { VCPU: 3 }, { more: 0, limit: 'VCPU' }],
  ['the step size is respected', [{ VCPU: { stepSize: 2 } }], { VCPU: 3 }, { more: 0, limit: 'VCPU' }],
  ['an overused inventory allows none', [{ VCPU: { used: 9 } }], { VCPU: 1 }, { more: 0, limit: 'VCPU' }],
  ['an empty request allows none', [{ VCPU: {} }], {}, { more: 0, limit: null }],
]

test.each(ROWS)('the count by amounts is right: %s', (_, stocks, amounts, expected) => {
  expect(instancesByAmounts(stocks.map(of), amounts)).toEqual(expected)
})
