import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DaemonAddress, HostAddition } from '@/forms/connection'
import type { ProbeReport } from '../api/connection/connections'
import { openTestApi } from '../api/testing/api'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { readStoredHost } from '../drivers/libvirt/stored-host'
import { type CapturedDaemon, startCapturedDaemon } from '../drivers/libvirt/testing/captured-daemon'
import { pinnedDomain, type SmallCapture, smallCapture } from '../drivers/libvirt/testing/small-host'
import { smallHost } from '../engine/testing/hosts'
import { readConnection } from '../store/host/facts'
import { putHosts } from '../store/host/write'
import { ACTOR, AT, rowCounts, specOf } from '../store/testing/records'
import { openHostConnections } from '../wiring/host-connections'

// Probes, previews and adds a host through the API, from a daemon on a real socket.

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const socketPath = path.join(folder, 'libvirt-sock')

const LIMIT_MS = 3_000
const api = onFreshDatabase(async (fresh) => {
  // Connections need the API's database, and the API uses them only later, so they are added here.
  const opened = await openTestApi(fresh)
  const connections = openHostConnections({ database: opened.database, folders: [folder], limitMs: LIMIT_MS })
  return Object.assign(opened, { services: Object.assign(opened.services, { connections }) })
})

let daemon: CapturedDaemon
let machine: string
/** Each test has a machine of its own, because they share one database. */
const captured = (set: SmallCapture = {}) => smallCapture({ uuid: machine, ...set })
beforeEach(async () => {
  machine = randomUUID()
  daemon = await startCapturedDaemon(captured(), socketPath)
})
afterEach(() => daemon.close())

const ADDRESS: DaemonAddress = { transport: { kind: 'unix', socketPath }, daemon: 'system' }
const admin = () => api.as('admin').connection

async function reportsOf(address: DaemonAddress = ADDRESS): Promise<readonly ProbeReport[]> {
  const reports: ProbeReport[] = []
  for await (const report of await admin().probe(address)) reports.push(report)
  return reports
}
const lastOf = async (address?: DaemonAddress) => (await reportsOf(address)).at(-1) as ProbeReport
const statesOf = ({ steps }: ProbeReport) => steps.map(({ step, state }) => `${step} ${state}`)

let nth = 0
/** A separate name for each test, because they share one database. */
async function additionOf(over: Partial<HostAddition> = {}): Promise<HostAddition> {
  const { preview } = await lastOf()
  if (preview === null) throw new Error('the host was not previewed')
  const { fingerprint } = preview
  return { address: ADDRESS, fingerprint, name: `hv-${++nth}`, dedicated: '', control: null, ...over }
}
const add = (addition: HostAddition) => admin().add({ ...addition, reason: 'new rack' })

describe('a probe', () => {
  test('reports each step as it runs, and ends with the preview of the host', async () => {
    daemon.host = captured({ domains: [pinnedDomain(1, [1, 3]), pinnedDomain(2, [3])] })
    const reports = await reportsOf()
    expect(statesOf(reports[0] as ProbeReport)[0]).toBe('reach running')
    const last = reports.at(-1) as ProbeReport
    expect(last.steps.map(({ state, says }) => [state, says])).toEqual([
      ['done', null],
      ['done', 'by the permissions of the socket, on this machine'],
      ['done', 'libvirt 9.0.0, QEMU 7.2.22'],
      ['done', expect.stringMatching(/^nothing/)],
      ['done', 'NUMA nodes: 2, devices: 1, domains: 2'],
    ])
    expect(last.unknown).toHaveLength(3)
    expect(last.preview).toMatchObject({
      name: 'hv1',
      nodes: [
        { id: 0, cpus: '0-3', threads: 2 },
        { id: 1, cpus: '4-7' },
      ],
      devices: [{ unit: 'pci:0000:af:00.0', node: 1 }],
      domains: [
        {
          name: 'web-1',
          pins: [
            { vcpu: 0, cpus: '1' },
            { vcpu: 1, cpus: '3' },
          ],
        },
        { name: 'web-2' },
      ],
      overCommitted: [{ unit: 'CPU 3', domains: ['web-1', 'web-2'] }],
    })
    await expect.poll(daemon.open).toBe(0)
    expect(daemon.refused).toEqual([])
  })

  test.each([
    ['silent', 'authenticate', /does not answer in time: no answer within 3000 ms/],
    ['closing', 'authenticate', /not reached: the daemon ended the connection/],
    ['garbage', 'authenticate', /what answers is no libvirt/],
    [{ slowMs: 1_000 }, null, /does not answer in time/],
  ] as const)('of a daemon that is %j shows the failed step and what to do', async (manner, step, says) => {
    daemon.manner = manner
    const before = await rowCounts(api.database)
    const report = await lastOf()
    const failed = report.steps.filter(({ state }) => state === 'failed')
    expect(failed).toEqual([
      {
        step: step ?? expect.any(String),
        state: 'failed',
        ms: expect.any(Number),
        says: expect.stringMatching(says),
        next: expect.any(String),
      },
    ])
    expect(report.preview).toBeNull()
    expect(report.steps.some(({ state }) => state === 'waiting' || state === 'running')).toBe(false)
    await expect.poll(daemon.open).toBe(0)
    expect(await rowCounts(api.database)).toEqual(before)
  })

  test('of a missing socket is refused', async () => {
    await daemon.close()
    fs.rmSync(socketPath, { force: true })
    await expect(admin().probe(ADDRESS)).rejects.toThrow(/it does not exist/)
    daemon = await startCapturedDaemon(captured(), socketPath)
  })

  test('ends when its client disconnects, and frees its slot', async () => {
    daemon.manner = 'silent'
    for (let time = 0; time < 8; time++) {
      for await (const report of await admin().probe(ADDRESS)) if (report.steps[0]?.state === 'done') break
      await expect.poll(daemon.open).toBe(0)
    }
  })

  test('does not queue: the fifth at once is refused', async () => {
    daemon.manner = 'silent'
    const running = [1, 2, 3, 4].map(() => lastOf())
    await expect.poll(daemon.open).toBe(4)
    await expect(admin().probe(ADDRESS)).rejects.toThrow(/Too many hosts are being probed/)
    await Promise.all(running)
    daemon.manner = 'healthy'
    expect((await lastOf()).preview).not.toBeNull()
  })

  test.each([
    ['a path with ..', '../etc/libvirt-sock'],
    ['a path outside the folders', '/etc/passwd'],
    ['a link to a file outside', 'out'],
    ['a file that is not a socket', 'file'],
  ])('refuses %s', async (_name, file) => {
    fs.rmSync(path.join(folder, 'out'), { force: true })
    fs.symlinkSync('/etc/passwd', path.join(folder, 'out'))
    fs.writeFileSync(path.join(folder, 'file'), '')
    const at = file.startsWith('/') ? file : `${folder}/${file}`
    const address = { ...ADDRESS, transport: { kind: 'unix', socketPath: at } } as const
    await expect(admin().probe(address)).rejects.toThrow(/is in none of the folders|is not a socket|without "\.\."/)
  })

  test('needs the role admin', async () => {
    await expect(api.as('operator').connection.probe(ADDRESS)).rejects.toThrow(/needs admin/)
  })
})

