import { decide, type Question } from '../claim'
import type { Holding, Host } from '../host'
import type { MigrationId } from '../words/ids'
import type { Refusal, RefusalKind } from '../words/refusal'
import { MEMORY_MB } from '../words/units'
import { amountOf, decideAgain, type Repair, remedyFor, without } from './remedy'

// The smallest change to a refusing host that an operator can make. Each is proven: `decide` accepts the host after the
// change.

export type FixStep =
  | Repair
  | { readonly do: 'move-away'; readonly holding: Holding }
  /** Claims that a migration holds here are released when it ends. */
  | { readonly do: 'end-move'; readonly migration: MigrationId; readonly holding: Holding }

export type Fix =
  | { readonly is: 'found'; readonly steps: readonly FixStep[]; readonly host: Host }
  /** No change by an operator helps; `because` refuses even then. */
  | { readonly is: 'none'; readonly because: RefusalKind }

/** Maximum number of holders examined, those that hold most of what is short first. */
const HOLDERS_TRIED = 16

/**
 * Null when the host accepts as it is. One instance if one is enough (the one with the least memory); else a minimal
 * set. Only the holders that the refusals name are considered.
 */
export function nearestFix(question: Question): Fix | null {
  const verdict = decide(question)
  if (verdict.ok) return null
  const remedy = remedyFor(question, verdict.refusals)
  if (remedy.kind === 'unfixable') return { is: 'none', because: remedy.because }
  const { host, repairs } = remedy
  if (remedy.kind === 'repairs') return { is: 'found', steps: repairs, host }
  const candidates = holdersNamed(host, remedy.refusals)
  const fits = (gone: readonly Holding[]) => decideAgain(question, without(host, gone), true).ok
  const leaving = oneEnough(candidates, fits) ?? fewEnough(candidates, fits)
  if (!leaving) return { is: 'none', because: remedy.because }
  return { is: 'found', steps: [...repairs, ...leaving.map(leave)], host: without(host, leaving) }
}

type Fits = (gone: readonly Holding[]) => boolean

function oneEnough(candidates: readonly Holding[], fits: Fits): readonly Holding[] | null {
  const cheapest = [...candidates].sort((a, b) => cost(a) - cost(b))
  const one = cheapest.find((holding) => fits([holding]))
  return one ? [one] : null
}

/** Starts with all that may leave, then lets each stay if it can, the most expensive first, until none can. */
function fewEnough(candidates: readonly Holding[], fits: Fits): readonly Holding[] | null {
  if (!fits(candidates)) return null
  let leaving = [...candidates].sort((a, b) => cost(b) - cost(a))
  for (const holding of leaving) {
    const others = leaving.filter((each) => each !== holding)
    if (fits(others)) leaving = others
  }
  return leaving
}

/** An active migration costs nothing; an instance costs the memory to copy. */
function cost({ consumerKind, body }: Holding): number {
  if (consumerKind === 'migration') return 0
  return 1 + amountOf(body, MEMORY_MB)
}

const leave = (holding: Holding): FixStep =>
  holding.consumerKind === 'migration'
    ? { do: 'end-move', migration: holding.consumer as MigrationId, holding }
    : { do: 'move-away', holding }

function holdersNamed(host: Host, refusals: readonly Refusal[]): readonly Holding[] {
  const named = new Set(refusals.flatMap((refusal) => refusal.heldBy ?? []))
  const byConsumer = new Map(host.holdings.map((holding) => [holding.consumer, holding]))
  // A refusal without holders (no joint fit) may be due to any: then all are candidates, the cheapest first.
  const holders = [...named].flatMap((consumer) => byConsumer.get(consumer) ?? [])
  const all = holders.length > 0 ? holders : [...host.holdings].sort((a, b) => cost(a) - cost(b))
  return all.slice(0, HOLDERS_TRIED)
}
