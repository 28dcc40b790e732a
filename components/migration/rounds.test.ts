import { expect, it } from 'vitest'
import type { StepView } from '@/server/api/migration/view'
import type { Progress } from '@/server/engine/migration/state'
import { downtimeMark, isCounted, progressPoints, roundMarks, thinned, unattendedMarks } from './rounds'

const point = (at: number, iteration: number, downtimeMs: number | null = null): Progress => ({
  ...{ at, iteration, downtimeMs, totalBytes: 8, remainingBytes: 4, dirtyBytesPerS: 1, bandwidthBytesPerS: 2 },
  postCopy: false,
})

it('the chart marks the first sample of every round except the first', () => {
  const marks = roundMarks([point(1, 1), point(2, 1), point(3, 2), point(4, 5)])
  expect(marks.map(({ at, label }) => [at, label])).toEqual([
    [3, 'iteration 2'],
    [4, 'iteration 5'],
  ])
})

it('the chart leaves out samples from before the memory was counted, because 0 of 0 bytes is no end', () => {
  const uncounted = { ...point(1, 1), totalBytes: 0, remainingBytes: 0 }
  expect([uncounted, point(2, 1), { ...point(3, 1), remainingBytes: 0 }].filter(isCounted).map(({ at }) => at)).toEqual(
    [2, 3],
  )
})

it('the chart keeps few enough rounds to show the curves, from the first one on', () => {
  const many = roundMarks(Array.from({ length: 200 }, (_, n) => point(n, n)))
  const drawn = thinned(many)
  expect(drawn.length).toBeLessThanOrEqual(12)
  expect(drawn[0]).toEqual(many[0])
  expect(thinned(many.slice(0, 12))).toEqual(many.slice(0, 12))
})

const switched = { step: 'switch', direction: 'target', startedAt: 900 } as StepView

it('the chart draws the downtime up to the switch, and nothing while it is unknown', () => {
  expect(downtimeMark([switched], [point(1000, 3, 80)])).toMatchObject([{ at: 820, to: 900, label: 'downtime 80 ms' }])
  expect(downtimeMark([], [point(1000, 3, 80)])).toMatchObject([{ at: 920, to: 1000 }])
  expect(downtimeMark([switched], [point(1000, 3)])).toEqual([])
  expect(downtimeMark([switched], [])).toEqual([])
})

it('the chart draws no line over a gap without samples', () => {
  const history = [point(1_000, 1), point(2_000, 1), point(60_000, 2)]
  expect(progressPoints(history).map(({ at, of }) => [at, of?.iteration ?? null])).toEqual([
    [1_000, 1],
    [2_000, 1],
    [2_001, null],
    [60_000, 2],
  ])
  expect(progressPoints(history.slice(0, 2)).every(({ of }) => of !== null)).toBe(true)
})

it('the chart marks when no server ran the migration, to the last sample while that lasts', () => {
  expect(
    unattendedMarks(
      [
        { from: 5, to: 8 },
        { from: 9, to: null },
      ],
      20,
    ),
  ).toMatchObject([
    { at: 5, to: 8 },
    { at: 9, to: 20 },
  ])
})
