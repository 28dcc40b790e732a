import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PROCEDURES } from './rpc/protocol'
import {
  type CapturedPair,
  coldMigration,
  MIGRATION,
  openCapturedPair,
  SOURCE,
  TARGET,
  tagged,
} from './testing/captured-pair'

// A server stands still in the middle of an operation, and another one takes the migration over (L7).

let pair: CapturedPair
beforeAll(async () => {
  pair = await openCapturedPair()
})
afterAll(() => pair.close())

test('an operation that is resumed after a newer one has begun changes nothing on any host', async () => {
  const { driver, memory, put, refused } = pair
  put(SOURCE, [tagged('running', { role: 'instance', migration: null })])
  put(TARGET, [tagged('shut off', { role: 'shell', migration: MIGRATION })])
  // It waits until the domain on the source has shut down.
  const resumed = driver.runAt(coldMigration, 'target')
  await vi.waitFor(() => expect(refused(SOURCE)).toContain(PROCEDURES.domainShutdownFlags.number))
  const newer = { ...coldMigration, fence: 2 }
  expect(await driver.locate(newer)).toEqual({ source: 'running', target: 'shell' })
  const asked = refused(SOURCE).length
  const { record } = await memory.read(coldMigration.instance)
  put(SOURCE, [tagged('shut off', { role: 'instance', migration: null })])
  expect(await resumed).toEqual({ did: 'stale-fence' })
  expect([refused(SOURCE).length, refused(TARGET)]).toEqual([asked, []])
  expect((await memory.read(coldMigration.instance)).record).toEqual(record)
})

test('the current operation goes on to define and start the domain', async () => {
  const { driver, put, refused } = pair
  put(SOURCE, [tagged('shut off', { role: 'instance', migration: null })])
  const answer = await driver.runAt({ ...coldMigration, fence: 3 }, 'target')
  expect(answer).toMatchObject({ did: 'failed', why: expect.stringContaining('read only') })
  expect(refused(TARGET)).toEqual([PROCEDURES.domainDefineXmlFlags.number])
})
