import type { NumaNode } from '../topology/host'

// Memory of one NUMA node, ordinary and huge pages separately. A huge-page pool (total × size) is not available for
// ordinary pages, whether or not an instance holds its pages.

export interface NodeMemory {
  /** Reserved by huge-page pools, held or free. */
  readonly hugeMib: number
  /**
   * Available to instances in ordinary pages: the node's memory without huge-page pools and reserved ordinary pages.
   */
  readonly ordinaryMib: number
  /** Held in ordinary pages by instances that are placed on this node. */
  readonly ordinaryUsedMib: number
}

/** The smallest pages of a node are its ordinary ones, as in Nova; null when the hypervisor gives no page information. */
export function ordinaryPageKib({ pages }: Pick<NumaNode, 'pages'>): number | null {
  return pages.length === 0 ? null : pages.reduce((least, { sizeKib }) => Math.min(least, sizeKib), Number.MAX_VALUE)
}

export function nodeMemory(node: NumaNode): NodeMemory {
  const ordinaryKib = ordinaryPageKib(node)
  let hugeMib = 0
  let hugeUsedMib = 0
  let ordinaryMib = node.memoryMib
  let reservedMib = 0
  for (const { sizeKib, total, used, reserved } of node.pages) {
    if (sizeKib === ordinaryKib) {
      ordinaryMib = (total * sizeKib) / 1024
      reservedMib = (reserved * sizeKib) / 1024
    } else {
      hugeMib += (total * sizeKib) / 1024
      hugeUsedMib += (used * sizeKib) / 1024
    }
  }
  return {
    hugeMib,
    // Some hypervisors count all memory of a node as ordinary pages, huge ones included: then the node's memory limits.
    ordinaryMib: Math.max(0, Math.floor(Math.min(ordinaryMib, node.memoryMib - hugeMib) - reservedMib)),
    ordinaryUsedMib: Math.max(0, Math.ceil(node.memoryUsedMib - hugeUsedMib)),
  }
}

/** The allocation ratio applies to ordinary pages alone: a huge page has at most one holder. */
export const underRatio = (mib: number, ratio: number): number => Math.floor((mib * Math.round(ratio * 1000)) / 1000)
