import { grouped } from '../../ledger/grouped'
import type { UnitName } from '../../words/units'
import { readBoolean } from '../constraint/flavor-image'
import type { Device } from '../host'

// Groups free devices that no request can distinguish: a card's 64 VFs are one pool. A device that others are cut from
// (PF, GPU) is always a separate pool, because taking it costs more than taking the others.

/** The device has no NUMA affinity, or names a NUMA node this host does not have. */
export const NO_NODE_INDEX = -1
const UNKNOWN_NODE = -2

export interface DevicePool {
  readonly index: number
  /** By unit name, so that the same question always gets the same units. Never empty. */
  readonly devices: readonly Device[]
  readonly nodeIndex: number
  /** Values for comparison with a request's spec, in lower case; PCI devices only. */
  readonly facts: ReadonlyMap<string, string>
  /** Pools that cannot be used together with this one: what is cut from it, at any depth, and what it is cut from. */
  readonly below: readonly number[]
  readonly above: readonly number[]
  /** Its parent is already split, so taking one more child wastes nothing. */
  readonly parentBroken: boolean
}

export function poolDevices(devices: readonly Device[], nodeIndex: ReadonlyMap<number, number>): readonly DevicePool[] {
  const byUnit = new Map(devices.map((device) => [device.unit, device]))
  const parents = new Set(devices.map((device) => device.parent))
  const free = devices.filter((device) => device.free).sort(byName)
  const lists = [...grouped(free, (device) => poolKey(device, parents.has(device.unit))).values()]
  const poolOf = new Map(lists.flatMap((list, index) => list.map((device) => [device.unit, index] as const)))
  const above = lists.map((list) => ancestors(list[0]!, byUnit).flatMap((unit) => poolOf.get(unit) ?? []))
  return lists.map((list, index): DevicePool => {
    const sample = list[0]!
    const parent = sample.parent === null ? undefined : byUnit.get(sample.parent)
    return {
      index,
      devices: list,
      nodeIndex: sample.cell === null ? NO_NODE_INDEX : (nodeIndex.get(sample.cell) ?? UNKNOWN_NODE),
      facts: pciFacts(sample),
      below: above.flatMap((pools, other) => (pools.includes(index) ? [other] : [])),
      above: above[index]!,
      parentBroken: parent !== undefined && !parent.free,
    }
  })
}

const byName = (a: Device, b: Device) => (a.unit < b.unit ? -1 : a.unit > b.unit ? 1 : 0)

function poolKey(device: Device, isParent: boolean): string {
  const { kind, cell, parent, resourceClass, provider, mdevType, pci } = device
  const tags = pci === undefined ? null : Object.entries(pci.tags).sort(([a], [b]) => (a < b ? -1 : 1))
  const self = isParent ? device.unit : null
  const identity = pci === undefined ? null : [pci.vendorId, pci.productId, pci.devType]
  return JSON.stringify([kind, cell, parent, resourceClass, provider, mdevType, identity, tags, self])
}

/** The units that a device is cut from, nearest first. A loop in bad data must not hang the server. */
export function ancestors(device: Device, byUnit: ReadonlyMap<UnitName, Device>): readonly UnitName[] {
  const chain: UnitName[] = []
  let unit = device.parent
  while (unit !== null && unit !== device.unit && !chain.includes(unit)) {
    chain.push(unit)
    unit = byUnit.get(unit)?.parent ?? null
  }
  return chain
}

const YES_OR_NO: ReadonlySet<string> = new Set(['remote_managed', 'live_migratable'])

/** Operators write `yes`, `True` and `1` for the same tag; devices and requests are normalised to one spelling. */
export function pciValue(key: string, value: string): string {
  return YES_OR_NO.has(key) ? String(readBoolean(String(value))) : String(value).toLowerCase()
}

/** What Nova stores per PCI pool. SR-IOV and vdpa functions are `remote_managed: false` unless tagged otherwise. */
export function pciFacts(device: Device): ReadonlyMap<string, string> {
  const { pci } = device
  if (pci === undefined) return new Map()
  const facts = new Map<string, string>()
  if (pci.devType !== 'type-PCI') facts.set('remote_managed', 'false')
  for (const [tag, value] of Object.entries(pci.tags)) facts.set(tag, pciValue(tag, value))
  facts.set('vendor_id', pci.vendorId.toLowerCase())
  facts.set('product_id', pci.productId.toLowerCase())
  facts.set('dev_type', pci.devType.toLowerCase())
  facts.set('numa_node', device.cell === null ? 'none' : String(device.cell))
  return facts
}
