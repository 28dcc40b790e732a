import type { MemoryRows } from './rows'

// Checks whether more memory of any page size is claimed on a NUMA node than it has. Written from decision 0220 alone,
// in KiB, and shares no code with the engine, so that an error in one cannot hide an error in the other.

export interface MemoryOvercommit {
  readonly host: string
  /** Null: small-page memory of the whole host. */
  readonly node: number | null
  readonly pageKib: number
  readonly thereKib: number
  readonly promisedKib: number
}

export interface MemoryReport {
  readonly hosts: number
  readonly nodes: number
  /** Pairs of NUMA node and page size. */
  readonly pools: number
  readonly over: readonly MemoryOvercommit[]
  readonly ordinaryThereKib: number
  readonly ordinaryPromisedKib: number
  readonly hugeThereKib: number
  readonly hugePromisedKib: number
}

export function checkMemory(hosts: readonly MemoryRows[]): MemoryReport {
  const sums = { nodes: 0, pools: 0, ordinaryThereKib: 0, ordinaryPromisedKib: 0, hugeThereKib: 0, hugePromisedKib: 0 }
  const over: MemoryOvercommit[] = []
  for (const row of hosts) {
    const ratio = (row.inventories[0]?.ratioMilli ?? 1000) / 1000
    const judge = (pool: Omit<MemoryOvercommit, 'host'>, most: number) => {
      if (pool.promisedKib > most) over.push({ host: row.host, ...pool })
    }
    let wholeThere = 0
    let wholePromised = row.floatingMib.reduce((sum, mib) => sum + mib * 1024, 0)
    for (const node of row.nodes) {
      sums.nodes += 1
      for (const pool of poolsOf(node, row.placed)) {
        sums.pools += 1
        judge(pool, pool.isOrdinary ? pool.thereKib * ratio : pool.thereKib)
        sums.hugeThereKib += pool.isOrdinary ? 0 : pool.thereKib
        sums.hugePromisedKib += pool.isOrdinary ? 0 : pool.promisedKib
        if (!pool.isOrdinary) continue
        wholePromised += pool.promisedKib
        wholeThere += node.cpus > 0 ? pool.thereKib : 0
      }
    }
    for (const { reserved } of row.inventories) wholeThere -= reserved * 1024
    judge({ node: null, pageKib: 0, thereKib: wholeThere, promisedKib: wholePromised }, Math.max(0, wholeThere) * ratio)
    sums.ordinaryThereKib += wholeThere
    sums.ordinaryPromisedKib += wholePromised
  }
  return { hosts: hosts.length, ...sums, over }
}

type Node = MemoryRows['nodes'][number]
type Pool = Omit<MemoryOvercommit, 'host'> & { readonly isOrdinary: boolean }

/** Small pages first: the node's smallest page size, or all of its memory if its page sizes are unknown. */
function poolsOf(node: Node, placed: MemoryRows['placed']): readonly Pool[] {
  const [smallest, ...huge] = [...node.pages].sort((a, b) => a.sizeKib - b.sizeKib)
  const here = placed.filter((instance) => instance.node === node.node)
  const held = (of: (pageKib: number | null) => boolean) =>
    here.filter(({ pageKib }) => of(pageKib)).reduce((sum, { memoryMib }) => sum + memoryMib * 1024, 0)
  let leftKib = node.memoryMib * 1024
  for (const { sizeKib, total } of huge) leftKib -= sizeKib * total
  if (smallest) leftKib = Math.min(leftKib, smallest.total * smallest.sizeKib)
  leftKib -= smallest ? smallest.reserved * smallest.sizeKib : 0
  const ordinaryKib = smallest?.sizeKib ?? 0
  return [
    {
      ...{ node: node.node, pageKib: ordinaryKib, isOrdinary: true, thereKib: Math.max(0, leftKib) },
      promisedKib: held((size) => size === null || size === ordinaryKib),
    },
    ...huge.map(({ sizeKib, total, reserved }) => ({
      ...{ node: node.node, pageKib: sizeKib, isOrdinary: false, thereKib: (total - reserved) * sizeKib },
      promisedKib: held((size) => size === sizeKib),
    })),
  ]
}
