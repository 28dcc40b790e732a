import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { DriverOperation } from '../driver'
import type { Domain } from './connection'
import { sessionAddress } from './connection.contract'
import { PLAIN_POLICY } from './control'
import { libvirtDriver } from './driver'
import { type HostLinks, hostLinks } from './host-links'
import { inProcessRecordStore } from './memory'
import { type CapturedDaemon, startCapturedDaemon } from './testing/captured-daemon'
import { smallCapture } from './testing/small-host'
import { element } from './xml/edit'
import { tagDomain } from './xml/tag'
import { buildXml } from './xml/tree'

// Another tool has redefined the domain of an instance on its source without Berth's tag. The daemons refuse changes.

const [SOURCE, TARGET] = [randomUUID() as HostId, randomUUID() as HostId]
const INSTANCE = randomUUID() as InstanceId
const MIGRATION = randomUUID() as MigrationId
const SAID = (state: string) => `a domain of that id is ${state} there, and its definition has no tag of Berth`

const named = { uuid: INSTANCE, name: `berth-${INSTANCE}` }
const untagged = (state: 'running' | 'shut off'): Domain => ({
  ...{ ...named, state, reason: 'unknown', xml: `<domain type='kvm'><name>${named.name}</name></domain>` },
})
const shell = (): Domain => {
  const tag = {
    instance: INSTANCE,
    migration: MIGRATION,
    settled: false,
    role: 'shell',
    claim: null,
    kept: null,
  } as const
  return { ...named, state: 'shut off', reason: 'unknown', xml: buildXml(tagDomain(element('domain', {}), tag)) }
}

const operation = {
  ...{ migration: MIGRATION, fence: 1, instanceFence: 1, operation: 'cold-migrate', instance: INSTANCE },
  ...{ name: 'web-1', source: SOURCE, target: TARGET, wasRunning: true, storage: null },
  ...{ claim: { source: null, target: null }, reach: { source: true, target: true } },
} as unknown as DriverOperation

let folder: string
let links: HostLinks
const daemons = new Map<HostId, CapturedDaemon>()
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'untagged-'))
  for (const host of [SOURCE, TARGET])
    daemons.set(host, await startCapturedDaemon(smallCapture(), path.join(folder, host.slice(0, 8))))
  links = hostLinks(async (host) => ({
    ok: true,
    host: {
      address: sessionAddress(`unix:${path.join(folder, host.slice(0, 8))}`, { readOnly: false }),
      ...{ peerAddress: null, dataAddress: null, pool: null, client: 'rpc', machine: null, policy: PLAIN_POLICY },
    },
  }))
})
afterAll(async () => {
  await links.close()
  for (const daemon of daemons.values()) await daemon.close()
  fs.rmSync(folder, { recursive: true })
})

const driverOver = (atSource: readonly Domain[], atTarget: readonly Domain[]) => {
  const put = (host: HostId, domains: readonly Domain[]) =>
    Object.assign(daemons.get(host) as CapturedDaemon, { host: smallCapture({ domains }) })
  put(SOURCE, atSource)
  put(TARGET, atTarget)
  const context = {
    links,
    memory: inProcessRecordStore(),
    machineXml: async () => null,
    now: () => 0,
    shutdownLimitMs: 0,
  }
  return libvirtDriver(context)
}

test('a running domain without a tag is not absent: nothing is started elsewhere, and no clean-up is done', async () => {
  const driver = driverOver([untagged('running')], [shell()])
  expect(await driver.locate(operation)).toEqual({ source: 'silent', target: 'shell' })
  const silent = { did: 'no-answer', host: SOURCE, why: SAID('running') }
  expect(await driver.runAt(operation, 'target')).toEqual(silent)
  const kept = { did: 'failed', why: SAID('running') }
  expect(await driver.clean(operation, 'source')).toEqual(kept)
  expect(await driver.destroy({ instance: INSTANCE, host: SOURCE, fence: 1 })).toEqual(kept)
})

test('one that is off is foreign, and nothing can be prepared or built beside it', async () => {
  const driver = driverOver([shell()], [untagged('shut off')])
  expect(await driver.locate(operation)).toMatchObject({ target: 'absent' })
  const kept = { did: 'failed', why: 'the target still has a domain of that id' }
  expect(await driver.prepare(operation)).toEqual(kept)
  const order = { instance: INSTANCE, host: TARGET, fence: 1, action: 'start', at: 0, hard: false } as const
  expect(await driver.power(order)).toEqual({ did: 'failed', why: 'the host has no such domain' })
})

test('one that runs on the target refuses the preparation and the build', async () => {
  const driver = driverOver([shell()], [untagged('running')])
  expect(await driver.prepare(operation)).toEqual({ did: 'failed', why: 'the target still has a domain of that id' })
  const built = await driver.build({ instance: INSTANCE, host: TARGET, fence: 1 } as never)
  expect(built).toEqual({ did: 'failed', why: 'the host has a domain of that id that Berth did not create' })
})
