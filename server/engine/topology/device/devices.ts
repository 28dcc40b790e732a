import type { RefusalKind } from '../../words/refusal'
import type { UnitName } from '../../words/units'
import type { PciRequest } from '../guest-topology'
import type { Device } from '../host'
import { pciDeviceRequest } from './pci'
import { pciRequestsOf } from './pci-alias'
import { ancestors } from './pools'
import type { DeviceQuestion, DeviceRequest } from './slots'
import { type VgpuRequest, vgpuDeviceRequest, vgpuRequestsOf } from './vgpu'
import { type VpmemRequest, vpmemDeviceRequest, vpmemRequestsOf } from './vpmem'

// The kinds of devices, one line each. A new kind is a file that defines what a flavor requests and where it can go,
// and its line here.

interface KindRow<Ask> {
  readonly requested: (question: DeviceQuestion) => readonly Ask[]
  readonly request: (ask: Ask) => DeviceRequest
  /** The refusal of a demand that finds too few. */
  readonly short: RefusalKind
}

export const DEVICE_KINDS = {
  pci: { requested: pciRequestsOf, request: pciDeviceRequest, short: 'devices' },
  vgpu: { requested: vgpuRequestsOf, request: vgpuDeviceRequest, short: 'vgpus' },
  vpmem: { requested: vpmemRequestsOf, request: vpmemDeviceRequest, short: 'vpmem' },
} as const satisfies { readonly [Kind in Device['kind']]: KindRow<Extract<AnyDeviceRequest, { kind: Kind }>> }

/** A number of devices of one kind, as a flavor, image or port requests them. `requestId` is unique in its demand. */
export type AnyDeviceRequest = PciRequest | VgpuRequest | VpmemRequest

/** All requests, in the order in which a fit answers them: the order of the kinds. */
export const requestedDevicesOf = (question: DeviceQuestion): readonly AnyDeviceRequest[] =>
  Object.values(DEVICE_KINDS).flatMap(({ requested }): readonly AnyDeviceRequest[] => requested(question))

export const deviceRequestsOf = (devices: readonly AnyDeviceRequest[]): readonly DeviceRequest[] =>
  devices.map((ask) => (DEVICE_KINDS[ask.kind].request as KindRow<AnyDeviceRequest>['request'])(ask))

/** Number of devices requested in total. */
export const devicesCounted = (devices: readonly AnyDeviceRequest[]): number =>
  devices.reduce((sum, { count }) => sum + count, 0)

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
 * The same devices with `free` derived from the holdings. `gone` are units that the hypervisor no longer reports. Pass
 * all holdings of the host, not only the new ones: a PF is free again only when its last VF is.
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
