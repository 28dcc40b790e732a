import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Domain } from './connection'
import {
  type CapturedPair,
  coldMigration,
  INSTANCE,
  MIGRATION,
  openCapturedPair,
  SOURCE,
  TARGET,
  tagged,
  untagged,
} from './testing/captured-pair'

// Another tool has redefined the domain of an instance without Berth's tag.

const SAID = 'a domain of that id is running there, and its definition has no tag of Berth'
const shell = tagged('shut off', { role: 'shell', migration: MIGRATION })

let pair: CapturedPair
beforeAll(async () => {
  pair = await openCapturedPair()
})
afterAll(() => pair.close())

const driverOver = (atSource: readonly Domain[], atTarget: readonly Domain[]) => {
  pair.put(SOURCE, atSource)
  pair.put(TARGET, atTarget)
  return pair.driver
}

test('a running domain without a tag is not absent: nothing is started elsewhere, and no clean-up is done', async () => {
  const driver = driverOver([untagged('running')], [shell])
  expect(await driver.locate(coldMigration)).toEqual({ source: 'silent', target: 'shell' })
  expect(await driver.runAt(coldMigration, 'target')).toEqual({ did: 'no-answer', host: SOURCE, why: SAID })
  const kept = { did: 'failed', why: SAID }
  expect(await driver.clean(coldMigration, 'source')).toEqual(kept)
  expect(await driver.destroy({ instance: INSTANCE, host: SOURCE, fence: 1 })).toEqual(kept)
})

test('one that is off is foreign, and nothing can be prepared or built beside it', async () => {
  const driver = driverOver([shell], [untagged('shut off')])
  expect(await driver.locate(coldMigration)).toMatchObject({ target: 'absent' })
  const kept = { did: 'failed', why: 'the target still has a domain of that id' }
  expect(await driver.prepare(coldMigration)).toEqual(kept)
  const order = { instance: INSTANCE, host: TARGET, fence: 1, action: 'start', at: 0, hard: false } as const
  expect(await driver.power(order)).toEqual({ did: 'failed', why: 'the host has no such domain' })
})

test('one that runs on the target refuses the preparation and the build', async () => {
  const driver = driverOver([shell], [untagged('running')])
  expect(await driver.prepare(coldMigration)).toEqual({
    did: 'failed',
    why: 'the target still has a domain of that id',
  })
  const built = await driver.build({ instance: INSTANCE, host: TARGET, fence: 1 } as never)
  expect(built).toEqual({ did: 'failed', why: 'the host has a domain of that id that Berth did not create' })
})

test('a survey reports one that runs if Berth has a record of it, and no other domain without a tag', async () => {
  const driver = driverOver(
    [untagged('running'), { ...untagged('running'), uuid: randomUUID() }],
    [untagged('shut off')],
  )
  await driver.locate(coldMigration)
  const expected = { instance: INSTANCE, observedState: 'running', untagged: true, migration: null, claim: null }
  expect(await driver.survey(SOURCE)).toEqual([{ ...expected, power: { state: 'running', reason: null } }])
  expect(await driver.survey(TARGET)).toEqual([])
})

test('a clone has the tag of its original and another uuid: it is foreign, and never the instance', async () => {
  const clone = { ...tagged('running', { role: 'instance', migration: null }), uuid: randomUUID() }
  const driver = driverOver([tagged('running', { role: 'instance', migration: null })], [clone])
  expect(await driver.survey(SOURCE)).toMatchObject([{ instance: INSTANCE, observedState: 'running' }])
  expect(await driver.survey(TARGET)).toEqual([])
})
