import { describe, expect, it } from 'vitest'
import type { HeatCell } from '@/server/api/host/view'
import { fitsInAll, type HeatMetric, heatOf, zonesOf } from './heat'

const cell = (over: Partial<HeatCell> = {}): HeatCell => ({
  ...{
    id: 'h',
    name: 'h-07',
    zone: 'north',
    status: 'up',
    scheduling: 'enabled',
    movesIn: 0,
    movesOut: 0,
    findings: 0,
    worst: null,
  },
  ...{ run: null, contact: 'answering', cpus: { used: 30, total: 40 }, memoryMib: { used: 1, total: 2 } },
  ...over,
})
const run = { id: 'r', kind: 'drain', done: 3, total: 12 } as const
const room = (more: number, exact = true): HeatMetric => ({
  ...{ by: 'room', what: 's1.small', fits: new Map([['h', { more, exact }]]) },
})

describe('a square of the heatmap', () => {
  it.each([
    ['its share of CPUs', cell(), { by: 'cpus' }, 'h-07, up, 75 % of CPUs used'],
    ['its share of memory', cell(), { by: 'memoryMib' }, 'h-07, up, 50 % of Memory used'],
    ['how many more instances fit', cell(), room(12), 'h-07, up, 12 more s1.small'],
    ['that a count is a lower bound', cell(), room(12, false), 'h-07, up, at least 12 more s1.small'],
    ['that no more instance fits', cell({ id: 'other' }), room(12), 'h-07, up, 0 more s1.small'],
    [
      'its active migrations',
      cell({ movesIn: 2, movesOut: 1 }),
      { by: 'cpus' },
      'h-07, up, 75 % of CPUs used, 2 in, 1 out',
    ],
    ['findings', cell({ findings: 1 }), { by: 'cpus' }, 'h-07, up, 75 % of CPUs used, 1 finding'],
    ['its drain', cell({ run, scheduling: 'disabled' }), { by: 'cpus' }, 'h-07, draining, 3 of 12, 75 % of CPUs used'],
    ['its silence', cell({ run, contact: 'silent' }), { by: 'cpus' }, 'h-07, no answer, 75 % of CPUs used'],
    [
      'that its host never answered',
      cell({ contact: 'never-answered' }),
      { by: 'cpus' },
      'h-07, never answered, 75 % of CPUs used',
    ],
    ['its status first', cell({ run, status: 'down' }), { by: 'cpus' }, 'h-07, down, 75 % of CPUs used'],
  ] satisfies [string, HeatCell, HeatMetric, string][])('says %s', (_, of, shade, text) => {
    expect(heatOf(of, shade).text).toBe(text)
  })

  it('caps its shade so that its number stays readable', () => {
    const full = heatOf(cell({ cpus: { used: 5, total: 5 } }), { by: 'cpus' })
    expect(full.background).toContain('55.0')
    expect(heatOf(cell(), room(1_000)).background).toBe(heatOf(cell(), room(8)).background)
  })
})

it('sums what fits, and is exact only when every host is', () => {
  expect(fitsInAll([])).toEqual({ more: 0, hosts: 0, exact: true })
  const some = [
    { more: 3, exact: true },
    { more: 0, exact: false },
    { more: 4, exact: true },
  ]
  expect(fitsInAll(some)).toEqual({ more: 7, hosts: 2, exact: false })
})

it('groups hosts without a zone together', () => {
  const zones = zonesOf([cell({ id: 'a', zone: null }), cell({ id: 'b' }), cell({ id: 'c', zone: null })])
  expect(zones.map(({ name, cells }) => [name, cells.map(({ id }) => id)])).toEqual([
    ['no zone', ['a', 'c']],
    ['north', ['b']],
  ])
})
