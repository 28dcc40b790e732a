import type { GivenUnits } from '../demand'
import type { PciRequest } from '../guest-topology'
import type { Device, NumaNode } from '../host'
import { prepareHost } from '../prepared'
import { assignUnits, unitsPerRequest } from './assign-units'
import { type DevicePool, pciValue } from './pools'
import { type DeviceRequest, slotsOf } from './slots'

// Requests for PCI functions. Source: Nova `pci/stats.py`, `pci/request.py`; PCI passthrough guide.

// Types and tags that are given only when an entry of the spec names them.
const ONLY_WHEN_NAMED: readonly (readonly [fact: string, value: string])[] = [
  ['dev_type', 'type-pf'],
  ['dev_type', 'vdpa'],
  ['remote_managed', 'true'],
]

type Spec = readonly (readonly (readonly [key: string, value: string])[])[]

export function pciDeviceRequest(request: PciRequest): DeviceRequest {
  const spec: Spec = request.spec.map((entry) =>
    Object.entries(entry).map(([key, value]) => [key, pciValue(key, value)] as const),
  )
  return {
    requestId: request.requestId,
    kind: 'pci',
    count: request.count,
    accepts: (pool) => specAccepts(spec, pool),
    policy: request.numaPolicy ?? 'legacy',
    providers: request.providers,
  }
}

function specAccepts(spec: Spec, pool: DevicePool): boolean {
  const { facts } = pool
  if (pool.devices[0]!.kind !== 'pci') return false
  if (!spec.some((entry) => entry.every(([key, value]) => facts.get(key) === value))) return false
  return ONLY_WHEN_NAMED.every(([fact, value]) => facts.get(fact) !== value || named(spec, fact, value))
}

function named(spec: Spec, fact: string, value: string): boolean {
  return spec.some((entry) => entry.some(([key, wanted]) => key === fact && wanted === value))
}

export interface PciQuestion {
  readonly numaNodes: readonly NumaNode[]
  readonly devices: readonly Device[]
  readonly requests: readonly PciRequest[]
  /** Host NUMA nodes of the instance, or null when it has no NUMA topology. */
  readonly instanceNodes: readonly number[] | null
}

const STEPS = 200_000

/**
 * Devices for an instance whose NUMA nodes are already placed (attaching a port, say). Null: there is no assignment at
 * all.
 */
export function allocatePci({
  numaNodes,
  devices,
  requests,
  instanceNodes,
}: PciQuestion): readonly GivenUnits[] | null {
  const host = prepareHost(numaNodes, devices)
  const slots = slotsOf(requests.map(pciDeviceRequest), host.pools)
  const chosen = instanceNodes === null ? null : new Uint8Array(numaNodes.length)
  for (const id of instanceNodes ?? []) {
    const index = host.nodeIndex.get(id)
    if (index !== undefined) chosen![index] = 1
  }
  const assignment = assignUnits({ host, slots, chosen, budget: { left: STEPS } })
  if (assignment.outcome !== 'given') return null
  const units = unitsPerRequest(slots, host.pools, assignment.given)
  return requests.map((request, index) => ({ requestId: request.requestId, units: units[index] ?? [] }))
}
