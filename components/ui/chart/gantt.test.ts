import { describe, expect, it } from 'vitest'
import { axisOf, type Bar, nextSpot, placeOf, type Spot, share, type Track } from './gantt'

const bar = (from: number, to: number | null): Bar => ({
  key: String(from),
  from: from * 1000,
  to: to === null ? null : to * 1000,
})
const track = (key: string, ...bars: Bar[]): Track => ({ key, bars })

describe('the axis', () => {
  it('is absent without a bar', () => {
    expect(axisOf([track('steps')], 5_000)).toBeNull()
  })

  it('ends at a whole tick after the last bar', () => {
    const axis = axisOf([track('steps', bar(0, 10), bar(10, 47))], 1e9)
    expect(axis).toMatchObject({ from: 0, to: 50_000 })
    expect(axis?.ticks).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000])
  })

  it('stays the same while a running bar grows within a tick', () => {
    const running = [track('steps', bar(0, null))]
    expect(axisOf(running, 41_000)).toEqual(axisOf(running, 49_000))
    expect(axisOf(running, 51_000)?.to).toBe(60_000)
  })

  it('covers a migration of months', () => {
    const axis = axisOf([track('steps', bar(0, 90 * 86_400))], 0)
    expect(axis?.to).toBeGreaterThanOrEqual(90 * 86_400_000)
    expect(axis?.ticks.length).toBeLessThanOrEqual(7)
  })
})

describe('a bar', () => {
  const axis = { from: 0, to: 100_000, ticks: [] }
  it.each<[title: string, bar: Bar, left: number, width: number]>([
    ['is placed by its start and end', bar(20, 50), 20, 30],
    ['without an end reaches until now', bar(60, null), 60, 20],
    ['of zero length is still visible', bar(50, 50), 50, 0.4],
    ['of zero length at the end stays inside', bar(100, 100), 99.6, 0.4],
  ])('%s', (_, each, left, width) => {
    const place = placeOf(each, axis, 80_000)
    expect(place.left).toBeCloseTo(left)
    expect(place.width).toBeCloseTo(width)
  })
  it('is at the same time position in every track', () => {
    expect(share(axis, 25_000)).toBe(25)
  })
})

describe('keys', () => {
  const tracks = [track('steps', bar(0, 1), bar(1, 9), bar(9, 10)), track('none'), track('held', bar(0, 5), bar(5, 10))]
  it.each<[key: string, at: Spot, next: Spot | null]>([
    ['ArrowRight', { track: 0, bar: 0 }, { track: 0, bar: 1 }],
    ['ArrowRight', { track: 0, bar: 2 }, null],
    ['ArrowLeft', { track: 0, bar: 0 }, null],
    ['ArrowLeft', { track: 2, bar: 1 }, { track: 2, bar: 0 }],
    ['End', { track: 0, bar: 0 }, { track: 0, bar: 2 }],
    ['Home', { track: 0, bar: 2 }, { track: 0, bar: 0 }],
    ['ArrowDown', { track: 0, bar: 1 }, { track: 2, bar: 0 }],
    ['ArrowDown', { track: 0, bar: 2 }, { track: 2, bar: 1 }],
    ['ArrowUp', { track: 2, bar: 1 }, { track: 0, bar: 1 }],
    ['ArrowDown', { track: 2, bar: 0 }, null],
    ['x', { track: 0, bar: 0 }, null],
  ])('%s from %j', (key, at, next) => {
    expect(nextSpot(key, at, tracks)).toEqual(next)
  })
})
