import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { beginAudit, readAuditNow, recordAudit } from '../finding/finding'
import { openTestBooks, type TestBooks } from '../testing/books'

// Audits have an order that is no time: of two that overlap the one that began later counts, whatever their clocks say.

let books: TestBooks
beforeAll(async () => {
  books = openTestBooks(await freshDatabase())
})
afterAll(() => books.drop())
beforeEach(() => books.database.pool.query('update standing_audit set at = null, sequence = 0'))

const HOUR_MS = 3_600_000
const NOW = Date.now()
const record = (sequence: string, at: number) =>
  recordAudit(books.database, { sequence, at, tookMs: 1, cold: true, hosts: 0, instances: 0, findings: [] })

test.each([-HOUR_MS, -1, 0, 1, HOUR_MS])('a later audit is recorded when its clock is %i ms ahead', async (aheadMs) => {
  expect(await record(await beginAudit(books.database), NOW)).not.toBeNull()
  expect(await record(await beginAudit(books.database), NOW + aheadMs)).not.toBeNull()
  expect((await readAuditNow(books.database)).at).toBe(NOW + aheadMs)
})

test('of two that overlap the one that began later counts, whichever ends first', async () => {
  const [first, second] = [await beginAudit(books.database), await beginAudit(books.database)]
  expect(await record(second, NOW)).not.toBeNull()
  expect(await record(first, NOW + HOUR_MS)).toBeNull()
})

test.each([
  ['lies an hour ahead', `update standing_audit set at = clock_timestamp() + interval '1 hour'`],
  ['has a number that was never given', 'update standing_audit set sequence = 9007199254740991'],
  ['is missing', 'delete from standing_audit'],
])('the next audit is recorded when the last one %s', async (_, damage) => {
  await books.database.pool.query(damage)
  expect(await record(await beginAudit(books.database), NOW)).not.toBeNull()
  expect((await readAuditNow(books.database)).at).toBe(NOW)
})
