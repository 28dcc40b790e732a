import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { CloudHostView } from '../api/cloud/host-view'
import { boot, type ServerRow } from '../cloud/testing/cloud-state'
import type { ReplayedCloud } from '../cloud/testing/replayed-cloud'
import { storedAddressOf } from '../drivers/libvirt/stored-host'
import { type CapturedDaemon, startCapturedDaemon } from '../drivers/libvirt/testing/captured-daemon'
import { pinnedDomain, smallCapture } from '../drivers/libvirt/testing/small-host'
import { driversFrom } from '../drivers/registry'
import { readHypervisor } from '../import/hypervisor'
import { putHosts } from '../store/host/write'
import { ACTOR, AT } from '../store/testing/records'
import { openLibvirt } from '../wiring/libvirt'
import { openWitness } from '../wiring/witness'
import { watchedClouds, writesIn } from './watched-clouds'

// A cloud's host that Berth also reads through libvirt: a daemon on a real socket reports what Nova does not.

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-'))
const socketPath = path.join(folder, 'libvirt-sock')
const downs: (() => Promise<void>)[] = []
let daemon: CapturedDaemon | null = null
afterAll(async () => {
  for (const down of downs) await down()
  await daemon?.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const { api, add, cloudOf, reached, watchedUntil } = watchedClouds(({ database, services }) => {
  const { driver, readHost } = openLibvirt({ database, now: () => AT, onDown: (down) => void downs.push(down) })
  const drivers = driversFrom({ libvirt: driver })
  return openWitness({ drivers, fleet: services.fleet, readHost, now: () => AT })
})

/** The host `rack-1` in Berth, whose hostname in libvirt is `cmp1`. */
async function connected(): Promise<CapturedDaemon> {
  daemon = await startCapturedDaemon(smallCapture({ hostname: 'cmp1' }), socketPath)
  const { capabilities } = daemon.host
  const about = { hostname: 'cmp1', capabilities, nodeDevices: [], domains: [], pool: null, unreported: [] }
  const { value } = readHypervisor(about, { name: 'rack-1', dedicated: new Set() })
  if (value === null) throw new Error('the host is not read')
  const control = storedAddressOf({ transport: { kind: 'unix', socketPath }, daemon: 'system', readOnly: true })
  const stored = { kind: 'libvirt', client: 'rpc', readOnly: true, control }
  const auditData = { address: socketPath, readOnly: true }
  const connection = { stored, readOnly: true, machine: value.machine, auditData }
  await putHosts(api.database, [value.spec], {
    actor: ACTOR,
    at: AT,
    connections: new Map([[value.spec.frame.id, connection]]),
  })
  await api.settle()
  return daemon
}

/** The domain of an instance, pinned to these CPUs. */
const domainOf = ({ id, name }: ServerRow, cpus: readonly number[]) => ({
  ...pinnedDomain(1, cpus),
  ...{ uuid: id, name: `instance of ${name}` },
})

const GPU = `<devices><hostdev mode='subsystem' type='pci'><source><address domain='0x0000' bus='0xaf' slot='0x00'
  function='0x0'/></source></hostdev></devices>`
const HUGE = `<memoryBacking><hugepages><page size='2048' unit='KiB'/></hugepages></memoryBacking>
  <numatune><memory mode='strict' nodeset='1'/></numatune>`

const cpusOf = ({ map }: CloudHostView, instance: string): readonly string[] =>
  (map?.cells ?? []).flatMap(({ cores }) =>
    cores.flatMap(({ threads }) =>
      threads.flatMap(({ id, holders }) =>
        holders.flatMap(({ holder, vcpu }) =>
          map?.holders[holder]?.instance.id === instance ? [`${vcpu}→${id}`] : [],
        ),
      ),
    ),
  )

let cloud: ReplayedCloud
let id: string
const viewer = () => api.as('viewer').cloud
const readHostView = async (host = 'cmp1') => (await viewer().host({ id, host })) as CloudHostView
const drift = async (host = 'cmp1') => (await viewer().drift({ id, where: [{ key: 'host', any: [host] }] })).rows

test('a host without a libvirt connection says so in its map and in its drift', async () => {
  cloud = await cloudOf(2)
  id = await add('lab', cloud)
  await reached(id)
  expect(await readHostView()).toMatchObject({
    witness: { did: 'unconnected' },
    map: null,
    unknownDomains: null,
    missing: null,
  })
  expect(await drift()).toMatchObject([
    { name: 'web-0', agreement: 'agree', isWitnessed: false, libvirt: 'no libvirt connection reads cmp1' },
  ])
  expect(await viewer().host({ id, host: 'cmp9' })).toBeNull()
})

test('a connected host has the map of libvirt: CPUs, pages, devices and holders', async () => {
  const [web] = cloud.state.servers as [ServerRow]
  const { host } = await connected()
  const domain = domainOf(web, [2, 5])
  const rich = { ...domain, xml: domain.xml.replace('</domain>', `${HUGE}${GPU}</domain>`) }
  Object.assign(daemon as CapturedDaemon, { host: { ...host, domains: [rich] } })
  const seen = await watchedUntil(async () => {
    const view = await readHostView()
    return view.witness.did === 'read' && (view.map?.holders.length ?? 0) > 0 && view
  })
  expect(seen).toMatchObject({
    witness: { did: 'read', connection: { name: 'rack-1' }, at: AT },
    ...{ whyIgnored: null, unknownDomains: [], missing: [] },
  })
  expect(seen.map?.holders).toMatchObject([{ instance: { id: web.id, name: 'web-0' } }])
  expect(cpusOf(seen, web.id)).toEqual(['0→2', '1→5'])
  const [none, one] = seen.map?.cells ?? []
  expect(none?.pages).toMatchObject([
    { sizeKib: 4, total: 1_835_008 },
    { sizeKib: 2048, total: 512, by: [] },
  ])
  expect(one?.pages[1]).toMatchObject({ total: 512, used: 512, by: [{ holder: 0, amount: 512 }] })
  expect(one?.devices).toMatchObject([{ unit: 'pci:0000:af:00.0', state: 'held', holders: [{ holder: 0 }] }])
  const free = none?.cores.flatMap(({ threads }) => threads).find((cpu) => cpu.id === 0)
  expect(free).toEqual({ id: 0, pool: 'unreported', holders: [] })
  const rows = await watchedUntil(async () => {
    const all = await drift()
    return all[0]?.isWitnessed && all
  })
  expect(rows).toMatchObject([
    {
      name: 'web-0',
      agreement: 'agree',
      libvirt: 'running on cmp1, pinned 0 to 2, 1 to 5',
      libvirtAt: expect.any(Number),
    },
  ])
  expect(await drift('cmp2')).toMatchObject([{ agreement: 'agree', libvirt: 'no libvirt connection reads cmp2' }])
})

test('domains unknown to Nova, and instances without a domain, are marked', async () => {
  const [web] = cloud.state.servers as [ServerRow]
  boot(cloud.state, 'cmp1')
  const { host } = daemon as CapturedDaemon
  const domains = [domainOf(web, [2, 5]), pinnedDomain(7, [5])]
  Object.assign(daemon as CapturedDaemon, { host: { ...host, domains } })
  const rows = await watchedUntil(async () => {
    const all = await drift()
    return all.length === 3 && all.every(({ isWitnessed }) => isWitnessed) && all
  })
  expect(rows.map(({ name, agreement, nova, libvirt }) => [name, agreement, nova, libvirt])).toEqual([
    ['web-2', 'differ', 'active on cmp1, running', 'no domain on cmp1'],
    ['web-7', 'differ', 'no such instance', 'running on cmp1, pinned 0 to 5'],
    ['web-0', 'agree', 'active on cmp1, running', 'running on cmp1, pinned 0 to 2, 1 to 5'],
  ])
  expect(await viewer().drift({ id, where: [{ key: 'known', any: ['no'] }] })).toMatchObject({ total: 1 })
  const seen = await watchedUntil(async () => {
    const view = await readHostView()
    return view.unknownDomains?.length === 1 && view
  })
  expect(seen).toMatchObject({ unknownDomains: [{ name: 'web-7' }], missing: [{ name: 'web-2' }] })
  expect(seen.map?.holders.map(({ instance }) => instance.name)).toEqual(['web-0', 'web-7 (not in Nova)'])
  const twice = seen.map?.cells[1]?.cores.flatMap(({ threads }) => threads).find((cpu) => cpu.id === 5)
  expect(twice?.holders).toHaveLength(2)
})

test('a libvirt that does not answer is silent, and its old report is not shown as current', async () => {
  Object.assign(daemon as CapturedDaemon, { manner: 'closing' })
  const rows = await watchedUntil(async () => {
    const all = await drift()
    return all.length === 2 && all
  })
  expect(rows).toMatchObject([
    { name: 'web-0', agreement: 'unknown', libvirt: 'cmp1: libvirt did not answer', libvirtAt: null },
    { name: 'web-2', agreement: 'unknown', libvirt: 'cmp1: libvirt did not answer', libvirtAt: null },
  ])
  const seen = await watchedUntil(async () => {
    const view = await readHostView()
    return view.witness.did === 'silent' && view
  })
  expect(seen).toMatchObject({ witness: { connection: { name: 'rack-1' } }, map: null, unknownDomains: null })
})

test('a machine of the same name in another cloud is no witness', async () => {
  const { host } = daemon as CapturedDaemon
  Object.assign(daemon as CapturedDaemon, { manner: 'healthy', host: { ...host, domains: [pinnedDomain(7, [5])] } })
  const seen = await watchedUntil(async () => {
    const view = await readHostView()
    return view.witness.did === 'read' && view.whyIgnored?.includes('another machine') && view
  })
  expect(seen.map?.holders).toMatchObject([{ instance: { name: 'web-7 (not in Nova)' } }])
  expect(await drift()).toMatchObject([
    { name: 'web-0', agreement: 'unknown', libvirt: expect.stringContaining('another machine of the same name') },
    { name: 'web-2', agreement: 'unknown' },
  ])
  expect(writesIn(cloud)).toEqual([])
})
