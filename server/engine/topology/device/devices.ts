import type { UnitName } from '../../words/units'
import type { PlaceDemand } from '../demand'
import type { Device } from '../host'
import { pciWish } from './pci'
import { ancestors } from './pools'
import type { Wish } from './slots'
import { vgpuWish } from './vgpu'
import { vpmemWish } from './vpmem'

// The kinds of units, one line each. A new kind is a file that answers "where could you go?" and its line here.

const WISHES: { readonly [K in Device['kind']]: (demand: PlaceDemand) => readonly Wish[] } = {
  pci: (demand) => demand.pci.map(pciWish),
  vgpu: (demand) => demand.vgpus.map(vgpuWish),
  vpmem: (demand) => demand.vpmems.map(vpmemWish),
}

/** All requests of a demand in the order in which a fit answers them: PCI, vGPU, vPMEM. */
export function wishesOf(demand: PlaceDemand): readonly Wish[] {
  return [...WISHES.pci(demand), ...WISHES.vgpu(demand), ...WISHES.vpmem(demand)]
}

/** The other units that cannot be held while these are: what they are cut from and what is cut from them. */
export function exclusive(devices: readonly Device[], taken: Iterable<UnitName>): ReadonlySet<UnitName> {
  const byUnit = new Map(devices.map((device) => [device.unit, device]))
  const held = new Set(taken)
  const blocked = new Set<UnitName>()
  for (const device of devices) {
    const chain = ancestors(device, byUnit)
    if (held.has(device.unit)) for (const unit of chain) blocked.add(unit)
    if (chain.some((unit) => held.has(unit))) blocked.add(device.unit)
  }
  return new Set([...blocked].filter((unit) => byUnit.has(unit) && !held.has(unit)))
}

/**
 * The same devices with `free` as it follows from who holds what. `gone` are units the hypervisor no longer shows.
 * Give it all holdings of the host, not only the new ones: a PF is free again only when its last VF is.
 */
export function withHoldings(
  devices: readonly Device[],
  held: ReadonlySet<UnitName>,
  gone: ReadonlySet<UnitName> = new Set(),
): readonly Device[] {
  const blocked = exclusive(devices, held)
  return devices.map((device) => {
    const free = !held.has(device.unit) && !blocked.has(device.unit) && !gone.has(device.unit)
    return free === device.free ? device : Object.freeze({ ...device, free })
  })
}
