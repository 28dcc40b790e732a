import type { Finding } from '../audit/finding'
import type { Actor, Change, Guards } from '../books'
import type { ClaimBody } from '../host'
import { type Line, type RowKind, undone, writesOf } from '../rows'
import type { HostId } from '../words/ids'
import { isSealed } from './record/rules'

// A heal as it is reviewed: lines that only make sense together. Only this folder makes one, so nothing that was not
// planned, or was planned and changed since, reaches the tables as a heal.

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
  /** What consumers hold no more once it is applied. */
  readonly givesBack: readonly ClaimBody[]
}

/** A part as a table or a message keeps it. */
export type StoredPart = Omit<HealPart, typeof planned>

/** For doors that types do not guard: the symbol is not exported, and no text or copy brings it back. */
export const isPart = (part: StoredPart): part is HealPart => planned in part

/** For the planner. */
export const partOf = (part: StoredPart): HealPart => ({ ...part, [planned]: true })

/** Rows that heals write. Providers, inventories and layouts are a reshape's. */
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

/** A part read back from where it was kept; null when a line names a row that no heal may write. */
export function restoredPart(stored: StoredPart): HealPart | null {
  return stored.lines.every(mayBeHealed) ? partOf(stored) : null
}

export interface Applied {
  readonly actor: Actor
  readonly at: number
  /** Id of the heal plan, for the trail. */
  readonly plan: string
}

/** The one change that applies a part; null while it is locked. */
export function changeOfPart(part: HealPart, { actor, at, plan }: Applied): Change | null {
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

/** Roots that the lines touch, each once. */
export const hostsOf = (lines: readonly Line[]): readonly HostId[] => [
  ...new Set(lines.flatMap(({ host }) => (host === null ? [] : [host]))),
]

/**
 * The part read backwards. It relies on the images of its rows alone: generations have been raised since, and whatever
 * else was written meanwhile does not matter as long as these rows still read as the heal left them.
 */
export function undoPart(part: HealPart): HealPart {
  return partOf({
    ...part,
    title: `Undo: ${part.title}`,
    lines: undone(part.lines),
    guards: {
      providers: part.guards.providers.map(({ provider }) => ({ provider, generation: null })),
      instance: null,
      migration: null,
      group: null,
    },
    locked: null,
    givesBack: [],
  })
}
