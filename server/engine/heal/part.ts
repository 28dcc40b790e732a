import type { Finding } from '../audit/finding'
import type { Actor, Change, Guards } from '../change'
import type { ClaimBody } from '../host'
import { type Line, type RowKind, undone, writesOf } from '../rows'
import type { HostId } from '../words/ids'
import { isSealed } from './record/rules'

// A repair as it is reviewed: lines that only make sense together. Only this folder creates one, so nothing unplanned,
// or changed since it was planned, reaches the tables as a repair.

const planned: unique symbol = Symbol('planned')

export interface HealPart {
  readonly [planned]: true
  readonly fingerprint: string
  readonly finding: Finding
  readonly title: string
  readonly lines: readonly Line[]
  /** What the plan relied on besides the rows of its lines. */
  readonly guards: Guards
  /** Why it may not be applied now, else null. */
  readonly locked: string | null
  /** What it releases. */
  readonly givesBack: readonly ClaimBody[]
}

/** A part as it is stored in a table or a message. */
export type StoredPart = Omit<HealPart, typeof planned>

/** For boundaries that types do not guard: the symbol is not exported, and neither text nor a copy carries it. */
export const isPart = (part: StoredPart): part is HealPart => planned in part

/** For the planner. */
export const partOf = (part: StoredPart): HealPart => ({ ...part, [planned]: true })

/** Rows that repairs write. Providers, inventories and layouts belong to layout conversions. */
const HEALABLE: ReadonlySet<RowKind> = new Set<RowKind>([
  'consumer',
  'claim',
  'allocation',
  'claim-cell',
  'unit-holding',
  'instance',
  'migration',
  'remain',
  'unit',
  'record',
])

const mayBeHealed = (line: Line): boolean =>
  HEALABLE.has(line.row) && (line.row !== 'record' || (line.before !== null && !isSealed(line.key.table)))

/** A part read back from storage; null when a line names a row that no repair may write. */
export function restoredPart(stored: StoredPart): HealPart | null {
  return stored.lines.every(mayBeHealed) ? partOf(stored) : null
}

export interface ApplyContext {
  readonly actor: Actor
  readonly at: number
  /** Id of the repair, for the audit log. */
  readonly plan: string
}

/** The one change that applies a part; null while it is locked. */
export function changeOfPart(part: HealPart, { actor, at, plan }: ApplyContext): Change | null {
  if (part.locked !== null) return null
  const { finding, guards, lines } = part
  return {
    guards,
    writes: writesOf(lines),
    event: {
      kind: 'heal.applied',
      hosts: hostsOf(lines),
      instance: finding.instance,
      migration: finding.migration,
      data: { plan, finding: finding.kind },
    },
    actor,
    at,
  }
}

/** Hosts whose root the lines touch, each once. */
export const hostsOf = (lines: readonly Line[]): readonly HostId[] => [
  ...new Set(lines.flatMap(({ host }) => (host === null ? [] : [host]))),
]

/**
 * The part in reverse, directly after it was applied. It relies on no capacity, so providers may have changed since; its
 * instances and its migration must be as the repair left them. `rebaseUndo` makes it applicable later.
 */
export function undoPart(part: HealPart): HealPart {
  const { providers, instance, furtherInstances, migration } = part.guards
  return partOf({
    ...part,
    title: `Undo: ${part.title}`,
    lines: undone(part.lines),
    guards: {
      providers: providers.map(({ provider }) => ({ provider, generation: null })),
      instance: instance && raised(instance),
      ...(furtherInstances && { furtherInstances: furtherInstances.map(raised) }),
      migration: migration && raised(migration),
      group: null,
    },
    locked: null,
    givesBack: [],
  })
}

const raised = <T extends { readonly generation: number }>(guard: T): T => ({
  ...guard,
  generation: guard.generation + 1,
})
