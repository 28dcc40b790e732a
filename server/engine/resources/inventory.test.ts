import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inventory } from '../testing/hosts'
import { capacityOf, fitsInventory, freeOf, shapeProblem } from './inventory'

describe('capacity is (total − reserved) × ratio, exactly', () => {
  //    total reserved ratio(milli) capacity
  const cases = [
    [8, 0, 1000, 8],
    [8, 0, 16_000, 128],
    [10, 2, 1500, 12],
    [3, 0, 1500, 4],
    [100, 0, 1100, 110], // as floats 100 × 1.1 is 110.00000000000001
    [29, 0, 1100, 31],
    [8, 8, 1000, 0],
    [2, 4, 1000, -2], // total below reserved: legal in Placement since 1.26, no free amount
  ] as const
  test.each(cases)('(%i − %i) × %i‰ = %i', (total, reserved, allocationRatioMilli, capacity) => {
    expect(capacityOf(inventory('VCPU', total, { reserved, allocationRatioMilli }))).toBe(capacity)
  })

  test('an inventory below its usage has nothing free, but not less than nothing', () => {
    expect(freeOf(inventory('VCPU', 4, { used: 9 }))).toBe(0)
  })

  test('taking all that is free succeeds, and one more fails', () => {
    const ratios = fc.integer({ min: 1, max: 32_000 })
    const amounts = fc.nat({ max: 100_000 })
    fc.assert(
      fc.property(amounts, amounts, ratios, (total, used, allocationRatioMilli) => {
        const kept = inventory('X', total, { used, allocationRatioMilli, maxUnit: 10_000_000 })
        const free = freeOf(kept)
        expect(used + free <= Math.max(used, capacityOf(kept))).toBe(true)
        expect(fitsInventory(kept, free + 1)).toBe(false)
        if (free > 0) expect(fitsInventory(kept, free)).toBe(true)
      }),
    )
  })
})

describe('an allocation has limits and steps', () => {
  const bounds = inventory('X', 100, { minUnit: 4, maxUnit: 32, stepSize: 4 })
  const cases = [
    [4, null],
    [32, null],
    [3, 'at least 4'],
    [36, 'at most 32'],
    [10, 'a multiple of 4'],
  ] as const
  test.each(cases)('%i → %s', (amount, problem) => {
    expect(shapeProblem(bounds, amount)).toBe(problem)
  })
})
