import { describe, expect, it } from 'vitest'
import type { ClaimBody, ClaimedUnit } from '../../../engine/host'
import type { PlacedNode } from '../../../engine/topology/guest-topology'
import { shapeDomain } from './domain'
import { childNamed, childrenNamed } from './edit'
import { placeDomain } from './placement'
import { FOREIGN_DOMAIN } from './samples'
import { buildXml, parseXmlTree, type XmlElement } from './tree'

const foreign = (): XmlElement => {
  const parsed = parseXmlTree(FOREIGN_DOMAIN)
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.root
}

const cell = (guestCell: number, over: Partial<PlacedNode> = {}): PlacedNode => ({
  ...{ guestCell, hostCell: guestCell, memoryMib: 2048, pageKib: null, sharedVcpus: [], pins: [], reservedCpus: [] },
  ...{ cpuPolicy: 'dedicated', threadPolicy: null },
  ...over,
})
const pci = (address: string): ClaimedUnit => ({ unit: `pci:${address}`, kind: 'pci', use: 'device' })
const claimOf = (over: Partial<ClaimBody>): ClaimBody => ({ amounts: [], cells: [], units: [], ...over })

const PINNED = claimOf({
  cells: [
    cell(0, { hostCell: 2, pageKib: 1048576, pins: [[1, 21] as const, [0, 20] as const] }),
    cell(1, { hostCell: 0, pageKib: 2048, pins: [[2, 4] as const, [3, 5] as const], reservedCpus: [7] }),
  ],
  units: [pci('0000:3b:02.3'), pci('0000:3b:02.4'), { unit: 'pci:0000:3b:00.0', kind: 'pci', use: 'with-parent' }],
})

const placed = (claim: ClaimBody): XmlElement => {
  const edited = placeDomain(foreign(), claim)
  if (!edited.ok) throw new Error(edited.why)
  return edited.domain
}
const part = (domain: XmlElement, name: string) => {
  const found = childNamed(domain, name)
  return found && buildXml(found).replace(/>\s+</g, '><')
}

