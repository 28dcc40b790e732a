import type { Migration, Side, StepRecord } from '../../engine/migration/state'
import type { ClaimTotals } from '../claim/view'
import type { Ref } from '../names/names'
import type { Ms } from '../plain'
import { claimedAt } from './view'

// Holders of each side over time: the bars under the step timeline. Computed from the steps alone, because holders
// change exactly where steps do: at the end of `claim`, at a change of direction, and at the end (L1 to L3).

/** A period with its holder of one side: a bar under the step timeline. */
export interface HeldSpan {
  readonly side: Side
  readonly host: Ref
  readonly holder: 'instance' | 'migration'
  readonly from: Ms
  readonly to: Ms | null
  /** Null if it is not recorded: a claim that failed left no copy of what the source held. */
  readonly held: ClaimTotals | null
}

export interface SpanContext {
  readonly host: (side: Side) => Ref | null
  readonly held: (side: Side) => ClaimTotals | null
}

/** `steps` in the order of their numbers. */
export function heldSpans(migration: Migration, steps: readonly StepRecord[], { host, held }: SpanContext): HeldSpan[] {
  const claimed = claimedAt(steps)
  const end = endedAt(migration, steps)
  const spans: HeldSpan[] = []
  const add = (side: Side, holder: HeldSpan['holder'], [from, to]: readonly [number, number | null]) => {
    const at = host(side)
    if (at && (to === null || to > from)) spans.push({ side, host: at, holder, from, to, held: held(side) })
  }
  add('source', 'instance', [migration.createdAt, claimed ?? end])
  if (claimed === null || migration.keepsClaim) return extended(spans, end)
  for (const { direction, from, to } of legsOf(steps, claimed, end)) {
    add('target', direction === 'target' ? 'instance' : 'migration', [from, to])
    add('source', direction === 'target' ? 'migration' : 'instance', [from, to])
  }
  return spans
}

/** A claim that is kept throughout is one bar. */
function extended(spans: readonly HeldSpan[], end: number | null): HeldSpan[] {
  return spans.map((span) => ({ ...span, to: end }))
}

export function endedAt(migration: Migration, steps: readonly StepRecord[]): number | null {
  return migration.step === 'ended' ? (steps.at(-1)?.endedAt ?? migration.stepSince) : null
}

interface Leg {
  readonly direction: Side
  readonly from: number
  readonly to: number | null
}

/** The periods between changes of direction, from the claim to the end. */
function legsOf(steps: readonly StepRecord[], claimed: number, end: number | null): Leg[] {
  const turns = steps.filter((step, at) => at > 0 && step.direction !== steps[at - 1]?.direction)
  const first: Leg = { direction: 'target', from: claimed, to: turns[0]?.startedAt ?? end }
  return [
    first,
    ...turns.map((turn, at) => ({
      direction: turn.direction,
      from: turn.startedAt,
      to: turns[at + 1]?.startedAt ?? end,
    })),
  ]
}
