import type { PartView, RefusalCauseView, SummaryView } from '@/server/api/explain/summary'
import { count } from '../ui/format'
import { quantity, summaryWords as words } from './words'

// The sentence above the matrix, from counts that the engine derives from the refusals.

/**
 * `All 7 hosts with vGPUs are out of pinned CPUs.` Where it fits on some hosts, only the others are meant. Null when no
 * host refuses.
 */
export function summaryText({ fixable, unfixable }: SummaryView, fitting: number): string | null {
  if (fixable.hosts === 0) {
    return unfixable.hosts > 0 ? partText(fitting > 0 ? words.others : words.hosts, unfixable, UNFIXABLE) : null
  }
  return fitting > 0 ? partText(words.others, fixable, SOME) : partText(scopeOf(unfixable), fixable, ALL)
}

/** About hosts that no change would help, apart from those in the summary; null if there are none. */
export function unfixableText({ fixable, unfixable }: SummaryView, fitting: number): string | null {
  if (fixable.hosts === 0 || unfixable.hosts === 0) return null
  return partText(fitting > 0 ? words.rest : words.others, unfixable, UNFIXABLE)
}

interface PartKind {
  readonly isUnfixable: boolean
  /** Whether these are all hosts of the scope. */
  readonly isWhole: boolean
}

const ALL: PartKind = { isUnfixable: false, isWhole: true }
const SOME: PartKind = { isUnfixable: false, isWhole: false }
const UNFIXABLE: PartKind = { isUnfixable: true, isWhole: true }

/** The funnel shows the other causes. */
const MAX_CAUSES = 3

function partText(scope: string, { hosts, causes }: PartView, { isUnfixable, isWhole }: PartKind): string {
  const text = (cause: RefusalCauseView) => causeText(cause, isUnfixable)
  const [first, ...more] = causes
  if (first && more.length === 0) return (isWhole ? words.all : words.someOf)(hosts, scope, text(first))
  const named = causes.slice(0, MAX_CAUSES)
  const left = hosts - named.reduce((sum, cause) => sum + cause.hosts, 0)
  const parts = named.map((cause) => words.some(count(cause.hosts), text(cause)))
  return words.of(hosts, scope, left > 0 ? [...parts, words.forOther(left)] : parts)
}

/** Describes hosts that no change would help by what only they lack. */
function scopeOf({ causes }: PartView): string {
  const [only, ...more] = causes
  if (only === undefined) return words.hosts
  const named = more.length === 0 ? words.scopes[only.rule] : undefined
  return named ? named(thingsOf(only)) : words.suitable
}

const thingsOf = (cause: RefusalCauseView) => ({
  need: String(cause.need ?? ''),
  resource: words.resource(cause.resourceClass),
  pageKib: cause.pageKib,
  none: cause.free === 0,
})

/** The predicate of a sentence about the hosts with this cause. */
function causeText(cause: RefusalCauseView, isUnfixable: boolean): string {
  const one = cause.hosts === 1
  const things = thingsOf(cause)
  const short = words.short[cause.rule]?.(things)
  if (short === undefined) return (words.rules[cause.rule] ?? words.other(cause.rule))(one, things)
  if (isUnfixable) return cause.free === 0 ? words.has(one, short) : words.tooLittle(short)
  if (cause.free === 0) return words.outOf(one, short)
  if (cause.free === null || typeof cause.need !== 'number') return words.shortOf(one, short)
  return words.shortOfBy(one, short, [quantity(cause.need, cause.unit), quantity(cause.free, cause.unit)])
}
