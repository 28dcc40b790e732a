import { withHolding, withoutHolding } from '../holdings'
import type { Host } from '../host'
import type { ProviderId } from '../words/ids'
import { instanceId, inventory, providerId, type SmallHost, smallHost } from './hosts'
import { demandFor, flavor, holdingOf, pinned, verdictOn } from './instances'

// Flat hosts with random histories of instances, for the laws of layout conversions.

export const FLAVORS = [
  flavor(1),
  flavor(3, {}, { memoryMib: 6000 }),
  flavor(2, { 'resources:VGPU': '1' }),
  flavor(2, { 'pci_passthrough:alias': 'vf:1' }),
  flavor(2, { 'hw:numa_nodes': '1' }),
  flavor(2, { 'hw:numa_nodes': '2' }),
  pinned(1),
  pinned(3, { 'hw:emulator_threads_policy': 'isolate' }),
  pinned(4, { 'hw:numa_nodes': '2' }),
  pinned(2, { 'hw:mem_page_size': 'large', 'pci_passthrough:alias': 'near:1' }),
  pinned(2, { 'pci_passthrough:alias': 'pf:1' }),
  pinned(2, { 'resources:VGPU': '1', 'hw:pmem': '6GB' }),
  pinned(1, { 'pci_passthrough:alias': 'gpu:1' }),
  flavor(4, { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-3', 'hw:numa_nodes': '2' }),
  flavor(2, { 'hw:numa_nodes': '1', 'resources:MEMORY_MB': '100' }),
]
/** Requests less memory than its NUMA nodes have, so that its memory is counted on no particular node. */
export const FLOATING_FLAVOR = FLAVORS.length - 1
export const hasFloatingMemory = (shape: number) => demandFor(FLAVORS[shape]!).topology === null

/** Parameters of a random host; a test draws one of each. */
export const CHOICES = {
  cells: [1, 2, 3],
  cores: [1, 2, 3, 4],
  threads: [1, 2],
  shared: [0, 1, 2],
  hugePages: [0, 512],
  vfs: [0, 1, 2],
  vgpus: [0, 1, 2],
  pmems: [0, 1, 2],
  memoryMib: [2048, 8192],
  diskGib: [2, 100],
  reservedMib: [0, 700],
} as const
export type Choice = { readonly [K in keyof typeof CHOICES]: (typeof CHOICES)[K][number] }
/** Device classes that the root already counts. */
export const COUNTINGS = [[], ['VGPU'], ['VGPU', 'CUSTOM_PCI_8086_1889', 'CUSTOM_PMEM_NAMESPACE_6GB']] as const
/**
 * An instance of FLAVORS[shape] is added, or, when that many are there, the instance at `leaves` below 3 is removed.
 */
export interface HistoryStep {
  readonly shape: number
  readonly leaves: number
}

/** A flat host whose root also counts these device classes. */
export function flatHost(shape: SmallHost, counted: readonly string[]): Host {
  const host = smallHost(shape)
  const [root] = host.providers
  const more = counted.flatMap((resourceClass) => {
    const total = host.devices.filter((device) => device.resourceClass === resourceClass).length
    return total === 0 ? [] : [inventory(resourceClass, total)]
  })
  return { ...host, providers: [{ ...root!, inventories: [...root!.inventories, ...more] }] }
}

export function replayHistory(start: Host, history: readonly HistoryStep[]) {
  let host = start
  const instances = new Map<string, number>()
  for (const [n, { shape, leaves }] of history.entries()) {
    const leaving = leaves < 3 ? host.holdings[leaves] : undefined
    if (leaving) {
      host = withoutHolding(host, leaving.claim)
      instances.delete(leaving.consumer)
      continue
    }
    const verdict = verdictOn(host, demandFor(FLAVORS[shape]!))
    if (!verdict.ok) continue
    host = withHolding(host, holdingOf(n, verdict.plan))
    instances.set(instanceId(n), shape)
  }
  return { host, instances }
}

export function idOf(name: string): ProviderId {
  const sum = [...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 1_000_000_007, 7)
  return providerId(sum)
}
