import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../boot/test-database'
import { connectDatabase, type Database } from '../database/database'
import { readDomain, writeDomain } from './domain'

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = connectDatabase({ url: fresh.url })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

test('a record is written only over the version that was read', async () => {
  const instance = randomUUID()
  expect(await readDomain(database, instance)).toBeNull()
  expect(await writeDomain(database, { instance, version: 1, record: {} })).toBe(false)
  expect(await writeDomain(database, { instance, version: 0, record: { fence: 1 } })).toBe(true)
  expect(await writeDomain(database, { instance, version: 0, record: { fence: 2 } })).toBe(false)
  expect(await writeDomain(database, { instance, version: 1, record: { fence: 3 } })).toBe(true)
  expect(await readDomain(database, instance)).toEqual({ instance, version: 2, record: { fence: 3 } })
})

test('one of several writers of a version succeeds', async () => {
  const instance = randomUUID()
  const racing = (version: number) =>
    Promise.all([1, 2, 3, 4].map((nth) => writeDomain(database, { instance, version, record: { nth } })))
  for (const version of [0, 1]) expect((await racing(version)).filter(Boolean)).toEqual([true])
})
