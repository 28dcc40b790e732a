import type { Host } from '../../engine/host'
import { ordinaryMemory } from '../../engine/memory/host-memory'
import { nodeMemory, ordinaryPageKib } from '../../engine/memory/node-memory'
import type { PlacedNode } from '../../engine/topology/guest-topology'
import { MEMORY_MB } from '../../engine/words/units'

// Memory of the fleet by page size, because the free amount of the class does not show what fits.

export interface CapacityRow {
  readonly resourceClass: string
  /** The part of MEMORY_MB in such pages, on hosts with known NUMA nodes; the row without it is the whole class. */
  readonly pages?: 'ordinary' | 'huge'
  readonly total: number
  readonly reserved: number
  /** Capacity: (total − reserved) × ratio. */
  readonly capacity: number
  /** Allocated, or cut from a device that is held whole. */
  readonly held: number
  /** Part of `held` that migrations hold in addition to their instances. */
  readonly heldTwice: number
  readonly free: number
  /** Part of `free` on hosts that accept no claims now, or do not answer. */
  readonly closed: number
}

type Part = Pick<CapacityRow, 'total' | 'reserved' | 'capacity' | 'held' | 'heldTwice'>

/** @param isClosed True when the host accepts no claims now. */
export function memoryRows(hosts: readonly Host[], isClosed: (host: Host) => boolean): readonly CapacityRow[] {
  const known = hosts.filter((host) => ordinaryMemory(host) !== null)
  const rowOf = (pages: 'ordinary' | 'huge', partOf: (host: Host) => Part) =>
    partsRow(known, { pages, partOf, isClosed })
  return known.length === 0 ? [] : [rowOf('ordinary', ordinaryPart), rowOf('huge', hugePart)]
}

interface PartsRow {
  readonly pages: 'ordinary' | 'huge'
  readonly partOf: (host: Host) => Part
  readonly isClosed: (host: Host) => boolean
}

function partsRow(hosts: readonly Host[], { pages, partOf, isClosed }: PartsRow): CapacityRow {
  const sum = { total: 0, reserved: 0, capacity: 0, held: 0, heldTwice: 0, free: 0, closed: 0 }
  for (const host of hosts) {
    const part = partOf(host)
    const free = Math.max(0, part.capacity - part.held)
    for (const key of ['total', 'reserved', 'capacity', 'held', 'heldTwice'] as const) sum[key] += part[key]
    sum.free += free
    sum.closed += isClosed(host) ? free : 0
  }
  return { resourceClass: MEMORY_MB, pages, ...sum }
}

function ordinaryPart(host: Host): Part {
  const memory = ordinaryMemory(host)
  if (memory === null) return { total: 0, reserved: 0, capacity: 0, held: 0, heldTwice: 0 }
  const { totalMib, reservedMib, capacityMib, placedMib, floatingMib } = memory
  return {
    ...{ total: totalMib, reserved: reservedMib, capacity: capacityMib, held: placedMib + floatingMib },
    heldTwice: migrationMib(host, 'ordinary'),
  }
}

function hugePart(host: Host): Part {
  const part = { total: 0, reserved: 0, capacity: 0, held: 0, heldTwice: migrationMib(host, 'huge') }
  for (const node of host.numaNodes) {
    part.total += nodeMemory(node).hugeMib
    for (const { sizeKib, reserved, used } of node.pages) {
      if (sizeKib === ordinaryPageKib(node)) continue
      part.reserved += (reserved * sizeKib) / 1024
      part.held += (used * sizeKib) / 1024
    }
  }
  return { ...part, capacity: part.total - part.reserved }
}

/** Amounts that migrations hold in addition to their instances. */
function migrationMib(host: Host, pages: 'ordinary' | 'huge'): number {
  const smallest = new Map(host.numaNodes.map((node) => [node.id, ordinaryPageKib(node)]))
  const isOrdinary = ({ pageKib, hostCell }: PlacedNode) => pageKib === null || pageKib === smallest.get(hostCell)
  let mib = 0
  for (const { consumerKind, body } of host.holdings) {
    if (consumerKind !== 'migration') continue
    for (const placed of body.cells) mib += isOrdinary(placed) === (pages === 'ordinary') ? placed.memoryMib : 0
    if (body.cells.length > 0 || pages === 'huge') continue
    for (const { resourceClass, amount } of body.amounts) mib += resourceClass === MEMORY_MB ? amount : 0
  }
  return mib
}
