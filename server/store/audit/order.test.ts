import { beforeEach, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import { nextAuditNumber, readAuditNow, recordAudit } from '../finding/finding'

// Audits are ordered without clocks: of two that overlap, the one that began later wins.

const database = onFreshDatabase(connectDatabase)
beforeEach(() => database.pool.query('update standing_audit set at = null, sequence = 0'))

const HOUR_MS = 3_600_000
const NOW = Date.now()
const record = (sequence: string, at: number) =>
  recordAudit(database, { sequence, at, tookMs: 1, cold: true, hosts: 0, instances: 0, findings: [] })

test.each([-HOUR_MS, -1, 0, 1, HOUR_MS])('a later audit is recorded when its clock is %i ms ahead', async (aheadMs) => {
  expect(await record(await nextAuditNumber(database), NOW)).not.toBeNull()
  expect(await record(await nextAuditNumber(database), NOW + aheadMs)).not.toBeNull()
  expect((await readAuditNow(database)).at).toBe(NOW + aheadMs)
})

test('of two overlapping audits the one that began later counts, whichever ends first', async () => {
  const [first, second] = [await nextAuditNumber(database), await nextAuditNumber(database)]
  expect(await record(second, NOW)).not.toBeNull()
  expect(await record(first, NOW + HOUR_MS)).toBeNull()
})

test.each([
  ['has a time in the future', `update standing_audit set at = clock_timestamp() + interval '1 hour'`],
  ['has an unknown sequence number', 'update standing_audit set sequence = 9007199254740991'],
  ['is missing', 'delete from standing_audit'],
])('the next audit is recorded when the last one %s', async (_, damage) => {
  await database.pool.query(damage)
  expect(await record(await nextAuditNumber(database), NOW)).not.toBeNull()
  expect((await readAuditNow(database)).at).toBe(NOW)
})
