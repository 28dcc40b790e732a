import { expect, it } from 'vitest'
import { FutureTimestamps } from './future-timestamps'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 10, 25, 12)
const row = (updatedAt: number | null, createdAt = NOW - HOUR_MS) => ({ id: 'one', createdAt, updatedAt })

it('a row with a time up to now is left as it is', () => {
  const ahead = new FutureTimestamps()
  for (const at of [null, NOW - HOUR_MS, NOW, NOW + 1_000])
    expect(ahead.dated(row(at), { now: NOW, steadySince: null })).toEqual(row(at))
})

it('after a step of the clock a row keeps its date when the clock reaches the time in it, until it is written again', () => {
  const ahead = new FutureTimestamps()
  const later = NOW + HOUR_MS
  const dated = { ...row(NOW), status: 'ended', writtenAs: later }
  const datedAt = (now: number, status = 'ended') =>
    ahead.dated({ ...row(later), status }, { now, steadySince: NOW - 5_000 })
  for (const at of [NOW, later - 3_000, later, later + 60_000, later + 24 * HOUR_MS]) expect(datedAt(at)).toEqual(dated)
  // In the same second by its clock.
  expect(datedAt(later + 60_000, 'running')).toEqual({ ...row(later), status: 'running' })
  expect(datedAt(later + 70_000)).toEqual({ ...row(later), status: 'ended' })
})

it.each([
  ['no step', HOUR_MS, null],
  ['a slow poll', 10_000, NOW - 5_000],
])('after %s a row has its own time once the clock reaches it', (_, aheadMs, steadySince) => {
  const ahead = new FutureTimestamps()
  const later = NOW + aheadMs
  expect(ahead.dated(row(later), { now: NOW, steadySince })).toEqual({ ...row(NOW), writtenAs: later })
  expect(ahead.dated(row(later), { now: later, steadySince })).toEqual(row(later))
})

it('a row with a future time is dated at its first read, and its next write counts as new', () => {
  const ahead = new FutureTimestamps()
  const later = NOW + HOUR_MS
  expect(ahead.dated(row(later), { now: NOW, steadySince: null })).toEqual({ ...row(NOW), writtenAs: later })
  expect(ahead.dated(row(later), { now: NOW + 60_000, steadySince: null })).toEqual({ ...row(NOW), writtenAs: later })
  expect(ahead.dated(row(later + 5_000), { now: NOW + 90_000, steadySince: null })).toEqual({
    ...row(NOW + 90_000),
    writtenAs: later + 5_000,
  })
  expect(ahead.dated(row(null, later), { now: NOW + 95_000, steadySince: null })).toEqual({
    ...row(null, NOW + 95_000),
    writtenAs: later,
  })
  expect(ahead.dated(row(NOW + 95_000), { now: NOW + 100_000, steadySince: null })).toEqual(row(NOW + 95_000))
  expect(ahead.dated(row(later), { now: NOW + 110_000, steadySince: null })).toEqual({
    ...row(NOW + 110_000),
    writtenAs: later,
  })
})
