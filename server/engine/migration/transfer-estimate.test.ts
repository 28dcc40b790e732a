import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTransfer, type TransferAssumptions } from './transfer-estimate'

const MIB = 1024 ** 2
const GIVEN: TransferAssumptions = {
  ...{ memoryBytes: 1000 * MIB, diskBytes: 0, dirtyBytesPerS: 0, bandwidthBytesPerS: 100 * MIB, maxDowntimeMs: 300 },
}

describe('the estimate of a live transfer', () => {
  it.each([
    ['is one round for an idle instance', {}, { durationMs: 10_000, downtimeMs: 300, converges: true }],
    // 10 s leave 500 MiB, 5 s leave 250, 2.5 s leave 125, 1.25 s leave 62.5, 0.625 s leave 31.25, which takes
    // 312 ms and does not fit, 0.3125 s leave 15.6, which does.
    [
      'doubles when memory is dirtied at half the bandwidth',
      { dirtyBytesPerS: 50 * MIB },
      { durationMs: 19_844, converges: true },
    ],
    [
      'has no end when memory is dirtied at the bandwidth',
      { dirtyBytesPerS: 100 * MIB },
      { durationMs: null, converges: false },
    ],
    [
      'is the downtime when all memory fits into it',
      { memoryBytes: 30 * MIB, dirtyBytesPerS: 900 * MIB },
      { durationMs: 300, converges: true },
    ],
    [
      'is one round without a dirty rate',
      { dirtyBytesPerS: null },
      { durationMs: 10_000, downtimeMs: null, converges: null },
    ],
    ['copies a disk once, before the memory', { diskBytes: 500 * MIB }, { durationMs: 15_000, downtimeMs: 300 }],
    [
      'is unknown without a bandwidth',
      { bandwidthBytesPerS: null },
      { durationMs: null, downtimeMs: null, converges: null },
    ],
  ])('%s', (_what, over, expected) => {
    expect(estimateTransfer({ ...GIVEN, ...over })).toMatchObject(expected)
  })

  it('never shrinks with more memory or a higher dirty rate, and takes at least one round', () => {
    const bytes = fc.integer({ min: 1, max: 1024 ** 4 })
    fc.assert(
      fc.property(bytes, bytes, bytes, fc.integer({ min: 0, max: 1024 ** 3 }), (memoryBytes, rate, dirty, more) => {
        const of = (over: Partial<TransferAssumptions>) =>
          estimateTransfer({ ...GIVEN, memoryBytes, bandwidthBytesPerS: rate, dirtyBytesPerS: dirty, ...over })
        const ms = ({ durationMs }: { durationMs: number | null }) => durationMs ?? Number.POSITIVE_INFINITY
        const base = ms(of({}))
        expect(base).toBeGreaterThanOrEqual(Math.floor((memoryBytes / rate) * 1000))
        expect(ms(of({ dirtyBytesPerS: dirty + more }))).toBeGreaterThanOrEqual(base)
        // A round leaves at most 95 % of the previous one: 564 rounds bring 1 TiB at 1 B/s under the downtime.
        if (dirty <= rate * 0.95) expect(base).toBeLessThan(Number.POSITIVE_INFINITY)
        if (dirty > rate && base !== Math.round((memoryBytes / rate) * 1000))
          expect(base).toBe(Number.POSITIVE_INFINITY)
      }),
    )
  })
})
