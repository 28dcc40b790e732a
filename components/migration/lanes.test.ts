import { describe, expect, it } from 'vitest'
import type { HeldSpan } from '@/server/api/migration/spans'
import type { StepView } from '@/server/api/migration/view'
import { bandsOf, lanesOf, rowsOf } from './lanes'

const clock = (ms: number) => `${ms / 1000} s`
const held = { vcpus: 2, pinnedCpus: 0, memoryMib: 4096, diskGib: 0, devices: 0 }
const host = { id: 'h', name: 'h-07' }

const step = (name: StepView['step'], [from, to]: [number, number | null], note: string | null = null): StepView => ({
  ...{ seq: from, step: name, direction: 'target', startedAt: from * 1000, endedAt: to === null ? null : to * 1000 },
  ...{ result: to === null ? null : 'done', note, pace: null },
})
const span = (side: HeldSpan['side'], holder: HeldSpan['holder'], [from, to]: [number, number | null]): HeldSpan => ({
  ...{ side, holder, host, held, from: from * 1000, to: to === null ? null : to * 1000 },
})

const migration = {
  steps: [step('claim', [0, 1]), step('transfer', [1, null], 'tried again')],
  spans: [
    span('source', 'instance', [0, 1]),
    span('source', 'migration', [1, null]),
    span('target', 'instance', [1, null]),
  ],
  unattended: [{ from: 20_000, to: 35_000 }],
}

describe('a migration as lanes', () => {
  const lanes = lanesOf(migration, clock)

  it('has its steps, both claims even on one host, and the servers on one time axis', () => {
    expect(lanes.map(({ label, bars }) => [label, bars.length])).toEqual([
      ['Steps', 2],
      ['source: h-07', 2],
      ['target: h-07', 1],
      ['Servers', 1],
    ])
  })
  it('leaves out lanes without content', () => {
    expect(lanesOf({ ...migration, spans: [], unattended: [] }, clock).map(({ key }) => key)).toEqual(['steps'])
  })
  it('shows for each bar its kind, direction, start and duration', () => {
    expect(lanes[0]?.bars.map(({ tip }) => tip)).toEqual([
      'claim, forward, from 0 s, 1 s',
      'transfer, forward, from 1 s, still running, tried again',
    ])
    expect(lanes[1]?.bars[1]?.tip).toBe('held by the migration: 2 vCPUs, 4 GiB, h-07, from 1 s, still running')
    expect(lanes[3]?.bars[0]?.tip).toBe('no server ran it, from 20 s, 15 s')
  })
  it('does not show an amount that is not recorded as nothing', () => {
    const [source] = lanesOf(
      { ...migration, spans: [{ ...span('source', 'instance', [0, 1]), held: null }] },
      clock,
    ).slice(1)
    expect(source?.bars[0]?.label).toBe('held by the instance: unknown, not recorded')
  })
  it('has a table with the same content', () => {
    const rows = rowsOf(lanes)
    expect(rows.map(({ lane, what }) => `${lane} ${what}`)).toEqual(
      lanes.flatMap((lane) => lane.bars.map((bar) => `${lane.label} ${bar.label}`)),
    )
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  })
})

it('marks when no server ran it, and from when the step was overdue', () => {
  const keys = (outcome: 'completed' | null, overdueAt: number | null) =>
    bandsOf({ unattended: migration.unattended, overdueAt, outcome }).map(({ key }) => key)
  expect(keys(null, 5)).toEqual(['unattended 20000', 'overdue'])
  expect(keys(null, null)).toEqual(['unattended 20000'])
  expect(keys('completed', 5)).toEqual(['unattended 20000'])
})
