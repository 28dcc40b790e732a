import type { Refusal, RefusalKind, RefusalLocation } from '../../engine/words/refusal'
import { DISK_GB, MEMORY_MB, PCPU, VCPU } from '../../engine/words/units'
import type { HolderRef, Names } from '../names/names'
import { clause } from './refusals'

/** A refusal with names instead of ids. Amounts carry numbers, other rules the field's own words. */
export interface RefusalView {
  readonly kind: RefusalKind
  readonly where: RefusalLocation
  readonly need: number | string
  readonly free: number | null
  readonly have: string | null
  readonly shortBy: number | null
  readonly unit: 'CPUs' | 'cores' | 'cells' | 'MiB' | 'GiB' | 'pages' | 'devices' | null
  /** At most 5, most first; `heldByMore` counts the rest. */
  readonly heldBy: readonly HolderRef[]
  readonly heldByMore: number
}

/** `error.data.berth` of every failed procedure. */
export interface ErrorView {
  /** In the log of the server and in the audit log. */
  readonly requestId: string
  /** Stable, because programs branch on it. */
  readonly code: string
  /** What failed, in one sentence. */
  readonly what: string
  /** The subject: a name, or the path in the input. */
  readonly where: string | null
  /** Each rule that refuses, with what it needs, what is free and who holds it. */
  readonly refusals: readonly RefusalView[]
  /** State that was not changed. */
  readonly notChanged: string | null
  /** What to do. */
  readonly next: string | null
  /** The same request may succeed later without any change. */
  readonly transient: boolean
}

export const HOLDERS_SHOWN = 5

/** The unit of a refusal's numbers. */
export type RefusalUnit = NonNullable<RefusalView['unit']>
/** Kinds that are not here have texts instead of numbers. */
const COUNTED: Partial<Record<RefusalKind, RefusalUnit>> = {
  'too-few-cells': 'cells',
  'dedicated-cpus': 'CPUs',
  'shared-cpus': 'CPUs',
  'sibling-threads': 'CPUs',
  'whole-cores': 'cores',
  'overcommit-cpus': 'CPUs',
  'overcommit-memory': 'MiB',
  memory: 'MiB',
  'ordinary-memory': 'MiB',
  pages: 'pages',
  devices: 'devices',
  'device-affinity': 'devices',
  vgpus: 'devices',
  vpmem: 'devices',
}
const COUNTED_BY_CLASS: Readonly<Record<string, RefusalUnit>> = {
  [VCPU]: 'CPUs',
  [PCPU]: 'CPUs',
  [MEMORY_MB]: 'MiB',
  [DISK_GB]: 'GiB',
}

export function refusalView(refusal: Refusal, names: Names, shown = HOLDERS_SHOWN): RefusalView {
  const holders = refusal.heldBy ?? []
  const numbers =
    'shortBy' in refusal ? { free: refusal.free, shortBy: refusal.shortBy } : { free: null, shortBy: null }
  return {
    kind: refusal.kind,
    where: refusal.where,
    need: typeof refusal.need === 'string' ? clause(names.text(refusal.need)) : refusal.need,
    have: 'have' in refusal ? clause(names.text(refusal.have)) : null,
    ...numbers,
    unit: 'shortBy' in refusal ? countedBy(refusal) : null,
    heldBy: holders.slice(0, shown).map((id) => names.holder(id)),
    heldByMore: Math.max(0, holders.length - shown),
  }
}

export function countedBy(refusal: Pick<Refusal, 'kind' | 'where'>): RefusalUnit | null {
  const { resourceClass } = refusal.where
  return COUNTED[refusal.kind] ?? (resourceClass === undefined ? null : (COUNTED_BY_CLASS[resourceClass] ?? 'devices'))
}