describe('a domain placed by its claim', () => {
  it('gets a function of a PCI domain beyond 16 bits, as below a VMD controller', () => {
    const domain = placed(claimOf({ units: [pci('10000:01:00.0')] }))
    expect(part(domain, 'devices')).toContain('<address domain="0x10000" bus="0x01" slot="0x00" function="0x0"/>')
  })

  it('has pins, memory nodes and pages of the claim, and keeps its other tuning', () => {
    const domain = placed(PINNED)
    expect(part(domain, 'cputune')).toBe(
      '<cputune><shares>2048</shares><vcpupin vcpu="0" cpuset="20"/><vcpupin vcpu="1" cpuset="21"/>' +
        '<vcpupin vcpu="2" cpuset="4"/><vcpupin vcpu="3" cpuset="5"/><emulatorpin cpuset="7"/>' +
        '<vcpusched vcpus="0" scheduler="fifo" priority="1"/></cputune>',
    )
    expect(part(domain, 'numatune')).toBe(
      '<numatune><memory mode="preferred" nodeset="0,2"/><memnode cellid="0" mode="strict" nodeset="2"/>' +
        '<memnode cellid="1" mode="strict" nodeset="0"/></numatune>',
    )
    expect(part(domain, 'memoryBacking')).toBe(
      '<memoryBacking><hugepages><page size="1048576" unit="KiB" nodeset="0"/><page size="2048" unit="KiB" nodeset="1"/>' +
        '</hugepages><locked/></memoryBacking>',
    )
    expect(part(domain, 'vcpu')).toBe('<vcpu placement="static">4</vcpu>')
  })

  it('gives an assigned function its new address in the same guest slot, and adds the second', () => {
    const [first, usb, second] = childrenNamed(childNamed(placed(PINNED), 'devices'), 'hostdev').map((each) =>
      buildXml(each).replace(/>\s+</g, '><'),
    )
    expect(first).toBe(
      '<hostdev mode="subsystem" type="pci" managed="no"><source><address domain="0x0000" bus="0x3b" slot="0x02" function="0x3"/>' +
        '</source><alias name="ua-first"/><address type="pci" domain="0x0000" bus="0x06" slot="0x00" function="0x0"/></hostdev>',
    )
    expect(usb).toContain('0x1234')
    expect(second).toContain('slot="0x02" function="0x4"')
  })

  it('drops all bindings to the old host when the claim has none', () => {
    const domain = placed(claimOf({}))
    expect(part(domain, 'cputune')).toBe(
      '<cputune><shares>2048</shares><vcpusched vcpus="0" scheduler="fifo" priority="1"/></cputune>',
    )
    expect(part(domain, 'numatune')).toBeNull()
    expect(buildXml(domain)).not.toMatch(/cpuset|nodeset|0x5e/)
  })

  it('keeps everything else, in its order', () => {
    const changed = new Set(['cputune', 'numatune', 'memoryBacking', 'vcpu', 'devices'])
    const others = (domain: XmlElement) =>
      domain.children.filter((node) => node.kind !== 'element' || !changed.has(node.name))
    expect(others(placed(PINNED))).toEqual(others(foreign()))
    const otherDevices = (domain: XmlElement) =>
      childNamed(domain, 'devices')?.children.filter((node) => node.kind !== 'element' || node.name !== 'hostdev')
    expect(otherDevices(placed(PINNED))).toEqual(otherDevices(foreign()))
  })

  it('is unchanged by a second placement, and the last claim counts', () => {
    const edited = placeDomain(placed(PINNED), PINNED)
    expect(edited).toEqual({ ok: true, domain: placed(PINNED) })
  })

  it.each([
    [claimOf({ cells: [cell(0, { pins: [[4, 1]] }), cell(1)] }), 'the claim pins vCPU 4, and the domain has 4'],
    [claimOf({ cells: [cell(0)] }), 'the claim has 1 NUMA nodes, and the domain has 2'],
    [
      claimOf({ units: [{ unit: 'vgpu:0000:d8:00.0:t:0', kind: 'vgpu', use: 'device' }] }),
      'vgpu:0000:d8:00.0:t:0 cannot be assigned to a libvirt domain yet',
    ],
  ])('is refused for a claim that it cannot have', (claim, why) => {
    expect(placeDomain(foreign(), claim)).toEqual({ ok: false, why })
  })
})

describe('a domain shaped by a flavor', () => {
  it('has the size, the NUMA nodes and the name, and a matching topology', () => {
    const flavor = { name: 'big', vcpus: 6, memoryMib: 6144, diskGib: 0, extraSpecs: {} }
    const claim = claimOf({
      cells: [
        cell(0, { hostCell: 1, memoryMib: 4096, pins: [0, 1, 2, 3].map((vcpu) => [vcpu, 8 + vcpu] as const) }),
        cell(1, { hostCell: 3, sharedVcpus: [4, 5] }),
      ],
    })
    const shaped = shapeDomain(foreign(), { uuid: 'u', name: 'web <1>', flavor, claim })
    if (!shaped.ok) throw new Error(shaped.why)
    expect(part(shaped.domain, 'name')).toBe('<name>web &lt;1&gt;</name>')
    expect(part(shaped.domain, 'memory')).toBe('<memory unit="MiB">6144</memory>')
    expect(part(shaped.domain, 'vcpu')).toBe('<vcpu placement="static">6</vcpu>')
    expect(part(shaped.domain, 'cpu')).toBe(
      '<cpu mode="custom" match="exact"><model fallback="forbid">Broadwell</model><numa>' +
        '<cell id="0" cpus="0,1,2,3" memory="4096" unit="MiB"/><cell id="1" cpus="4,5" memory="2048" unit="MiB"/></numa></cpu>',
    )
    expect(part(shaped.domain, 'numatune')).toContain('nodeset="1,3"')
  })
})
