import type { RefusalKind } from '../../words/refusal'
import type { UnitName } from '../../words/units'
import type { PlaceDemand, VgpuRequest } from '../demand'
import type { Device } from '../host'
import { pciDeviceRequest } from './pci'
import { ancestors } from './pools'
import type { DeviceRequest } from './slots'
import { vpmemDeviceRequest } from './vpmem'

// The kinds of units, one line each. A new kind is a file that answers "where could you go?" and its line here.

interface KindRow {
  readonly deviceRequests: (demand: PlaceDemand) => readonly DeviceRequest[]
  /** What a demand is refused for that finds too few. */
  readonly short: RefusalKind
}

export const DEVICE_KINDS = {
  pci: { deviceRequests: (demand) => demand.pci.map(pciDeviceRequest), short: 'devices' },
  vgpu: { deviceRequests: (demand) => demand.vgpus.map(vgpuDeviceRequest), short: 'vgpus' },
  vpmem: { deviceRequests: (demand) => demand.vpmems.map(vpmemDeviceRequest), short: 'vpmem' },
} as const satisfies Readonly<Record<Device['kind'], KindRow>>

/** All requests of a demand in the order in which a fit answers them, which is the order of the kinds. */
export const deviceRequestsOf = (demand: PlaceDemand): readonly DeviceRequest[] =>
  Object.values(DEVICE_KINDS).flatMap(({ deviceRequests }) => deviceRequests(demand))

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

// vGPUs: slots of a GPU, each with the mdev type it becomes. Source: Nova virtual GPU guide. One GPU offers one type
// (`[mdev_nvidia-35] device_addresses`), so slots of one parent never compete by type; only the parent itself, passed
// through whole, competes with them.

function vgpuDeviceRequest(request: VgpuRequest): DeviceRequest {
  const { mdevType, resourceClass = null } = request
  return {
    requestId: request.requestId,
    kind: 'vgpu',
    count: request.count,
    accepts: ({ devices: [slot] }) =>
      slot?.kind === 'vgpu' &&
      (mdevType === null || slot.mdevType === mdevType) &&
      (resourceClass === null || slot.resourceClass === resourceClass),
    // Nova never refuses a vGPU for its cell; nearness stays a preference.
    policy: null,
    providers: request.providers,
  }
}
