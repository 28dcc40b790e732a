import type { PciNumaPolicy } from '../guest-topology'
import type { PreparedHost } from '../prepared'
import { type DevicePool, NO_NODE_INDEX } from './pools'

// NUMA affinity of devices to an instance's NUMA nodes. Source: Nova PCI passthrough guide,
// `hw:pci_numa_affinity_policy`. Every rule is monotone: a larger set of nodes allows at least as much. The search
// prunes by that.

/**
 * 1 at the index of each host NUMA node the instance uses. Null: the instance has no NUMA topology, and no policy
 * applies.
 */
export type ChosenNodes = Uint8Array | null

type Rule = (pool: DevicePool, chosen: Uint8Array, host: PreparedHost) => boolean

const isLocal: Rule = (pool, chosen) => pool.nodeIndex >= 0 && chosen[pool.nodeIndex] === 1

const RULES: Readonly<Record<PciNumaPolicy, Rule>> = {
  required: isLocal,
  legacy: (pool, chosen, host) => pool.nodeIndex === NO_NODE_INDEX || isLocal(pool, chosen, host),
  preferred: () => true,
  socket: (pool, chosen, host) => isLocal(pool, chosen, host) || onChosenSocket(pool, chosen, host),
}

function onChosenSocket(pool: DevicePool, chosen: Uint8Array, host: PreparedHost): boolean {
  if (!host.socketsKnown || pool.nodeIndex < 0) return false
  const { socket } = host.numaNodes[pool.nodeIndex]!
  return host.numaNodes.some((node, index) => chosen[index] === 1 && node.socket === socket)
}

export function affinityAllows(
  policy: PciNumaPolicy | null,
  pool: DevicePool,
  where: { readonly chosen: ChosenNodes; readonly host: PreparedHost },
): boolean {
  if (policy === null || where.chosen === null) return true
  return RULES[policy](pool, where.chosen, where.host)
}

/** Lower is closer: in a chosen NUMA node, without affinity, elsewhere. Only a preference; the rules above decide. */
export function affinityRank(pool: DevicePool, chosen: ChosenNodes): number {
  if (pool.nodeIndex === NO_NODE_INDEX) return 1
  return chosen !== null && pool.nodeIndex >= 0 && chosen[pool.nodeIndex] === 1 ? 0 : 2
}
