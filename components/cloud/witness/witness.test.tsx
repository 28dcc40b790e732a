import { act, cleanup, configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CloudDriftRow } from '@/server/api/cloud/drift'
import type { CloudHostView } from '@/server/api/cloud/host-view'
import { show } from '../../console/testing/show'
import { CloudDrift } from './CloudDrift'
import { CloudHostPage } from './CloudHostPage'

configure({ asyncUtilTimeout: 20_000 })
// The table loads on demand; preloaded here so that no test waits for the disk.
beforeAll(async () => void (await import('../../host/map/MapTable')))
afterEach(cleanup)

const row = (over: Partial<CloudDriftRow> = {}): CloudDriftRow => ({
  ...{ id: 'i', name: 'web-0', isInstance: true, hosts: ['cmp1'], agreement: 'agree', findings: 0, isWitnessed: true },
  ...{ nova: 'active on cmp1, running', novaAt: 0, placement: '2 VCPU on cmp1', placementAt: 0 },
  ...{ libvirt: 'running on cmp1', libvirtAt: 0, ...over },
})
const driftOf = (...rows: readonly CloudDriftRow[]) => ({ 'cloud.drift': { rows, total: rows.length, seq: '1' } })

describe('the drift of a cloud', () => {
  it('shows what Nova, Placement and libvirt report, and hosts that no connection reads', async () => {
    const unread = row({
      ...{ id: 'j', name: 'web-1', libvirt: 'no libvirt connection reads cmp2', libvirtAt: null, isWitnessed: false },
    })
    show(<CloudDrift id="c" />, driftOf(row({ agreement: 'differ', libvirt: 'running on cmp2' }), unread))
    const differs = /web-0.*differ.*active on cmp1, running.*2 VCPU on cmp1.*running on cmp2/
    expect(await screen.findByRole('row', { name: differs })).toBeTruthy()
    expect(
      screen.getByRole('row', { name: /web-1.*agree.*no libvirt connection reads cmp2.*a report from Nova/ }),
    ).toBeTruthy()
  })

  it('marks domains that are not in Nova, and the server applies the filter', async () => {
    const unknown = row({ name: 'instance-1', isInstance: false, nova: 'no such instance', agreement: 'differ' })
    const { requests } = show(<CloudDrift id="c" host="cmp1" />, driftOf(unknown), '?q=agree:differ')
    expect(await screen.findByRole('row', { name: /instance-1 not in Nova.*differ.*no such instance/ })).toBeTruthy()
    const where = [
      { key: 'agree', any: ['differ'], not: false },
      { key: 'host', any: ['cmp1'] },
    ]
    expect(requests[0]).toMatchObject({ path: 'cloud.drift', input: { id: 'c', where } })
  })
})

const hostRow: CloudHostView['row'] = {
  ...{ name: 'cmp1', providers: ['p'], state: 'up', status: 'enabled', forcedDown: false, disabledReason: null },
  ...{ zone: 'az1', type: 'QEMU', aggregates: [], instances: 1, findings: 0, reportedAt: 0 },
  ...{ vcpu: null, memoryMib: null, diskGib: null },
}
const web = { id: 'i', name: 'web-0' }
const unknownInstance = { id: 'x', name: 'instance-9' }
const connection = { id: 'h', name: 'rack-1' }
const holder = ({ id, name }: typeof web) => ({
  ...{ claim: id, holder: { kind: 'instance' as const, id, name }, instance: { id, name } },
  ...{ migration: null, mark: 'held' as const },
})
const map: NonNullable<CloudHostView['map']> = {
  ...{ host: connection, seq: '1', floatingVcpus: 0, devices: [] },
  holders: [holder(web), holder({ ...unknownInstance, name: 'instance-9 (not in Nova)' })],
  cells: [
    {
      ...{ id: 0, socket: 0, memoryMib: 2048, memoryUsedMib: 1536, ordinaryMib: 2048, ordinaryUsedMib: 1536 },
      memoryBy: [{ holder: 0, amount: 1024 }],
      cores: [
        {
          threads: [
            { id: 0, pool: 'dedicated', holders: [{ holder: 0, use: 'pin', vcpu: 1 }] },
            { id: 1, pool: 'unreported', holders: [] },
          ],
        },
        {
          threads: [
            {
              ...{ id: 2, pool: 'dedicated' as const },
              holders: [0, 1].map((each) => ({ holder: each, use: 'pin' as const, vcpu: 0 })),
            },
          ],
        },
      ],
      ...{ sharedUsed: 3, sharedBy: [], devices: [], distances: null, physnets: [] },
      pages: [
        { sizeKib: 4, total: 524_288, used: 393_216, reserved: 0, by: [{ holder: 0, amount: 262_144 }] },
        { sizeKib: 2048, total: 8, used: null, reserved: 0, by: [] },
      ],
    },
  ],
}
const AT = Date.UTC(2026, 10, 26, 3, 4, 5)
const read: CloudHostView = {
  ...{ row: hostRow, node: 'cmp1.example.org', whyIgnored: null, map, unknownDomains: [], missing: [] },
  witness: { did: 'read', connection, at: AT, unreported: ['cmp1: its devices'] },
}
const page = (view: CloudHostView | null, search = '') =>
  show(<CloudHostPage id="c" host="cmp1" />, { 'cloud.host': view, ...driftOf(row()) }, search)

