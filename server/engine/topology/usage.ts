import type { PlacedNode } from './guest-topology'
import type { NumaNode, PagePool } from './host'

// Claims and releases the places of an instance. Source: Nova `numa_usage_from_instance_numa`, `NUMACell.pin_cpus`.
// Both return new cells and leave the old ones unchanged, so a fit on yesterday's snapshot stays explainable.

/** Why CPUs cannot be claimed or released. Nothing changes then. */
export interface UsageError {
  readonly kind: 'cpu-already-pinned' | 'cpu-not-pinnable' | 'cpu-not-pinned' | 'cpu-not-unpinnable'
  readonly hostCell: number
  readonly cpus: readonly number[]
}

export type UsageResult =
  | { readonly ok: true; readonly cells: readonly NumaNode[] }
  | { readonly ok: false; readonly error: UsageError }

export interface TakenCpu {
  readonly cpu: number
  readonly use: 'pin' | 'emulator' | 'sibling'
}

export function claimNodes(cells: readonly NumaNode[], placed: readonly PlacedNode[]): UsageResult {
  return changeAll(cells, placed, TAKE)
}

export function releaseNodes(cells: readonly NumaNode[], placed: readonly PlacedNode[]): UsageResult {
  return changeAll(cells, placed, GIVE_BACK)
}

/** Every host CPU the placed cells hold: pinned, reserved for the emulator, or kept empty as an isolated sibling. */
export function cpusTaken(cells: readonly NumaNode[], placed: readonly PlacedNode[]): readonly TakenCpu[] {
  return placed.flatMap((part) => {
    const cell = cells.find((host) => host.id === part.hostCell)
    return cell === undefined ? [] : heldIn(cell, part)
  })
}

function heldIn(cell: NumaNode, part: PlacedNode): readonly TakenCpu[] {
  const named = part.pins.map(([, cpu]): TakenCpu => ({ cpu, use: 'pin' }))
  for (const cpu of part.reservedCpus) named.push({ cpu, use: 'emulator' })
  if (part.threadPolicy !== 'isolate') return named
  const spread = part.reservedSharesCore ? part.pins.length : named.length
  const wide = new Set(named.slice(0, spread).map((taken) => taken.cpu))
  const known = new Set(named.map((taken) => taken.cpu))
  // Under `isolate` only CPUs of the cell count: a CPU outside it has no siblings to keep empty.
  const own = new Set([...cell.dedicatedCpus, ...cell.siblings.flat()])
  const siblings = cell.siblings.filter((group) => group.some((cpu) => wide.has(cpu))).flat()
  return [
    ...named.filter((taken) => own.has(taken.cpu)),
    ...siblings.filter((cpu) => !known.has(cpu)).map((cpu): TakenCpu => ({ cpu, use: 'sibling' })),
  ]
}

interface Change {
  readonly sign: 1 | -1
  readonly pinned: (cell: NumaNode, cpus: ReadonlySet<number>) => readonly number[] | UsageError
}

const TAKE: Change = {
  sign: 1,
  pinned: (cell, cpus) => {
    const unknown = outside(cpus, cell.dedicatedCpus)
    if (unknown.length > 0) return { kind: 'cpu-not-pinnable', hostCell: cell.id, cpus: unknown }
    const already = cell.pinnedCpus.filter((cpu) => cpus.has(cpu))
    if (already.length > 0) return { kind: 'cpu-already-pinned', hostCell: cell.id, cpus: already }
    return [...cell.pinnedCpus, ...cpus].sort((a, b) => a - b)
  },
}

const GIVE_BACK: Change = {
  sign: -1,
  pinned: (cell, cpus) => {
    const unknown = outside(cpus, cell.dedicatedCpus)
    if (unknown.length > 0) return { kind: 'cpu-not-unpinnable', hostCell: cell.id, cpus: unknown }
    const loose = outside(cpus, cell.pinnedCpus)
    if (loose.length > 0) return { kind: 'cpu-not-pinned', hostCell: cell.id, cpus: loose }
    return cell.pinnedCpus.filter((cpu) => !cpus.has(cpu))
  },
}

function outside(cpus: ReadonlySet<number>, of: readonly number[]): readonly number[] {
  const known = new Set(of)
  return [...cpus].filter((cpu) => !known.has(cpu))
}

function changeAll(cells: readonly NumaNode[], placed: readonly PlacedNode[], change: Change): UsageResult {
  const changed: NumaNode[] = []
  for (const before of cells) {
    let cell = before
    for (const part of placed) {
      if (part.hostCell !== before.id) continue
      const next = changeOne(cell, part, change)
      if ('kind' in next) return { ok: false, error: next }
      cell = next
    }
    changed.push(cell)
  }
  return { ok: true, cells: Object.freeze(changed) }
}

function changeOne(cell: NumaNode, part: PlacedNode, change: Change): NumaNode | UsageError {
  const cpus = new Set(heldIn(cell, part).map((taken) => taken.cpu))
  const pinned = cpus.size === 0 ? cell.pinnedCpus : change.pinned(cell, cpus)
  if ('kind' in pinned) return pinned
  return Object.freeze({
    ...cell,
    pinnedCpus: Object.freeze(pinned),
    sharedUsed: Math.max(0, cell.sharedUsed + change.sign * part.sharedVcpus.length),
    memoryUsedMib: Math.max(0, cell.memoryUsedMib + change.sign * part.memoryMib),
    pages: changedPages(cell, part, change.sign),
  })
}

/** An instance without a requested page size still uses the smallest pages. */
function changedPages(cell: NumaNode, part: PlacedNode, sign: 1 | -1): readonly PagePool[] {
  const size = part.pageKib ?? Math.min(...cell.pages.map((pool) => pool.sizeKib))
  return Object.freeze(
    cell.pages.map((pool) => {
      if (pool.sizeKib !== size) return pool
      const pages = Math.floor((part.memoryMib * 1024) / size)
      return Object.freeze({ ...pool, used: Math.max(0, pool.used + sign * pages) })
    }),
  )
}