describe('adding a previewed host', () => {
  test('makes it read-only, disabled, audited and visible at once', async () => {
    const addition = await additionOf({ dedicated: '1,3' })
    const { host } = await add(addition)
    const detail = await api.as('viewer').host.byId({ id: host })
    expect((await api.as('viewer').host.kinds())[host]).toBe('read-only')
    expect(detail).toMatchObject({
      name: addition.name,
      driver: 'libvirt',
      kind: 'read-only',
      scheduling: 'disabled',
      cells: 2,
    })
    expect(detail.pinned).toEqual({ used: 0, total: 2 })
    const stored = readStoredHost(await readConnection(api.database, detail.id as never))
    expect(stored).toMatchObject({ ok: true, host: { address: { ...ADDRESS, readOnly: true }, peerAddress: null } })
    expect(api.surveyed).toContain(host)
    const { rows } = await api.database.pool.query(
      'select action, who, reason from audit_entry where hosts @> array[$1::uuid] order by id',
      [host],
    )
    expect(rows).toEqual(
      ['hosts.put', 'host.connected'].map((action) => ({ action, who: 'the_admin', reason: 'new rack' })),
    )
  })

  test('gives Berth control only when requested', async () => {
    const peer = { kind: 'tls', host: 'hv1.example.org', port: 16_514, pkiPath: '/etc/pki/berth' } as const
    const addition = await additionOf({ control: { peer, dataAddress: '10.0.0.7', pool: null } })
    const { host } = await add(addition)
    expect(readStoredHost(await readConnection(api.database, host as never))).toMatchObject({
      ok: true,
      host: { address: { readOnly: false }, peerAddress: { transport: peer }, dataAddress: '10.0.0.7' },
    })
    expect((await api.as('viewer').host.kinds())[host]).toBe('real')
    // Added again, but without control: refused while scheduling is enabled, because no migration could run there.
    const schedule = (scheduling: 'enabled' | 'disabled') =>
      api.as('operator').host.setScheduling({ id: host as never, scheduling, reason: 'new rack' })
    await schedule('enabled')
    await expect(add({ ...addition, control: null })).rejects.toThrow(/the host is enabled/)
    await schedule('disabled')
    const again = await add({ ...addition, control: null })
    await expect(schedule('enabled')).rejects.toThrow(/only read/)
    expect(again).toEqual({ host })
    expect(readStoredHost(await readConnection(api.database, host as never))).toMatchObject({
      host: { address: { readOnly: true } },
    })
  })

  test('is refused if the host has changed since, and writes nothing', async () => {
    const addition = await additionOf()
    daemon.host = captured({ domains: [pinnedDomain(1, [1])] })
    const before = await rowCounts(api.database)
    await expect(add(addition)).rejects.toThrow(/a different host/)
    expect(await rowCounts(api.database)).toEqual(before)
  })

  test('is refused if the host no longer answers', async () => {
    const addition = await additionOf()
    daemon.manner = 'closing'
    await expect(add(addition)).rejects.toThrow(/not reached/)
  })

  test('is refused with CPUs that the host does not have', async () => {
    await expect(add(await additionOf({ dedicated: '64' }))).rejects.toThrow(/64 are not on this host/)
    await expect(add(await additionOf({ dedicated: '3-1' }))).rejects.toThrow(/"3-1"/)
  })

  test('is refused under the name of another machine or of a simulated host', async () => {
    const { name } = await additionOf()
    await add(await additionOf({ name }))
    daemon.host = captured({ uuid: '6f7c8f1e-6b1f-4c3e-9a51-000000000002' })
    await expect(add(await additionOf({ name }))).rejects.toThrow(/another machine/)
    const simulated = specOf(smallHost({ n: 1 }))
    const taken = await additionOf()
    const { hostIdOf } = await import('../import/host-spec')
    const id = hostIdOf(taken.name)
    const spec = {
      ...simulated,
      frame: { ...simulated.frame, id, name: taken.name },
      providers: simulated.providers.map((each) => ({ ...each, id: id as never })),
    }
    expect((await putHosts(api.database, [spec], { actor: ACTOR, at: AT }))[0]).toMatchObject({ did: 'made' })
    await expect(add(taken)).rejects.toThrow(/not a libvirt host/)
  })
})
