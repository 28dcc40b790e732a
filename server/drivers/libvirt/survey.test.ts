import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { HostId, InstanceId } from '../../engine/words/ids'
import type { Domain, HypervisorConnection } from './connection'
import { sessionAddress } from './connection.contract'
import { PLAIN_POLICY } from './control'
import { inProcessRecordStore } from './domain-record'
import { libvirtDriver } from './driver'
import { type HostLinks, hostLinks } from './host-links'
import { readInventory } from './inventory'
import type { LibvirtContext } from './operation'
import { type CapturedDaemon, startCapturedDaemon } from './testing/captured-daemon'
import { smallCapture } from './testing/small-host'
import { element } from './xml/edit'
import { tagDomain } from './xml/tag'
import { buildXml } from './xml/tree'

const HOST = randomUUID() as HostId
const MAX_CLIENT_REQUESTS = 5

function taggedDomain(): Domain {
  const uuid = randomUUID() as InstanceId
  const tag = { instance: uuid, role: 'instance', settled: true, migration: null, claim: null, kept: null } as const
  const xml = buildXml(tagDomain(element('domain', {}), tag))
  return { uuid, name: `berth-${uuid}`, state: 'running', reason: 'booted', xml }
}

const domains = Array.from({ length: 60 }, taggedDomain)
let daemon: CapturedDaemon
let links: ReturnType<typeof hostLinks>
let folder: string
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'survey-'))
  const socket = path.join(folder, 'daemon')
  daemon = await startCapturedDaemon(smallCapture({ domains }), socket)
  daemon.manner = { slowMs: 2 }
  const address = sessionAddress(`unix:${socket}`, { readOnly: false })
  const host = { address, peerAddress: null, dataAddress: null, pool: null, client: 'rpc', machine: null } as const
  links = hostLinks(async () => ({ ok: true, host: { ...host, policy: PLAIN_POLICY } }))
})
afterEach(async () => {
  await links.close()
  await daemon.close()
  fs.rmSync(folder, { recursive: true })
})

const driver = (over: Partial<LibvirtContext> = {}) =>
  libvirtDriver({
    ...{ links, memory: inProcessRecordStore(), machineXml: async () => null, now: () => 0, shutdownLimitMs: 60_000 },
    ...over,
  })

test('a survey of many domains leaves room on the connection for the calls of a migration', async () => {
  const surveyed = await driver().survey(HOST)
  expect(new Set(surveyed?.map(({ instance }) => instance))).toEqual(new Set(domains.map(({ uuid }) => uuid)))
  expect(daemon.mostWaiting).toBeLessThan(MAX_CLIENT_REQUESTS)
})

test('no more domains than calls at a time are held while they are read', async () => {
  let [held, most] = [0, 0]
  const names = await links.at(HOST, (connection) =>
    connection.domains(async ({ name }) => {
      most = Math.max(most, ++held)
      await connection.hostname()
      held--
      return name
    }),
  )
  expect(names).toEqual(domains.map(({ name }) => name).sort())
  expect(most).toBeLessThan(MAX_CLIENT_REQUESTS)
})

test('a report of many domains leaves room on the connection as well', async () => {
  const report = await driver().domains?.(HOST)
  expect(report?.domains).toHaveLength(domains.length)
  expect(daemon.mostWaiting).toBeLessThan(MAX_CLIENT_REQUESTS)
})

describe('a read that its caller no longer waits for', () => {
  const READ_BEFORE = 5

  /** Aborts when the nth domain was read; counts all. */
  function abandoned() {
    const abandon = new AbortController()
    const reads = { count: 0 }
    const through = (connection: HypervisorConnection): HypervisorConnection => ({
      ...connection,
      domains: (of) =>
        connection.domains((domain) => {
          if (++reads.count === READ_BEFORE) abandon.abort()
          return of(domain)
        }),
    })
    const at: HostLinks['at'] = (host, ask) => links.at(host, (connection) => ask(through(connection)))
    return { reads, signal: abandon.signal, at, driver: driver({ links: { ...links, at } }) }
  }

  test('as a survey ends before the next domain', async () => {
    const { reads, signal, driver } = abandoned()
    await expect(driver.survey(HOST, signal)).rejects.toThrow('aborted')
    await vi.waitFor(() => expect(daemon.waiting).toBe(0))
    expect(reads.count).toBeLessThan(READ_BEFORE + MAX_CLIENT_REQUESTS)
  })

  test('as an inventory ends before the next domain', async () => {
    const { reads, signal, at } = abandoned()
    const read = at(HOST, (connection) => readInventory(connection, null, signal))
    await expect(read).rejects.toThrow('aborted')
    await vi.waitFor(() => expect(daemon.waiting).toBe(0))
    expect(reads.count).toBeLessThan(READ_BEFORE + MAX_CLIENT_REQUESTS)
  })

  test('as a report ends before the next domain', async () => {
    const { reads, signal, driver } = abandoned()
    await expect(driver.domains?.(HOST, signal)).rejects.toThrow('aborted')
    await vi.waitFor(() => expect(daemon.waiting).toBe(0))
    expect(reads.count).toBeLessThan(READ_BEFORE + MAX_CLIENT_REQUESTS)
  })
})
