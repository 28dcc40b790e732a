import type { FitLimits } from './guest-topology'
import type { PreparedHost } from './prepared'

// NUMA affinity of networks. Source: Nova `_numa_cells_support_network_metadata`. A network without affinity to any
// NUMA node of the host requires nothing.

export type NetworkDemand = NonNullable<FitLimits['network']>

/** Per requested network with affinity on the host: its name and the NUMA nodes that have it. */
export interface NetworkNeed {
  readonly name: string
  readonly nodes: readonly number[]
}

export function networkNeeds(host: PreparedHost, demand: NetworkDemand | undefined): readonly NetworkNeed[] {
  if (demand === undefined) return []
  const needs = demand.physnets.map((name) => ({
    name,
    nodes: nodesWhere(host, (index) => host.numaNodes[index]!.network?.physnets.includes(name) ?? false),
  }))
  if (demand.tunneled) {
    const nodes = nodesWhere(host, (index) => host.numaNodes[index]!.network?.tunneled ?? false)
    needs.push({ name: 'tunnels', nodes })
  }
  return needs.filter((need) => need.nodes.length > 0)
}

const nodesWhere = (host: PreparedHost, holds: (index: number) => boolean) => [...host.numaNodes.keys()].filter(holds)

export function networksServed(needs: readonly NetworkNeed[], chosen: Uint8Array): boolean {
  return needs.every((need) => need.nodes.some((index) => chosen[index] === 1))
}
