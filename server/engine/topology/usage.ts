import type { PlacedNode } from './guest-topology'
import type { NumaNode, PagePool } from './host'

// Claims and releases an instance's NUMA nodes and devices. Source: Nova `numa_usage_from_instance_numa`,
// `NUMACell.pin_cpus`. Both return new NUMA nodes and leave the old ones unchanged, so a fit on an earlier snapshot can
// still be explained.

/** Why CPUs cannot be claimed or released. Nothing changes then. */
export interface UsageError {
  readonly kind: 'cpu-already-pinned' | 'cpu-not-pinnable' | 'cpu-not-pinned' | 'cpu-not-unpinnable'
  readonly hostCell: number
  readonly cpus: readonly number[]
}

export type UsageResult =
  | { readonly ok: true; readonly nodes: readonly NumaNode[] }
  | { readonly ok: false; readonly error: UsageError }

export interface TakenCpu {
  readonly cpu: number
  readonly use: 'pin' | 'emulator' | 'sibling'
}

export function claimNodes(nodes: readonly NumaNode[], placed: readonly PlacedNode[]): UsageResult {
  return changeAll(nodes, placed, TAKE)
}

export function releaseNodes(nodes: readonly NumaNode[], placed: readonly PlacedNode[]): UsageResult {
  return changeAll(nodes, placed, GIVE_BACK)
}

/**
 * Every host CPU the placed NUMA nodes hold: pinned, reserved for the emulator, or kept empty as an isolated sibling.
 */
export function cpusTaken(nodes: readonly NumaNode[], placed: readonly PlacedNode[]): readonly TakenCpu[] {
  return placed.flatMap((part) => {
    const node = nodes.find((host) => host.id === part.hostCell)
    return node === undefined ? [] : heldIn(node, part)
  })
}

function heldIn(node: NumaNode, part: PlacedNode): readonly TakenCpu[] {
  const named = part.pins.map(([, cpu]): TakenCpu => ({ cpu, use: 'pin' }))
  for (const cpu of part.reservedCpus) named.push({ cpu, use: 'emulator' })
  if (part.threadPolicy !== 'isolate') return named
  const spread = part.reservedSharesCore ? part.pins.length : named.length
  const wide = new Set(named.slice(0, spread).map((taken) => taken.cpu))
  const known = new Set(named.map((taken) => taken.cpu))
  // Under `isolate` only CPUs of the NUMA node count: a CPU outside it has no siblings to keep empty.
  const own = new Set([...node.dedicatedCpus, ...node.siblings.flat()])
  const siblings = node.siblings.filter((group) => group.some((cpu) => wide.has(cpu))).flat()
  return [
    ...named.filter((taken) => own.has(taken.cpu)),
    ...siblings.filter((cpu) => !known.has(cpu)).map((cpu): TakenCpu => ({ cpu, use: 'sibling' })),
  ]
}

interface Change {
  readonly sign: 1 | -1
  readonly pinned: (node: NumaNode, cpus: ReadonlySet<number>) => readonly number[] | UsageError
}

const TAKE: Change = {
  sign: 1,
  pinned: (node, cpus) => {
    const unknown = outside(cpus, node.dedicatedCpus)
    if (unknown.length > 0) return { kind: 'cpu-not-pinnable', hostCell: node.id, cpus: unknown }
    const already = node.pinnedCpus.filter((cpu) => cpus.has(cpu))
    if (already.length > 0) return { kind: 'cpu-already-pinned', hostCell: node.id, cpus: already }
    return [...node.pinnedCpus, ...cpus].sort((a, b) => a - b)
  },
}

const GIVE_BACK: Change = {
  sign: -1,
  pinned: (node, cpus) => {
    const unknown = outside(cpus, node.dedicatedCpus)
    if (unknown.length > 0) return { kind: 'cpu-not-unpinnable', hostCell: node.id, cpus: unknown }
    const loose = outside(cpus, node.pinnedCpus)
    if (loose.length > 0) return { kind: 'cpu-not-pinned', hostCell: node.id, cpus: loose }
    return node.pinnedCpus.filter((cpu) => !cpus.has(cpu))
  },
}

function outside(cpus: ReadonlySet<number>, of: readonly number[]): readonly number[] {
  const known = new Set(of)
  return [...cpus].filter((cpu) => !known.has(cpu))
}

function changeAll(nodes: readonly NumaNode[], placed: readonly PlacedNode[], change: Change): UsageResult {
  const changed: NumaNode[] = []
  for (const before of nodes) {
    let node = before
    for (const part of placed) {
      if (part.hostCell !== before.id) continue
      const next = changeOne(node, part, change)
      if ('kind' in next) return { ok: false, error: next }
      node = next
    }
    changed.push(node)
  }
  return { ok: true, nodes: Object.freeze(changed) }
}

function changeOne(node: NumaNode, part: PlacedNode, change: Change): NumaNode | UsageError {
  const cpus = new Set(heldIn(node, part).map((taken) => taken.cpu))
  const pinned = cpus.size === 0 ? node.pinnedCpus : change.pinned(node, cpus)
  if ('kind' in pinned) return pinned
  return Object.freeze({
    ...node,
    pinnedCpus: Object.freeze(pinned),
    sharedUsed: Math.max(0, node.sharedUsed + change.sign * part.sharedVcpus.length),
    memoryUsedMib: Math.max(0, node.memoryUsedMib + change.sign * part.memoryMib),
    pages: changedPages(node, part, change.sign),
  })
}

/** An instance without a requested page size still uses the smallest pages. */
function changedPages(node: NumaNode, part: PlacedNode, sign: 1 | -1): readonly PagePool[] {
  const size = part.pageKib ?? Math.min(...node.pages.map((pool) => pool.sizeKib))
  return Object.freeze(
    node.pages.map((pool) => {
      if (pool.sizeKib !== size) return pool
      const pages = Math.floor((part.memoryMib * 1024) / size)
      return Object.freeze({ ...pool, used: Math.max(0, pool.used + sign * pages) })
    }),
  )
}
