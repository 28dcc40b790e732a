import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConsumerId } from '../words/ids'
import { cpuUnit, pciUnit, type UnitName, vgpuUnit, vpmemUnit } from '../words/units'
import type { VgpuRequest } from './device/vgpu'
import { pmemResourceClass, vpmemRequestsOf } from './device/vpmem'
import type { Device } from './host'
import { nodeFits } from './node/fit'
import { nodeRefusals } from './node/refusals'
import { type Fit, type FitInput, fitInstance, prepareHost } from './numa'
import { demandOf, pciRequest, pinnedGuest, testCard, testDevice, testNode } from './test-host'

const hostNodes = (fit: Fit) => (fit.ok ? fit.cells.map((node) => node.hostCell) : fit.refusals)
const units = (fit: Fit) => (fit.ok ? fit.devices.map((given) => given.units) : fit.refusals)
const kinds = (fit: Fit) => (fit.ok ? 'fits' : fit.refusals.map((refusal) => refusal.kind))

describe('the choice of NUMA nodes', () => {
  it('leaves the least capacity over', () => {
    const nodes = [testNode(0, 4), testNode(1, 2), testNode(2, 4)]
    expect(hostNodes(ask({ host: prepareHost(nodes, []), demand: demandOf(pinnedGuest([3])) }))).toEqual([1])
  })

  it('gives way when another guest NUMA node needs the better one', () => {
    const host = prepareHost([testNode(0, 4), testNode(1, 1)], [testDevice('a', 0)])
    const pci = [pciRequest(1, { numaPolicy: 'preferred' })]
    expect(hostNodes(ask({ host, demand: demandOf(pinnedGuest([2]), { devices: pci }) }))).toEqual([0])
    expect(hostNodes(ask({ host, demand: demandOf(pinnedGuest([2, 8]), { devices: pci }) }))).toEqual([1, 0])
  })

  it('is near requested devices, and away from others', () => {
    const host = prepareHost([testNode(0, 2), testNode(1, 2)], [testDevice('a', 0), testDevice('b', 1)])
    const near = prepareHost([testNode(0, 2), testNode(1, 2)], [testDevice('b', 1)])
    const preferred = [pciRequest(1, { numaPolicy: 'preferred' })]
    expect(hostNodes(ask({ host: near, demand: demandOf(pinnedGuest([1]), { devices: preferred }) }))).toEqual([1])
    expect(hostNodes(ask({ host, demand: demandOf(pinnedGuest([1])) }))).toEqual([0])
    const away = prepareHost([testNode(0, 2), testNode(1, 2)], [testDevice('a', 0)])
    expect(hostNodes(ask({ host: away, demand: demandOf(pinnedGuest([1])) }))).toEqual([1])
  })

  it('covers several nodes when devices need them', () => {
    const nodes = [0, 1, 2, 3].map((id) => testNode(id, 2))
    const devices = [testDevice('a', 2), testDevice('b', 3, { pci: otherModel('b') })]
    const pci = [
      pciRequest(1, { requestId: 'one', spec: [{ product_id: '1563' }], numaPolicy: 'required' }),
      pciRequest(1, { requestId: 'two', spec: [{ product_id: 'other' }], numaPolicy: 'required' }),
    ]
    const demand = demandOf(pinnedGuest([1, 1]), { devices: pci })
    expect(hostNodes(ask({ host: prepareHost(nodes, devices), demand }))).toEqual([2, 3])
    expect(
      kinds(ask({ host: prepareHost(nodes, devices), demand: { ...demand, topology: pinnedGuest([1]) } })),
    ).toEqual(['no-joint-fit'])
  })

  it('refuses large impossible requests at once', () => {
    const nodes = Array.from({ length: 32 }, (_, id) => testNode(id, 2))
    const devices = nodes.flatMap((node) => testCard(`c${node.id}`, node.id, 2))
    const vfs = pciRequest(17, { spec: [{ dev_type: 'type-VF' }], numaPolicy: 'required' })
    const demand = demandOf(pinnedGuest([1, 1, 1, 1, 1, 1, 1, 1]), { devices: [vfs] })
    expect(kinds(ask({ host: prepareHost(nodes, devices), demand }))).toEqual(['device-affinity'])
  })
})

