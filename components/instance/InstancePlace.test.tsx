import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { ClaimView } from '@/server/api/claim/view'
import type { HostMapView, MapNumaNode } from '@/server/api/host/map'
import { PlacePicture } from './InstancePlace'

const instance = { id: 'i', name: 'web-1' }
const host = { id: 'h', name: 'h-07' }
const holder = (claim: string) => ({
  ...{ claim, holder: { kind: 'instance' as const, ...instance }, instance, migration: null, mark: 'held' as const },
})
const cpu = (id: number, by: readonly number[]) => ({
  ...{ id, pool: 'dedicated' as const, holders: by.map((each) => ({ holder: each, use: 'pin' as const, vcpu: id })) },
})
const cell = (id: number, cpus: readonly ReturnType<typeof cpu>[]): MapNumaNode => ({
  ...{ id, socket: id, memoryMib: 0, memoryUsedMib: 0, ordinaryMib: 0, ordinaryUsedMib: 0, memoryBy: [] },
  ...{ cores: cpus.map((each) => ({ threads: [each] })), sharedUsed: 0, sharedBy: [], pages: [], devices: [] },
  ...{ distances: null, physnets: [] },
})
const view: HostMapView = {
  ...{ host, seq: '1', floatingVcpus: 0, devices: [], holders: [holder('other'), holder('mine')] },
  cells: [cell(0, [cpu(0, [0]), cpu(1, [])]), cell(1, [cpu(2, [1]), cpu(3, [1])])],
}
const claim = {
  ...{ id: 'mine', host, cells: [{ hostCell: 1 }] },
  units: [{ unit: 'pci:0000:3b:01.0', kind: 'pci', cell: 1, label: 'VF 8086:1889' }],
} as unknown as ClaimView

afterEach(cleanup)

it('the instance page shows the NUMA nodes of the claim, and links its devices to the host map', () => {
  render(<PlacePicture view={view} claim={claim} />)
  const [other, own] = screen.getAllByRole('listitem')
  expect(other?.textContent).toBe('NUMA node 0')
  expect(own?.textContent).toMatch(/^NUMA node 1 2 CPUs, 1 device/)
  const device = screen.getByRole('link', { name: 'pci:0000:3b:01.0, VF 8086:1889' })
  expect(device.getAttribute('href')).toBe('/hosts/h?unit=pci%3A0000%3A3b%3A01.0')
  expect(own?.querySelectorAll('.bg-accent-fill')).toHaveLength(2)
  expect(other?.querySelectorAll('.bg-accent-fill')).toHaveLength(0)
})
