import { expect, it } from 'vitest'
import { FutureTimestamps } from './future-timestamps'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 10, 25, 12)
const row = (updatedAt: number | null, createdAt = NOW - HOUR_MS) => ({ id: 'one', createdAt, updatedAt })

it('a row with a time up to now is left as it is', () => {
  const ahead = new FutureTimestamps()
  for (const at of [null, NOW - HOUR_MS, NOW, NOW + 1_000]) expect(ahead.dated(row(at), NOW)).toEqual(row(at))
})

it('a row keeps its date when the clock reaches the time in it, until it is written again', () => {
  const ahead = new FutureTimestamps()
  const later = NOW + HOUR_MS
  const dated = { ...row(NOW), status: 'ended', writtenAs: later }
  for (const at of [NOW, later - 3_000, later, later + 60_000, later + 24 * HOUR_MS])
    expect(ahead.dated({ ...row(later), status: 'ended' }, at)).toEqual(dated)
  const again = { ...row(later), status: 'running' } // in the same second by its clock
  expect(ahead.dated(again, later + 60_000)).toEqual(again)
  expect(ahead.dated({ ...row(later), status: 'ended' }, later + 70_000)).toEqual({ ...row(later), status: 'ended' })
})

it('a row with a future time is dated at its first read, and its next write counts as new', () => {
  const ahead = new FutureTimestamps()
  const later = NOW + HOUR_MS
  expect(ahead.dated(row(later), NOW)).toEqual({ ...row(NOW), writtenAs: later })
  expect(ahead.dated(row(later), NOW + 60_000)).toEqual({ ...row(NOW), writtenAs: later })
  expect(ahead.dated(row(later + 5_000), NOW + 90_000)).toEqual({ ...row(NOW + 90_000), writtenAs: later + 5_000 })
  expect(ahead.dated(row(null, later), NOW + 95_000)).toEqual({ ...row(null, NOW + 95_000), writtenAs: later })
  expect(ahead.dated(row(NOW + 95_000), NOW + 100_000)).toEqual(row(NOW + 95_000))
  expect(ahead.dated(row(later), NOW + 110_000)).toEqual({ ...row(NOW + 110_000), writtenAs: later })
})
