import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { HostId } from '../../engine/words/ids'
import { sessionAddress } from './connection.contract'
import { PLAIN_POLICY } from './control'
import { HostSilence, hostLinks } from './host-links'
import { type CapturedDaemon, startCapturedDaemon } from './testing/captured-daemon'
import { MACHINE, smallCapture } from './testing/small-host'

const HOST = 'hv1' as HostId
const OTHER = '6f7c8f1e-6b1f-4c3e-9a51-000000000002'

let folder: string
const daemons = new Map<string, CapturedDaemon>()
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'links-'))
  for (const hostname of ['a', 'b'])
    daemons.set(
      hostname,
      await startCapturedDaemon(
        { hostname, capabilities: '', nodeDevices: [], domains: [] },
        path.join(folder, hostname),
      ),
    )
})
afterAll(async () => {
  for (const daemon of daemons.values()) await daemon.close()
  fs.rmSync(folder, { recursive: true })
})

const openAt = (name: string) => daemons.get(name)?.open()

test('calls share one connection to a host until its address or its mode changes', async () => {
  const way = { name: 'a', readOnly: true }
  const links = hostLinks(async () => ({
    ok: true,
    host: {
      address: sessionAddress(`unix:${path.join(folder, way.name)}`, { readOnly: way.readOnly }),
      ...{ peerAddress: null, dataAddress: null, pool: null, client: 'rpc', machine: null, policy: PLAIN_POLICY },
    },
  }))
  const used = () => links.at(HOST, async (connection) => connection)
  const [first, second] = await Promise.all([used(), used()])
  expect(second).toBe(first)
  expect(openAt('a')).toBe(1)

  way.readOnly = false
  const controlled = await used()
  expect(controlled).not.toBe(first)
  expect(await first.ended).toBeNull()
  await vi.waitFor(() => expect(openAt('a')).toBe(1))

  way.name = 'b'
  expect(await links.at(HOST, (connection) => connection.hostname())).toBe('b')
  await vi.waitFor(() => expect([openAt('a'), openAt('b')]).toEqual([0, 1]))
  await links.close()
})

test('a connection is closed once none is set up for its host any more', async () => {
  let isSetUp = true
  const links = hostLinks(async () =>
    isSetUp
      ? {
          ok: true,
          host: {
            address: sessionAddress(`unix:${path.join(folder, 'a')}`, { readOnly: true }),
            ...{ peerAddress: null, dataAddress: null, pool: null, client: 'rpc', machine: null, policy: PLAIN_POLICY },
          },
        }
      : { ok: false, why: 'no libvirt connection is set up' },
  )
  await links.at(HOST, (connection) => connection.hostname())
  await vi.waitFor(() => expect(openAt('a')).toBe(1))
  isSetUp = false
  await expect(links.at(HOST, (connection) => connection.hostname())).rejects.toThrow('no libvirt connection')
  await vi.waitFor(() => expect(openAt('a')).toBe(0))
  await links.close()
})

test.each([
  ['the machine of the host', smallCapture(), MACHINE, null],
  ['an unknown machine', smallCapture(), null, null],
  [
    'another machine',
    smallCapture({ uuid: OTHER }),
    MACHINE,
    `another machine answers there: ${OTHER}, not ${MACHINE}`,
  ],
  [
    'a machine that does not report its uuid',
    { ...smallCapture(), capabilities: '<capabilities/>' },
    MACHINE,
    `another machine answers there: unknown, not ${MACHINE}`,
  ],
])('%s at the address of a host', async (_title, captured, machine, silence) => {
  const daemon = await startCapturedDaemon(captured, path.join(folder, 'c'))
  const links = hostLinks(async () => ({
    ok: true,
    host: {
      address: sessionAddress(`unix:${path.join(folder, 'c')}`, { readOnly: true }),
      ...{ peerAddress: null, dataAddress: null, pool: null, client: 'rpc', machine, policy: PLAIN_POLICY },
    },
  }))
  const uses = [
    () => links.at(HOST, async (connection) => (await connection.domains(({ uuid }) => uuid)).length),
    () => links.open(HOST).then((connection) => connection.close()),
  ]
  for (const use of uses) {
    if (silence === null) await use()
    else await expect(use()).rejects.toEqual(new HostSilence(HOST, silence))
  }
  if (silence !== null) await vi.waitFor(() => expect(daemon.open()).toBe(0))
  await links.close()
  await daemon.close()
})
