import type { Host } from '../../engine/host'
import { memoize } from '../../engine/memoize'
import { deviceProviderOf } from '../../engine/resources/candidates'
import { freeOf, inventoryOf, type Provider } from '../../engine/resources/inventory'

// Inventories count a vGPU, a VF or a PF as free until it is allocated. A held device blocks its child units, and a
// held child blocks its parent, so a claim cannot take those.

/** Units of the class that the provider counts as free but no claim can take. */
export function blockedAt(host: Host, provider: Provider, resourceClass: string): number {
  const free = freeUnits(host).get(keyOf(provider, resourceClass))
  const inventory = inventoryOf(provider, resourceClass)
  return free === undefined || inventory === undefined ? 0 : Math.max(0, freeOf(inventory) - free)
}

export const blockedOn = (host: Host, resourceClass: string): number =>
  host.providers.reduce((sum, provider) => sum + blockedAt(host, provider, resourceClass), 0)

const keyOf = ({ id }: Provider, resourceClass: string) => `${id} ${resourceClass}`

/** Devices that a claim can take, by the provider and class that count them; without an entry: amounts without devices. */
const freeUnits = memoize((host: Host): ReadonlyMap<string, number> => {
  const free = new Map<string, number>()
  for (const device of host.devices) {
    const provider = deviceProviderOf(host, device)
    if (provider === undefined) continue
    const key = keyOf(provider, device.resourceClass)
    free.set(key, (free.get(key) ?? 0) + (device.free ? 1 : 0))
  }
  return free
})
