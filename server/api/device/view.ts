import type { UnitUse } from '../../engine/host'
import type { Device } from '../../engine/topology/host'
import type { UnitKind, UnitName } from '../../engine/words/units'
import { deviceLabel } from '../claim/view'

// Devices as trees under their NUMA node: a PF with its VFs, a GPU with its vGPUs, a region with its namespaces. A
// parent that is no unit itself (a GPU that only serves vGPUs) is shown as a group.

export interface MapDevice {
  readonly unit: string
  readonly kind: Exclude<UnitKind, 'cpu'>
  readonly role: 'pf' | 'vf' | 'card' | 'gpu' | 'vgpu' | 'region' | 'namespace'
  readonly name: string
  readonly label: string
  /** blocked: its parent, a child or a sibling type is held. group: a card that is no unit itself. */
  readonly state: 'free' | 'held' | 'blocked' | 'missing' | 'group'
  readonly holders: readonly { readonly holder: number; readonly use: UnitUse }[]
  readonly children: readonly MapDevice[]
}

/** Each use of a unit, by the index of its holder. */
export type UsesByUnit = ReadonlyMap<UnitName, MapDevice['holders']>

export type DeviceForest = ReadonlyMap<number | null, readonly MapDevice[]>

export function deviceForest(devices: readonly Device[], uses: UsesByUnit): DeviceForest {
  const known = new Map(devices.map((device) => [device.unit, device]))
  const children = childrenOf(devices)
  const tree = (device: Device): MapDevice => ({
    ...leaf(device, uses, children.has(device.unit)),
    children: (children.get(device.unit) ?? []).map(tree),
  })
  const forest = new Map<number | null, MapDevice[]>()
  const plant = (node: number | null, device: MapDevice) => forest.set(node, [...(forest.get(node) ?? []), device])
  for (const device of children.get(null) ?? []) plant(device.cell, tree(device))
  for (const [parent, cut] of children) {
    const [first] = cut
    if (parent === null || known.has(parent) || !first) continue
    plant(first.cell, { ...group(parent, first), children: cut.map(tree) })
  }
  return forest
}

function childrenOf(devices: readonly Device[]): ReadonlyMap<UnitName | null, readonly Device[]> {
  const children = new Map<UnitName | null, Device[]>()
  for (const device of devices) children.set(device.parent, [...(children.get(device.parent) ?? []), device])
  return children
}

/** Whether other units are created from this one. */
export function isParentIn(devices: readonly Device[]): (unit: UnitName) => boolean {
  const parents = new Set(devices.map((device) => device.parent))
  return (unit) => parents.has(unit)
}

function leaf(device: Device, uses: UsesByUnit, isParent: boolean): Omit<MapDevice, 'children'> {
  return {
    unit: device.unit,
    kind: device.kind,
    role: roleOf(device, isParent),
    name: nameOf(device.unit),
    label: deviceLabel(device),
    state: stateOf(device, uses.has(device.unit)),
    holders: uses.get(device.unit) ?? [],
  }
}

function group(unit: UnitName, child: Device): Omit<MapDevice, 'children'> {
  const role = child.kind === 'vgpu' ? 'gpu' : child.kind === 'vpmem' ? 'region' : 'card'
  return { unit, kind: child.kind, role, name: nameOf(unit), label: '', state: 'group', holders: [] }
}

export function roleOf(device: Device, isParent: boolean): MapDevice['role'] {
  if (device.kind === 'vgpu') return 'vgpu'
  if (device.kind === 'vpmem') return 'namespace'
  if (device.pci?.devType === 'type-PF') return 'pf'
  if (device.pci?.devType === 'type-VF' || device.pci?.devType === 'vdpa') return 'vf'
  return isParent ? 'gpu' : 'card'
}

export function stateOf(device: Device, held: boolean): Exclude<MapDevice['state'], 'group'> {
  if (device.gone) return 'missing'
  if (held) return 'held'
  return device.free ? 'free' : 'blocked'
}

/** `pci:0000:3b:02.1` → `0000:3b:02.1`. */
function nameOf(unit: UnitName): string {
  return unit.slice(unit.indexOf(':') + 1)
}
