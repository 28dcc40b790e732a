import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { HostId } from '../../engine/words/ids'
import { sessionAddress } from './connection.contract'
import { PLAIN_POLICY } from './control'
import { hostLinks } from './host-links'
import { type CapturedDaemon, startCapturedDaemon } from './testing/captured-daemon'

const HOST = 'hv1' as HostId

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
      ...{ peerAddress: null, dataAddress: null, pool: null, client: 'rpc', policy: PLAIN_POLICY },
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
