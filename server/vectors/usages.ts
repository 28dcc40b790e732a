import type { NumaNode } from '../engine/topology/host'
import { claimNodes, releaseNodes, type UsageError } from '../engine/topology/usage'
import { numaNodeOf, placedOf } from './from-nova'
import type { VectorCase, VectorGuest, VectorNode, Verdict } from './vector-file'

// usage.json: consume and free, each applied to the host as the last successful step left it.

interface NodeUsage {
  readonly id: number
  readonly memoryUsageMib: number
  readonly cpuUsage: number
  readonly pinnedCpus: readonly number[]
  readonly memPages: readonly { readonly sizeKib: number; readonly used: number }[]
}

interface UsageCase extends VectorCase {
  readonly host: { readonly cells: readonly VectorNode[] }
  readonly steps: readonly {
    readonly op: 'consume' | 'free'
    readonly instance: VectorGuest
    readonly expected:
      | { readonly outcome: 'usage'; readonly cells: readonly NodeUsage[] }
      | { readonly outcome: 'error'; readonly error: string }
  }[]
}

const NOVA_CLASS: { readonly [K in UsageError['kind']]: string } = {
  'cpu-already-pinned': 'CPUPinningInvalid',
  'cpu-not-pinnable': 'CPUPinningUnknown',
  'cpu-not-pinned': 'CPUUnpinningInvalid',
  'cpu-not-unpinnable': 'CPUUnpinningUnknown',
}

const OPERATIONS = { consume: claimNodes, free: releaseNodes }

export function replayUsage(vector: VectorCase): Verdict {
  const { host, steps } = vector as UsageCase
  let cells: readonly NumaNode[] = host.cells.map(numaNodeOf)
  for (const [index, step] of steps.entries()) {
    const result = OPERATIONS[step.op](cells, step.instance.cells.map(placedOf))
    const got = result.ok ? result.nodes.map(usageText).join('; ') : NOVA_CLASS[result.error.kind]
    const wanted = step.expected.outcome === 'error' ? step.expected.error : step.expected.cells.map(text).join('; ')
    if (got !== wanted) return `step ${index} (${step.op}): expected ${wanted}, got ${got}`
    if (result.ok) cells = result.nodes
  }
  return null
}

function usageText(cell: NumaNode): string {
  const memPages = cell.pages.map(({ sizeKib, used }) => ({ sizeKib, used }))
  const { id, memoryUsedMib, sharedUsed, pinnedCpus } = cell
  return text({ id, memoryUsageMib: memoryUsedMib, cpuUsage: sharedUsed, pinnedCpus, memPages })
}

function text({ id, memoryUsageMib, cpuUsage, pinnedCpus, memPages }: NodeUsage): string {
  const pages = memPages.toSorted((a, b) => a.sizeKib - b.sizeKib).map(({ sizeKib, used }) => `${used}×${sizeKib}`)
  const pinned = pinnedCpus.toSorted((a, b) => a - b)
  return `cell ${id}: ${memoryUsageMib} MiB, ${cpuUsage} shared, pinned {${pinned.join(' ')}}, pages ${pages.join(' ')}`
}
