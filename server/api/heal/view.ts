import { type Conflict, instanceGuards } from '../../engine/change'
import type { StoredPart as PartText } from '../../engine/heal/part'
import type { Line, RowKind } from '../../engine/rows'
import type { PlanRow, StoredPart } from '../../store/heal/plan'
import type { ClaimTotals } from '../claim/view'
import { type FindingContext, type FindingRecord, type FindingRow, findingRow, freedTotals } from '../finding/view'
import type { Names, Ref } from '../names/names'
import type { Ms } from '../plain'
import { lineWords } from './line'

// A repair for review: every line in words, with the current and the new value.

/** changed: rows were not as shown, nothing was written, a new plan replaces it. */
export type HealState = 'draft' | 'applied' | 'partly-applied' | 'changed' | 'undone'

export type PartState = 'open' | 'applied' | 'changed' | 'undone' | 'left-out'

export interface HealLineView {
  readonly sign: '-' | '+' | '~'
  readonly row: RowKind
  readonly host: Ref | null
  /** Key and values, ready to print: `PCPU of h-07 for web-1`, `4 → 2`. */
  readonly what: string
  readonly before: string | null
  readonly after: string | null
  readonly why: string
  /** True when this line differs from the plan it replaces. */
  readonly changed: boolean
}

/** Lines that only make sense together: applied in one transaction, or not at all. */
export interface HealPartView {
  readonly n: number
  readonly finding: FindingRow
  readonly title: string
  readonly lines: readonly HealLineView[]
  /** Generations it relies on: `h-07 at 41`. */
  readonly guards: readonly string[]
  readonly givesBack: ClaimTotals | null
  readonly locked: string | null
  readonly state: PartState
  readonly appliedAt: Ms | null
  /** The conflicting write, when it was not applied. */
  readonly conflict: string | null
}

export interface HealPlanRow {
  readonly id: string
  readonly state: HealState
  readonly parts: number
  readonly applied: number
  readonly madeAt: Ms
  readonly madeBy: string
  readonly reason: string | null
  readonly undoOf: string | null
}

export function planRow({ id, state, parts, applied, madeAt, madeBy, reason, undoOf }: PlanRow): HealPlanRow {
  return { id, state, parts, applied, madeAt, madeBy, reason, undoOf }
}

export interface PartContext extends FindingContext {
  readonly finding: FindingRecord
  /** Providers by id, which is all that rows have. */
  readonly providers: ReadonlyMap<string, string>
}

export function partView(stored: StoredPart, context: PartContext): HealPartView {
  const part = stored.part as PartText
  const { n, state, appliedAt, conflict } = stored
  return {
    ...{ n, state, appliedAt, title: part.title, locked: part.locked },
    finding: findingRow(context.finding, context),
    lines: part.lines.map((line, index) => lineView(line, stored.changed.includes(index), context)),
    guards: guardsOf(part, context),
    givesBack: freedTotals(part),
    conflict: conflict === null ? null : conflictSays(conflict, context.names),
  }
}

function lineView(line: Line, changed: boolean, { names, providers }: PartContext): HealLineView {
  const { what, before, after } = lineWords(line, { names, providers })
  return {
    sign: line.before === null ? '+' : line.after === null ? '-' : '~',
    row: line.row,
    host: line.host === null ? null : names.host(line.host),
    ...{ what, before, after, changed, why: line.why },
  }
}

function guardsOf({ guards }: PartText, { names, providers }: PartContext): readonly string[] {
  const { migration } = guards
  const roots = guards.providers.map(({ provider, generation }) => {
    const name = providers.get(provider) ?? names.host(provider).name
    return generation === null ? `${name} at any generation` : `${name} generation ${generation}`
  })
  for (const { id, generation } of instanceGuards(guards)) {
    roots.push(`${names.instance(id).name} generation ${generation}`)
  }
  if (migration) roots.push(`${names.text(migration.id)} generation ${migration.generation}`)
  return roots
}

function conflictSays({ on, id, expected, found }: Conflict, names: Names): string {
  const name = names.text(id)
  return `${on === 'migration' && name !== id ? name : `${on} ${name}`} was ${found} and not ${expected}. Nothing of this part was written.`
}

/** Ids of instances and migrations that a plan names. */
export function idsOfParts(parts: readonly StoredPart[]): string[] {
  return parts.flatMap((stored) => {
    const { conflict, part } = stored
    const { finding, lines, guards } = part as PartText
    const keys = lines.flatMap((line) => [
      ...Object.values(line.key),
      ...Object.values(line.before ?? line.after ?? {}),
    ])
    return [
      finding.instance,
      ...finding.consumers,
      ...instanceGuards(guards).map(({ id }) => id),
      guards.migration?.id,
      conflict?.id,
      ...keys,
    ].filter(isId)
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

export type LineNames = Pick<PartContext, 'providers'> & { readonly names: Names }
