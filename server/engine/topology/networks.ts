import type { FitLimits } from './guest-topology'
import type { PreparedHost } from './prepared'

// NUMA affinity of networks. Source: Nova `_numa_cells_support_network_metadata`. A network without affinity to any
// cell of the host requires nothing.

export type NetworkDemand = NonNullable<FitLimits['network']>

/** Per requested network with affinity on the host: its name and the cells that have it. */
export interface NetworkNeed {
  readonly name: string
  readonly cells: readonly number[]
}

export function networkNeeds(host: PreparedHost, demand: NetworkDemand | undefined): readonly NetworkNeed[] {
  if (demand === undefined) return []
  const needs = demand.physnets.map((name) => ({
    name,
    cells: cellsWhere(host, (index) => host.numaNodes[index]!.network?.physnets.includes(name) ?? false),
  }))
  if (demand.tunneled) {
    const cells = cellsWhere(host, (index) => host.numaNodes[index]!.network?.tunneled ?? false)
    needs.push({ name: 'tunnels', cells })
  }
  return needs.filter((need) => need.cells.length > 0)
}

const cellsWhere = (host: PreparedHost, holds: (index: number) => boolean) => [...host.numaNodes.keys()].filter(holds)

export function networksServed(needs: readonly NetworkNeed[], chosen: Uint8Array): boolean {
  return needs.every((need) => need.cells.some((index) => chosen[index] === 1))
}
