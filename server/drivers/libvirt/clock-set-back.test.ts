import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DriverOperation } from '../driver'
import { updateDomainRecord } from './domain-record'
import { PROCEDURES } from './rpc/protocol'
import {
  type CapturedPair,
  coldMigration,
  INSTANCE,
  MIGRATION,
  openCapturedPair,
  SOURCE,
  TARGET,
  tagged,
} from './testing/captured-pair'

// Times in the record of a domain were written before the clock was set back an hour.

const NOW = Date.UTC(2026, 10, 28)
const LATER = NOW + 3_600_000

let pair: CapturedPair
beforeAll(async () => {
  pair = await openCapturedPair()
})
afterAll(() => pair.close())

const live = { ...coldMigration, operation: 'live-migrate' } as DriverOperation
beforeEach(async () => {
  pair.clock.now = NOW
  pair.put(SOURCE, [tagged('running', { role: 'instance', migration: null })])
  pair.put(TARGET, [tagged('shut off', { role: 'shell', migration: MIGRATION })])
  const limits = { stopped: false, forced: false, bandwidthMibPerS: null, maxDowntimeMs: null, limits: null }
  const transfer = { migration: MIGRATION, source: SOURCE, target: TARGET, failure: null, final: null, ...limits }
  await updateDomainRecord(pair.memory, INSTANCE, (record) => ({
    ...{ ...record, startedAt: LATER },
    transfer: { ...transfer, startedAt: LATER },
  }))
})

test('a reboot is not taken for done', async () => {
  const order = { instance: INSTANCE, host: SOURCE, fence: 1, action: 'reboot', at: NOW, hard: false } as const
  await pair.driver.power(order)
  expect(pair.refused(SOURCE)).toContain(PROCEDURES.domainDestroyFlags.number)
})

test('a live migration that never started has failed half a minute later', async () => {
  expect(await pair.driver.transfer(live)).toMatchObject({ did: 'running' })
  pair.clock.now += 31_000
  expect(await pair.driver.transfer(live)).toMatchObject({ did: 'failed', why: expect.stringContaining('stayed') })
})

test('the power of a guest that does not shut down is cut a minute later', async () => {
  const cuts = () => pair.refused(SOURCE).filter((each) => each === PROCEDURES.domainDestroyFlags.number).length
  const before = cuts()
  expect(await pair.driver.transfer(coldMigration)).toMatchObject({ did: 'running' })
  expect(cuts()).toBe(before)
  pair.clock.now += 61_000
  expect(await pair.driver.transfer(coldMigration)).toMatchObject({ did: 'running' })
  expect(cuts()).toBe(before + 1)
})
