import { holdersOf } from '../holders'
import type { Host } from '../host'
import { memoryRatio, ordinaryMemory } from '../memory/host-memory'
import { nodeMemory, ordinaryPageKib, underRatio } from '../memory/node-memory'
import type { NumaNode } from '../topology/host'
import type { Report } from './finding'

// Memory per NUMA node and page size: no more is claimed than exists. An excess is legal while an operator configures
// more huge pages, or just after a host begins to account for them separately; no claim may cause it.

export function memoryIsThere(host: Host, report: Report): void {
  for (const node of host.numaNodes) hugePagesAreThere(host, node, report)
  if (host.memory === 'exact') ordinaryIsThere(host, report)
}

function hugePagesAreThere(host: Host, node: NumaNode, report: Report): void {
  const ordinaryKib = ordinaryPageKib(node)
  for (const { sizeKib, total, used, reserved } of node.pages) {
    if (sizeKib === ordinaryKib || used <= total - reserved) continue
    report({
      kind: 'memory-overcommitted',
      where: { hostCell: node.id, pageKib: sizeKib },
      consumers: holdersOf(host).ofNode(node.id, `pages ${sizeKib}`),
      expected: `at most ${total - reserved} pages of ${sizeKib} KiB (${total} there, ${reserved} reserved)`,
      found: `${used} pages claimed`,
    })
  }
}

function ordinaryIsThere(host: Host, report: Report): void {
  const ratio = memoryRatio(host)
  let excessMib = 0
  for (const node of host.numaNodes) {
    const { hugeMib, ordinaryMib, ordinaryUsedMib } = nodeMemory(node)
    const most = underRatio(ordinaryMib, ratio)
    if (ordinaryUsedMib <= most) continue
    excessMib += ordinaryUsedMib - most
    report({
      kind: 'memory-overcommitted',
      where: { hostCell: node.id },
      consumers: holdersOf(host).ofNode(node.id, 'ordinary'),
      expected: `at most ${most} MiB in small pages (${node.memoryMib} there, ${hugeMib} kept by huge pages)`,
      found: `${ordinaryUsedMib} MiB claimed`,
    })
  }
  const memory = ordinaryMemory(host)
  if (memory === null) return
  const { capacityMib, placedMib, floatingMib, reservedMib, hugeMib } = memory
  // An overcommitted node was reported already; what remains are instances without a node.
  if (placedMib + floatingMib - excessMib <= capacityMib) return
  report({
    kind: 'memory-overcommitted',
    consumers: holdersOf(host).ofOrdinary(),
    expected: `at most ${capacityMib} MiB in small pages on all nodes (${hugeMib} kept by huge pages, ${reservedMib} reserved)`,
    found: `${placedMib + floatingMib} MiB claimed, ${floatingMib} of them to instances without a NUMA topology`,
  })
}
