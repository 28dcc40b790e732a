import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { connectDatabase } from '../store/database/database'
import { countAttempt } from '../store/user/attempts'
import { limitedAttempts } from './attempt-gate'

const database = onFreshDatabase(({ url }) => connectDatabase({ url, connections: 4 }))

const LIMIT = { max: 3, windowMs: 60_000 }
const at = (now: number) => ({ ...LIMIT, now })

test('a flood on one key queries the database only until it is blocked, one query at a time', async () => {
  let asked = 0
  let running = 0
  let most = 0
  const attempts = limitedAttempts(database, async (...args) => {
    asked++
    most = Math.max(most, ++running)
    return countAttempt(...args).finally(() => running--)
  })
  const answers = await Promise.all(Array.from({ length: 500 }, () => attempts.count('flood', at(1_000))))
  expect(answers.filter((wait) => wait === null)).toHaveLength(LIMIT.max)
  expect({ asked, most }).toEqual({ asked: LIMIT.max + 1, most: 1 })
  // The cached answer is the one that the database gives.
  expect(await attempts.count('flood', at(11_000))).toBe(50_000)
  expect(await countAttempt(database, 'flood', at(11_000))).toBe(50_000)
  expect(await attempts.count('flood', at(61_001))).toBeNull()
})

test('a locked key does not delay another key, however many requests wait', async () => {
  const attempts = limitedAttempts(database)
  await attempts.count('stuck', at(1_000))
  const holder = await database.pool.connect()
  await holder.query("begin; select 1 from auth_rate_limit where key = 'stuck' for update")
  const flood = Promise.all(Array.from({ length: 100 }, () => attempts.count('stuck', at(1_000))))
  expect(await attempts.count('other', at(1_000))).toBeNull()
  await holder.query('rollback')
  holder.release()
  expect((await flood).filter((wait) => wait === null)).toHaveLength(LIMIT.max - 1)
})

test('a forgotten key counts from zero', async () => {
  const attempts = limitedAttempts(database)
  for (let n = 0; n <= LIMIT.max; n++) await attempts.count('forgiven', at(1_000))
  expect(await attempts.count('forgiven', at(1_000))).not.toBeNull()
  await attempts.forget('forgiven')
  expect(await attempts.count('forgiven', at(1_000))).toBeNull()
})

test('a server whose clock is an hour ahead opens no window for another one', async () => {
  const { now } = Date
  const attempts = [limitedAttempts(database), limitedAttempts(database)]
  const answers: (number | null)[] = []
  try {
    for (let n = 0; n < 2 * LIMIT.max; n++) {
      const ahead = n % 2
      Date.now = () => now() + ahead * 3_600_000
      answers.push((await attempts[ahead]?.count('alternating', LIMIT)) ?? null)
    }
  } finally {
    Date.now = now
  }
  expect(answers.filter((wait) => wait === null)).toHaveLength(LIMIT.max)
  expect(Math.max(...answers.map(Number))).toBeLessThanOrEqual(LIMIT.windowMs)
})

test('attempts before the clock was set back an hour count no more', async () => {
  for (let n = 0; n <= LIMIT.max; n++) await countAttempt(database, 'back', at(4_000_000))
  expect(await countAttempt(database, 'back', at(400_000))).toBeNull()
})

test('a failed attempt does not fail the next one', async () => {
  let fails = true
  const attempts = limitedAttempts(database, async (...args) => {
    if (!fails) return countAttempt(...args)
    fails = false
    throw new Error('the database is gone')
  })
  const [first, second] = await Promise.allSettled([attempts.count('gone', at(1)), attempts.count('gone', at(1))])
  expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled'])
})
