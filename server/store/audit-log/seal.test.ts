import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import { inTransaction } from '../database/transaction'
import { recordEntry } from './entry'
import { proveAuditLog, pruneAuditLog, sealAuditLog } from './seal'

const database = onFreshDatabase(connectDatabase)
const actor = { who: 'somebody', request: null, reason: null }
const write = (n: number, at = 1_000) => recordEntry(database.pool, { action: 'test.written', actor, at, data: { n } })

beforeAll(async () => {
  for (let n = 0; n < 30; n++) {
    await write(n)
    if (n % 5 === 4) await sealAuditLog(database)
  }
  await write(30)
})

/** Edits the log as the owner of the database can, with the trigger disabled, and undoes it afterwards. */
async function tampered(sql: string, values: readonly unknown[]): Promise<Awaited<ReturnType<typeof proveAuditLog>>> {
  const undone = new Error('undone')
  let proof: Awaited<ReturnType<typeof proveAuditLog>> | undefined
  await inTransaction(database, async (client) => {
    await client.query('set local session_replication_role = replica')
    await client.query(sql, [...values])
    proof = await proveAuditLog({ ...database, pool: client as never })
    throw undone
  }).catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return proof!
}

test('an untouched log is proven, and unsealed entries are counted', async () => {
  expect(await proveAuditLog(database)).toMatchObject({ seals: 6, entries: 30, unsealed: 1, broken: [] })
})

test.each(['audit_entry', 'audit_seal'])('%s refuses update, delete and truncate', async (table) => {
  const refused = /append-only/
  await expect(database.pool.query(`update ${table} set at = now()`)).rejects.toThrow(refused)
  await expect(database.pool.query(`delete from ${table}`)).rejects.toThrow(refused)
  await expect(database.pool.query(`truncate ${table}`)).rejects.toThrow(refused)
})

const column = fc.constantFrom(
  ...["at = at + interval '1 ms'", "who = 'nobody'", "action = 'else'", "reason = 'late'", "request = 'r'"],
  ...['data = data || \'{"n": 99}\'', "origin = '{}'", 'hosts = array[gen_random_uuid()]'],
)

test('every entry changed, removed or inserted by SQL breaks its seal', async () => {
  const entry = fc.integer({ min: 1, max: 30 })
  const seal = (id: number) => String(Math.ceil(id / 5))
  const change = fc.oneof(
    fc.tuple(fc.constant('change' as const), entry, column),
    fc.tuple(fc.constant('remove' as const), entry, column),
    fc.tuple(fc.constant('swap' as const), fc.integer({ min: 1, max: 29 }), column),
  )
  await fc.assert(
    fc.asyncProperty(change, async ([what, id, set]) => {
      const sql = {
        change: `update audit_entry set ${set} where id = $1`,
        remove: 'delete from audit_entry where id = $1',
        swap: 'update audit_entry set id = 1000 where id = $1',
      }[what]
      const { broken } = await tampered(sql, [id])
      expect(broken.map((each) => each.seal)).toContain(seal(id))
    }),
    { numRuns: 60 },
  )
})

test('a seal recomputed over a changed entry breaks the next one', async () => {
  const { broken } = await tampered(
    `with s as (update audit_entry set who = 'nobody' where id = 7 returning id)
     update audit_seal set hash = encode(sha256('x'), 'hex') where first <= 7 and last >= 7 and exists (select 1 from s)`,
    [],
  )
  expect(broken.map(({ seal, what }) => [seal, what])).toEqual([
    ['2', 'entries'],
    ['3', 'chain'],
  ])
})

test('a deleted seal breaks the next one', async () => {
  const { broken } = await tampered('delete from audit_seal where id = 3', [])
  expect(broken).toMatchObject([{ seal: '4', what: 'chain' }])
})

test('entries are sealed once, in their order, while others write', async () => {
  const before = await proveAuditLog(database)
  const writers = Array.from({ length: 40 }, (_, n) => write(100 + n))
  const sealers = Array.from({ length: 4 }, async () => {
    await sealAuditLog(database)
  })
  await Promise.allSettled([...writers, ...sealers])
  await sealAuditLog(database)
  const after = await proveAuditLog(database)
  expect(after).toMatchObject({ unsealed: 0, broken: [] })
  expect(after.entries).toBe(before.entries + before.unsealed + 40)
})

test('retention removes whole seals and records it, and the rest is still proven', async () => {
  await write(200, 9_000_000)
  await sealAuditLog(database)
  const removed = await pruneAuditLog(database, { before: 5_000_000, at: 9_000_001, actor })
  expect(removed).toBeGreaterThan(30)
  await sealAuditLog(database)
  expect(await proveAuditLog(database)).toMatchObject({ broken: [], entries: 2 })
  expect(await pruneAuditLog(database, { before: 5_000_000, at: 9_000_001, actor })).toBe(0)
})
