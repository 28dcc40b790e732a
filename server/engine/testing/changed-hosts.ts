import type { Host } from '../host'
import type { NumaNode } from '../topology/host'

// Hosts whose hardware changed below their instances.

/** The host as if all of its nodes were configured with pages of 2 MiB below its instances. */
export function withHugePages(host: Host): Host {
  const huge = (pool: NumaNode['pages'][number], mib: number) =>
    pool.sizeKib === 2048 ? { ...pool, total: mib / 2 } : pool
  return {
    ...host,
    numaNodes: host.numaNodes.map((node) => ({ ...node, pages: node.pages.map((pool) => huge(pool, node.memoryMib)) })),
  }
}

/** The host as if every inventory had this total. */
export const withTotals = (host: Host, total: number): Host => ({
  ...host,
  providers: host.providers.map((each) => ({
    ...each,
    inventories: each.inventories.map((inventory) => ({ ...inventory, total })),
  })),
})
