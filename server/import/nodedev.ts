import type { Device, PciDevType } from '../engine/topology/host'
import { pciUnit, VGPU, vgpuUnit } from '../engine/words/units'
import { type ImportIssue, type ImportResult, issueNote, problem } from './issue'
import { at, attribute, child, children, type Element, parseXml, textOf, wholeNumber } from './xml'

// `virsh nodedev-dumpxml` → assignable devices. Source: libvirt formatnode.html, capability 'pci'.

export interface NodedevFile {
  readonly file: string
  readonly text: string
}

/** PCI base classes that are offered to instances: network, display, co-processor, accelerator. */
const ASSIGNABLE_CLASSES = new Set([0x02, 0x03, 0x0b, 0x12])

/** An upper bound that no GPU reaches: each mediated device is a unit with its own row. */
const MAX_INSTANCES = 1_024

interface ReadPci {
  readonly file: string
  readonly address: string
  readonly vendorId: string
  readonly productId: string
  readonly devType: PciDevType
  readonly parent: string | null
  readonly cell: number | null
  readonly baseClass: number | null
  readonly mdevTypes: readonly { readonly id: string; readonly slots: number }[]
}

export function parseNodedevs(
  files: readonly NodedevFile[],
  cellIds: ReadonlySet<number>,
): ImportResult<readonly Device[]> {
  const issues: ImportIssue[] = []
  const found = files.flatMap((file) => readPciDevice(file, issues))
  const byAddress = new Map<string, ReadPci>()
  for (const device of found) {
    const earlier = byAddress.get(device.address)
    if (earlier)
      issues.push(
        problem(device.file, `${device.address} was already described by ${earlier.file}`, 'give each device once'),
      )
    else byAddress.set(device.address, device)
  }
  const kept = [...byAddress.values()].filter(isAssignable).sort((a, b) => (a.address < b.address ? -1 : 1))
  for (const device of kept)
    if (device.cell !== null && !cellIds.has(device.cell))
      issues.push(
        problem(
          device.file,
          `its NUMA node ${device.cell} is not a NUMA node of the host`,
          'give the capabilities of the same host',
        ),
      )
  const known = kept.filter((device) => device.cell === null || cellIds.has(device.cell))
  return { value: known.flatMap((device) => [pciDevice(device, byAddress), ...vgpuSlots(device)]), issues }
}

function isAssignable(device: ReadPci): boolean {
  return device.devType !== 'type-PCI' || (device.baseClass !== null && ASSIGNABLE_CLASSES.has(device.baseClass))
}

function readPciDevice(file: NodedevFile, issues: ImportIssue[]): ReadPci[] {
  const { root, issues: malformed } = parseXml(file.text, file.file)
  issues.push(...malformed)
  if (!root) return []
  const device = child(root, 'device')
  if (!device) {
    issues.push(problem(file.file, 'there is no <device>', 'give the output of `virsh nodedev-dumpxml`'))
    return []
  }
  const pci = children(device, 'capability').find((capability) => attribute(capability, 'type') === 'pci')
  if (!pci) return [] // The same listing has network interfaces, DRM nodes, mdevs and channel devices.
  const address = addressOf({
    domain: textOf(child(pci, 'domain')),
    bus: textOf(child(pci, 'bus')),
    slot: textOf(child(pci, 'slot')),
    function: textOf(child(pci, 'function')),
  })
  const vendor = attribute(child(pci, 'vendor'), 'id')
  const product = attribute(child(pci, 'product'), 'id')
  if (!address || !vendor || !product) {
    issues.push(
      problem(
        file.file,
        'its address, vendor or product is missing',
        'write the file again with `virsh nodedev-dumpxml`',
      ),
    )
    return []
  }
  const baseClass = wholeNumber(textOf(child(pci, 'class')) || null)
  const parent = addressOf(attributesOf(at(capabilityOf(pci, 'phys_function'), 'address')))
  return [
    {
      file: file.file,
      address,
      vendorId: hex4(vendor),
      productId: hex4(product),
      devType: capabilityOf(pci, 'virt_functions') ? 'type-PF' : parent ? 'type-VF' : 'type-PCI',
      parent,
      cell: wholeNumber(attribute(child(pci, 'numa'), 'node')),
      baseClass: baseClass === null ? null : baseClass >> 16,
      mdevTypes: mdevTypes(capabilityOf(pci, 'mdev_types'), file.file, issues),
    },
  ]
}

function capabilityOf(pci: Element, type: string): Element | undefined {
  return children(pci, 'capability').find((capability) => attribute(capability, 'type') === type)
}

function mdevTypes(capability: Element | undefined, file: string, issues: ImportIssue[]): ReadPci['mdevTypes'] {
  const types = children(capability, 'type').flatMap((type) => {
    const id = attribute(type, 'id')
    const slots = wholeNumber(textOf(child(type, 'availableInstances')) || null)
    if (slots !== null && slots > MAX_INSTANCES) {
      issues.push(problem(file, `it offers ${slots} instances of ${id}`, `a device has at most ${MAX_INSTANCES}`))
      return []
    }
    return id && slots ? [{ id, slots }] : []
  })
  if (types.length > 1)
    issues.push(
      issueNote(
        file,
        `it offers ${types.length} mdev types; ${types[0]?.id} is enabled`,
        'one type per GPU, as Nova `enabled_mdev_types`; the first one is taken',
      ),
    )
  return types.slice(0, 1)
}

/** The parts of an `<address>`, for `addressOf`. */
export function attributesOf(address: Element | undefined): Record<string, string> {
  return Object.fromEntries(['domain', 'bus', 'slot', 'function'].map((part) => [part, attribute(address, part) ?? '']))
}

/** `0000:5e:00.1`; null if a part is missing or not a number. */
export function addressOf(parts: Record<string, string>): string | null {
  const [domain, bus, slot, fn] = ['domain', 'bus', 'slot', 'function'].map((part) => wholeNumber(parts[part] || null))
  if (domain == null || bus == null || slot == null || fn == null) return null
  const hex = (value: number, width: number) => value.toString(16).padStart(width, '0')
  return `${hex(domain, 4)}:${hex(bus, 2)}:${hex(slot, 2)}.${fn.toString(16)}`
}

const hex4 = (id: string) => id.replace(/^0x/i, '').toLowerCase().padStart(4, '0')

function pciDevice(device: ReadPci, all: ReadonlyMap<string, ReadPci>): Device {
  // A VF without its PF in the files is still assignable; it only has no parent to exclude.
  const parent = device.parent && all.has(device.parent) ? pciUnit(device.parent) : null
  return {
    unit: pciUnit(device.address),
    kind: 'pci',
    cell: device.cell,
    parent,
    resourceClass: `CUSTOM_PCI_${device.vendorId}_${device.productId}`.toUpperCase(),
    pci: {
      address: device.address,
      vendorId: device.vendorId,
      productId: device.productId,
      devType: device.devType,
      tags: {},
    },
    free: true,
  }
}

function vgpuSlots(device: ReadPci): Device[] {
  return device.mdevTypes.flatMap((type) =>
    Array.from({ length: type.slots }, (_, slot) => ({
      unit: vgpuUnit(device.address, type.id, slot),
      kind: 'vgpu' as const,
      cell: device.cell,
      parent: pciUnit(device.address),
      resourceClass: VGPU,
      mdevType: type.id,
      free: true,
    })),
  )
}
