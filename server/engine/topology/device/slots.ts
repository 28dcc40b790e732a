import type { Flavor, Image, PciAlias } from '../../demand'
import type { SpecRefusals } from '../../extra-specs'
import { counted } from '../../ledger/grouped'
import type { PciNumaPolicy, PciRequest } from '../guest-topology'
import type { Device } from '../host'
import type { DevicePool } from './pools'

// The requests of each kind of unit in one form: a number of units from these pools, under this affinity rule. Each
// kind only says where it can go (`DeviceRequest`); `assign-units.ts` decides for all of them together.

/** The source of device requests. */
export interface DeviceQuestion {
  readonly flavor: Flavor
  readonly image: Image
  readonly aliases: readonly PciAlias[]
  readonly portRequests: readonly PciRequest[]
  /** Resource classes that stand for one mdev type each (Nova `[devices]` `mdev_class`). */
  readonly vgpuClasses: readonly string[]
  /** Amounts of `resources:`. A kind removes the classes that it handles. */
  readonly resources: Map<string, number>
  /** Receives what cannot be read. */
  readonly wrong: SpecRefusals
}

/** One request of any kind, independent of a host. */
export interface DeviceRequest {
  readonly requestId: string
  readonly kind: Device['kind']
  readonly count: number
  readonly accepts: (pool: DevicePool) => boolean
  /** Null: no affinity rule, whatever the instance's NUMA nodes. */
  readonly policy: PciNumaPolicy | null
  readonly providers: readonly string[] | undefined
}

/** Part of a request whose units are interchangeable: all of it, or the share of one Placement provider. */
export interface Slot {
  /** Index of the request among all of the demand's. */
  readonly request: number
  readonly deviceRequest: DeviceRequest
  readonly need: number
  readonly provider: string | null
  /** Pools that match, ignoring NUMA nodes. */
  readonly pools: readonly number[]
}

export function slotsOf(deviceRequests: readonly DeviceRequest[], pools: readonly DevicePool[]): readonly Slot[] {
  const slots: Slot[] = []
  for (let request = 0; request < deviceRequests.length; request++) {
    const deviceRequest = deviceRequests[request]!
    const matching: number[] = []
    for (const pool of pools) if (deviceRequest.accepts(pool)) matching.push(pool.index)
    if (deviceRequest.providers === undefined) {
      slots.push({ request, deviceRequest, need: deviceRequest.count, provider: null, pools: matching })
      continue
    }
    for (const [provider, need] of providerCounts(deviceRequest)) {
      const own = matching.filter((index) => pools[index]!.devices[0]!.provider === provider)
      slots.push({ request, deviceRequest, need, provider, pools: own })
    }
  }
  return slots
}

// Placement must have named exactly one provider per unit. Anything else is refused, because a partial assignment would
// leave allocations without a device.
function providerCounts({ providers = [], count }: DeviceRequest): ReadonlyMap<string, number> {
  return providers.length === count ? counted(providers) : new Map([['', Math.max(1, count)]])
}