const otherModel = (address: string) => ({ ...testDevice(address, null).pci!, productId: 'other' })

const ask = (input: Omit<FitInput, 'limits'> & Partial<FitInput>) => fitInstance({ limits: null, ...input })

describe('devices', () => {
  const vf = { spec: [{ dev_type: 'type-VF' }] }
  const pf = { requestId: 'card', spec: [{ dev_type: 'type-PF' }] }

  it('never include a card together with its parts', () => {
    const host = prepareHost([], testCard('a', null, 2))
    expect(kinds(ask({ host, demand: demandOf(null, { devices: [pciRequest(1, vf), pciRequest(1, pf)] }) }))).toEqual([
      'no-joint-fit',
    ])
    const two = prepareHost([], [...testCard('a', null, 2), ...testCard('b', null, 2)])
    expect(
      units(ask({ host: two, demand: demandOf(null, { devices: [pciRequest(2, vf), pciRequest(1, pf)] }) })),
    ).toEqual([['pci:b.1', 'pci:b.2'], ['pci:a.0']])
  })

  it('come from a card that is already partly used', () => {
    const [card, first, ...rest] = testCard('b', null, 3)
    const broken = [{ ...card!, free: false }, { ...first!, free: false }, ...rest]
    const host = prepareHost([], [...testCard('a', null, 3), ...broken])
    expect(units(ask({ host, demand: demandOf(null, { devices: [pciRequest(1, vf)] }) }))).toEqual([['pci:b.2']])
  })

  it('of type vGPU are slots, and exclude passing through their whole GPU', () => {
    const gpu = testDevice('g', 0, { pci: { ...testDevice('g', 0).pci!, devType: 'type-PCI' } })
    const slots = [1, 2].map((slot): Device => {
      const unit = vgpuUnit('g', 'nvidia-35', slot)
      const { pci: _, ...bare } = testDevice('g', 0, {
        unit,
        kind: 'vgpu',
        parent: pciUnit('g'),
        resourceClass: 'VGPU',
      })
      return { ...bare, mdevType: 'nvidia-35' }
    })
    const host = prepareHost([], [gpu, ...slots])
    const vgpus = (count: number, mdevType: string | null): VgpuRequest[] => [
      { kind: 'vgpu', requestId: 'vgpu', count, mdevType, resourceClass: null },
    ]
    expect(units(ask({ host, demand: demandOf(null, { devices: vgpus(2, null) }) }))).toEqual([
      slots.map((s) => s.unit),
    ])
    expect(kinds(ask({ host, demand: demandOf(null, { devices: vgpus(1, 'nvidia-36') }) }))).toEqual(['vgpus'])
    const both = demandOf(null, { devices: [pciRequest(1), ...vgpus(1, 'nvidia-35')] })
    expect(kinds(ask({ host, demand: both }))).toEqual(['no-joint-fit'])
  })

  it('of type vPMEM are distinguished by their label', () => {
    const namespaces = ['6GB', 'SMALL', '6GB'].map((label, index): Device => {
      const unit = vpmemUnit(`ns${index}`)
      return { unit, kind: 'vpmem', cell: 0, parent: null, resourceClass: pmemResourceClass(label), free: true }
    })
    const host = prepareHost([], namespaces)
    const demand = (...labels: string[]) => {
      const flavor = { name: 'f', vcpus: 1, memoryMib: 64, diskGib: 0, extraSpecs: { 'hw:pmem': labels.join(',') } }
      return demandOf(null, { devices: vpmemRequestsOf({ flavor }) })
    }
    expect(units(ask({ host, demand: demand('6GB', 'SMALL', '6GB') }))).toEqual([
      ['pmem:ns0', 'pmem:ns2'],
      ['pmem:ns1'],
    ])
    const refused = ask({ host, demand: demand('SMALL', 'SMALL') })
    expect(refused).toMatchObject({ ok: false, refusals: [{ kind: 'vpmem', need: 2, free: 1, shortBy: 1 }] })
  })
})

