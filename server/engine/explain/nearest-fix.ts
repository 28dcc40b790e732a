import { decide, type Question } from '../claim'
import type { Holding, Host } from '../host'
import type { MigrationId } from '../words/ids'
import type { Refusal, RefusalKind } from '../words/refusal'
import { MEMORY_MB } from '../words/units'
import { askOf, outlookOf, type Repair, without } from './outlook'

// What would have to change about a host that refuses? Only changes that a person can make, the least of them, and each
// answer is proven: the very decision that refuses now takes the host as it would be then.

export type FixStep =
  | Repair
  | { readonly do: 'move-away'; readonly holding: Holding }
  /** What a move still holds here beside its instance is given back when the move ends. */
  | { readonly do: 'end-move'; readonly migration: MigrationId; readonly holding: Holding }

export type Fix =
  | { readonly is: 'found'; readonly steps: readonly FixStep[]; readonly host: Host }
  /** Nothing a person can change here helps; `because` refuses even then. */
  | { readonly is: 'none'; readonly because: RefusalKind }

/** Maximum holders examined, those that hold most of the short resource first. */
const HOLDERS_TRIED = 16

/**
 * Null when it fits as it is. One instance when one is enough, the one with the least memory; else a set of which none
 * can stay. Candidates are only the holders that the refusals name.
 */
export function nearestFix(question: Question): Fix | null {
  const verdict = decide(question)
  if (verdict.ok) return null
  const outlook = outlookOf(question, verdict.refusals)
  if (outlook.kind === 'hopeless') return { is: 'none', because: outlook.because }
  const { host, repairs } = outlook
  if (outlook.kind === 'repairs') return { is: 'found', steps: repairs, host }
  const candidates = holdersNamed(host, outlook.refusals)
  const fits = (gone: readonly Holding[]) => askOf(question, without(host, gone), true).ok
  const leaving = oneEnough(candidates, fits) ?? fewEnough(candidates, fits)
  if (!leaving) return { is: 'none', because: outlook.because }
  return { is: 'found', steps: [...repairs, ...leaving.map(leave)], host: without(host, leaving) }
}

type Fits = (gone: readonly Holding[]) => boolean

function oneEnough(candidates: readonly Holding[], fits: Fits): readonly Holding[] | null {
  const cheapest = [...candidates].sort((a, b) => cost(a) - cost(b))
  const one = cheapest.find((holding) => fits([holding]))
  return one ? [one] : null
}

/** All that may leave, and then each that may stay after all, dearest first, until none of them may. */
function fewEnough(candidates: readonly Holding[], fits: Fits): readonly Holding[] | null {
  if (!fits(candidates)) return null
  let leaving = [...candidates].sort((a, b) => cost(b) - cost(a))
  for (const holding of leaving) {
    const others = leaving.filter((each) => each !== holding)
    if (fits(others)) leaving = others
  }
  return leaving
}

/** A move that is under way anyway costs nothing; a guest costs what has to be copied. */
function cost({ consumerKind, body }: Holding): number {
  if (consumerKind === 'migration') return 0
  return 1 + body.amounts.reduce((sum, each) => sum + (each.resourceClass === MEMORY_MB ? each.amount : 0), 0)
}

const leave = (holding: Holding): FixStep =>
  holding.consumerKind === 'migration'
    ? { do: 'end-move', migration: holding.consumer as MigrationId, holding }
    : { do: 'move-away', holding }

function holdersNamed(host: Host, refusals: readonly Refusal[]): readonly Holding[] {
  const named = new Set(refusals.flatMap((refusal) => refusal.heldBy ?? []))
  const byConsumer = new Map(host.holdings.map((holding) => [holding.consumer, holding]))
  // A refusal without holders (no joint fit) may be caused by any: then all are candidates, the smallest first.
  const holders = [...named].flatMap((consumer) => byConsumer.get(consumer) ?? [])
  const all = holders.length > 0 ? holders : [...host.holdings].sort((a, b) => cost(a) - cost(b))
  return all.slice(0, HOLDERS_TRIED)
}