describe('a host of a cloud', () => {
  // The first test of the page: later ones find the code of the map loaded, and would hide nothing.
  it('keeps its list in view while the code of a map that arrives later loads', async () => {
    const { queries } = page({ ...read, witness: { did: 'silent', connection }, map: null })
    const list = await screen.findByRole('table')
    const hidden: Element[] = []
    const observer = new MutationObserver((records) => {
      for (const { target } of records)
        if (target instanceof HTMLElement && target.style.display === 'none' && target.contains(list))
          hidden.push(target)
    })
    observer.observe(document.body, { subtree: true, attributeFilter: ['style'] })
    act(() => void queries.setQueriesData({ queryKey: [['cloud', 'host']] }, read))
    expect(await screen.findByText(/as reported by libvirt on rack-1/)).toBeTruthy()
    observer.disconnect()
    expect(screen.getAllByRole('table')).toContain(list)
    expect(hidden).toEqual([])
  })

  it('shows the map that its libvirt reports, with the connection and the time', async () => {
    page(read)
    expect(await screen.findByText('as reported by libvirt on rack-1 at 2026-11-26 03:04:05 UTC')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'rack-1' }).getAttribute('href')).toBe('/hosts/h')
    expect(screen.getByRole('button', { name: /CPU 0, CPU, NUMA node 0, held, web-0, held, pinned/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: /CPU 1, CPU, NUMA node 0, no pinned vCPU/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: /CPU 2, .*held twice, web-0.*instance-9 \(not in Nova\)/ })).toBeTruthy()
    expect(screen.getByText('2 of 3 pinned')).toBeTruthy()
    expect(screen.getByText('3 vCPUs on any CPU of this node')).toBeTruthy()
    expect(screen.getByText('cmp1: its devices')).toBeTruthy()
    expect(screen.getByText(/^Every domain here is in Nova/)).toBeTruthy()
    expect(await screen.findByRole('row', { name: /web-0.*agree/ })).toBeTruthy()
  })

  it('shows an unreported number of pages as unknown, not as zero', async () => {
    page(read)
    const bar = async (name: string) => (await screen.findByRole('meter', { name })).getAttribute('aria-valuetext')
    expect(await bar('2 MiB pages')).toBe('unknown / 8')
    expect(await bar('Memory')).toBe('1.5 GiB / 2 GiB')
  })

  it('links a domain to its instance, or to its drift row when Nova does not know it', async () => {
    page({ ...read, unknownDomains: [unknownInstance] })
    const list = within(await screen.findByRole('region', { name: '2 instances' }))
    const href = (name: string) => list.getByRole('link', { name }).getAttribute('href')
    expect(href('web-0, held')).toBe('/clouds/c?tab=instances&picked=i')
    expect(href('instance-9 (not in Nova), held')).toBe('/clouds/c?tab=drift&q=x')
  })

  it('lists domains that Nova does not know and instances that libvirt does not have', async () => {
    page({ ...read, unknownDomains: [unknownInstance], missing: [{ id: 'm', name: 'web-3' }] })
    const unknownDomains = within(await screen.findByRole('list', { name: '1 domain here is not in Nova' }))
    expect(unknownDomains.getByRole('link', { name: 'instance-9' })).toBeTruthy()
    const missing = within(screen.getByRole('list', { name: '1 instance that Nova records here has no domain' }))
    expect(missing.getByRole('link', { name: 'web-3' }).getAttribute('href')).toContain('picked=m')
  })

  it('shows its map as a table when the address says so', async () => {
    page(read, '?as=table')
    expect(await screen.findByRole('row', { name: /cpu:0.*held.*web-0.*pinned, vCPU 1/ })).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'Picture' }))
    expect(await screen.findByRole('button', { name: /CPU 0, CPU/ })).toBeTruthy()
  })

  it.each<[string, Partial<CloudHostView>, RegExp]>([
    ['that no connection reads', { witness: { did: 'unconnected' }, map: null }, /the host name cmp1\.example\.org/],
    ['whose libvirt is silent', { witness: { did: 'silent', connection }, map: null }, /rack-1 does not answer/],
    ['whose libvirt is no witness', { whyIgnored: 'it may be another machine' }, /^Not compared: it may be another/],
    ['with an incomplete report', { unknownDomains: null, missing: null }, /the answer was incomplete/],
  ])('%s says so', async (_, over, says) => {
    page({ ...read, ...over })
    expect(await screen.findByText(says)).toBeTruthy()
    if (over.map === null) expect(screen.queryByText(/as reported by libvirt on/)).toBeNull()
  })

  it('that Nova no longer lists says so', async () => {
    page(null)
    expect(await screen.findByText('Nova does not list this host')).toBeTruthy()
  })
})