describe('a refusal', () => {
  const held = (holder: Readonly<Record<UnitName, string>>) => ({
    ofUnit: (unit: UnitName) => (holder[unit] === undefined ? [] : [holder[unit] as ConsumerId]),
    ofNode: () => ['memory-holder' as ConsumerId],
  })

  it('lists every shortage in every NUMA node, with holders in descending order', () => {
    const nodes = [testNode(0, 1, { pinnedCpus: [0, 10], memoryUsedMib: 1000 }), testNode(1, 2, { pinnedCpus: [100] })]
    const holders = held({ [cpuUnit(0)]: 'one', [cpuUnit(10)]: 'one', [cpuUnit(100)]: 'two' })
    const refused = ask({ host: prepareHost(nodes, []), demand: demandOf(pinnedGuest([4])), holders })
    expect(refused).toEqual({
      ok: false,
      refusals: [
        { kind: 'dedicated-cpus', where: { guestCell: 0, hostCell: 0 }, need: 4, free: 0, shortBy: 4, heldBy: ['one'] },
        {
          kind: 'memory',
          where: { guestCell: 0, hostCell: 0 },
          need: 64,
          free: 24,
          shortBy: 40,
          heldBy: ['memory-holder'],
        },
        { kind: 'dedicated-cpus', where: { guestCell: 0, hostCell: 1 }, need: 4, free: 3, shortBy: 1, heldBy: ['two'] },
      ],
    })
  })

  it('names the holder of a device through its parts', () => {
    const [card, first] = testCard('a', null, 1)
    const host = prepareHost(
      [],
      [
        { ...card!, free: false },
        { ...first!, free: false },
      ],
    )
    const pci = [pciRequest(1, { spec: [{ dev_type: 'type-PF' }] })]
    const refused = ask({ host, demand: demandOf(null, { devices: pci }), holders: held({ 'pci:a.1': 'guest' }) })
    expect(refused).toMatchObject({ refusals: [{ kind: 'devices', need: 1, free: 0, shortBy: 1, heldBy: ['guest'] }] })
  })

  it('distinguishes single NUMA nodes from their combination', () => {
    const nodes = [testNode(0, 2), testNode(1, 1)]
    const fitting = (vcpus: readonly number[]) =>
      kinds(ask({ host: prepareHost(nodes, []), demand: demandOf(pinnedGuest(vcpus)) }))
    expect(fitting([1, 1, 1])).toEqual(['too-few-cells'])
    expect(fitting([3, 3])).toEqual(['dedicated-cpus', 'dedicated-cpus'])
  })

  it('exists for a pair exactly when the pair does not fit', () => {
    const nodeArb = fc.record({
      pinnedCpus: fc.subarray([0, 1, 2, 10, 11, 12]),
      sharedCpus: fc.constantFrom([], [50, 51], [0, 1, 2, 10, 11, 12]),
      sharedUsed: fc.nat(6),
      memoryUsedMib: fc.constantFrom(0, 512, 1000),
      pages: fc.constantFrom([], [{ sizeKib: 4, total: 20_000, used: 4000, reserved: 0 }]),
      threads: fc.constantFrom(1, 2, 3),
    })
    const guestArb = fc.record({
      dedicatedVcpus: fc.constantFrom([], [0], [0, 1], [0, 1, 2, 3]),
      sharedVcpus: fc.constantFrom([], [7], [7, 8, 9]),
      cpuPolicy: fc.constantFrom(null, 'dedicated' as const, 'mixed' as const),
      threadPolicy: fc.constantFrom(null, 'prefer' as const, 'require' as const, 'isolate' as const),
      memoryMib: fc.constantFrom(16, 64, 512),
      pageKib: fc.constantFrom(null, -1, -2, -3, 4, 2048),
    })
    const limitsArb = fc.constantFrom(null, { cpuAllocationRatio: 2.5, ramAllocationRatio: 1.25 })
    fc.assert(
      fc.property(nodeArb, guestArb, limitsArb, fc.constantFrom(0, 1), (cell, guestCell, limits, reserve) => {
        const host = prepareHost([testNode(0, 3, cell)], []).preparedNodes[0]!
        const guestNode = pinnedGuest([1], guestCell).cells[0]!
        const question = { guestNode, limits, reserve }
        expect(nodeRefusals(question, host, undefined).length === 0).toBe(nodeFits(question, host))
      }),
      { numRuns: 3000 },
    )
  })
})
