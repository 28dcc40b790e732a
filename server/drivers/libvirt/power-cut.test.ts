import { afterAll, beforeAll, expect, test } from 'vitest'
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

// A host that refuses to cut the power: QEMU waits for a disk and cannot be killed (libvirt: "Device or resource busy").

let pair: CapturedPair
beforeAll(async () => {
  pair = await openCapturedPair({ shutdownLimitMs: 0 })
})
afterAll(() => pair.close())

const running = tagged('running', { role: 'instance', migration: MIGRATION })
const shell = tagged('shut off', { role: 'shell', migration: MIGRATION })
const SAID = 'operation forbidden for read only access'

test('a domain that stays on is not undefined: its disk would be deleted while it runs', async () => {
  pair.put(SOURCE, [running])
  pair.put(TARGET, [])
  const order = { instance: INSTANCE, host: SOURCE, fence: 1 }
  expect(await pair.driver.destroy(order)).toEqual({ did: 'failed', why: SAID })
  expect(pair.refused(SOURCE)).toContain(PROCEDURES.domainDestroyFlags.number)
  expect(pair.refused(SOURCE)).not.toContain(PROCEDURES.domainUndefineFlags.number)
})

test('a hard stop is not done while the domain stays on', async () => {
  pair.put(SOURCE, [running])
  const order = { instance: INSTANCE, host: SOURCE, fence: 1, action: 'stop', at: 0, hard: true } as const
  expect(await pair.driver.power(order)).toEqual({ did: 'failed', why: SAID })
})

test('an operation that has to turn it off ends, and says why it could not', async () => {
  pair.put(SOURCE, [running])
  pair.put(TARGET, [shell])
  expect(await pair.driver.runAt(coldMigration, 'target')).toEqual({ did: 'failed', why: SAID })
}, 10_000)
