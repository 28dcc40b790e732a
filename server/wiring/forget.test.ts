import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { putSetting } from '../store/catalog/policy'
import { connectDatabase } from '../store/database/database'
import { readPastSince } from '../store/past/past'
import { historyRetentionTask } from './forget'

const database = onFreshDatabase(connectDatabase)

const NEVER = new AbortController().signal
const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 28)

/** Days before now of the events that are left after this many rounds. */
async function leftAfter(rounds: number, aheadDays: number): Promise<readonly number[]> {
  await database.pool.query('delete from event')
  await putSetting(database, 'past-since', NOW - 30 * DAY_MS)
  await database.pool.query(
    `insert into event (sequence, kind, hosts, data, raised, who, at)
      select n + 1, 'host.status', '{}', '{}', '{}', 'x', to_timestamp($1::float8 / 1000) - n * interval '1 day'
      from generate_series(0, 40) n`,
    [NOW],
  )
  const { round } = historyRetentionTask(database, () => NOW + aheadDays * DAY_MS)
  for (let each = 0; each < rounds; each++) await round(NEVER)
  const { rows } = await database.pool.query<{ sequence: string }>('select sequence from event order by sequence')
  return rows.map(({ sequence }) => Number(sequence) - 1)
}

test('history is kept for thirty days', async () => {
  expect(await leftAfter(1, 0)).toEqual(Array.from({ length: 31 }, (_, day) => day))
})

test('a clock that is a year ahead for two rounds costs half a day of history, and the past stays known', async () => {
  expect(await leftAfter(2, 365)).toEqual(Array.from({ length: 30 }, (_, day) => day))
  expect(await readPastSince(database)).toBe(NOW - 29.5 * DAY_MS)
})

test('after a rest of ten days history is caught up with', async () => {
  expect(await leftAfter(60, 10)).toEqual(Array.from({ length: 21 }, (_, day) => day))
})
