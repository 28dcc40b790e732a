import { decide, type Question } from './claim'
import { hostFrom, withoutHolding } from './holdings'
import type { Holding, Host } from './host'
import type { Provider } from './resources/inventory'
import { prepareHost } from './topology/numa'
import type { ClaimId, InstanceId, MigrationId } from './words/ids'
import type { Refusal, RefusalKind } from './words/refusal'
import { MEMORY_MB } from './words/units'

// What would have to change about a host that refuses? Only changes that a person can make, the least of them, and each
// answer is proven: the very decision that refuses now takes the host as it would be then.

export type FixStep =
  | { readonly do: 'enable' | 'state-up' | 'clean' }
  | { readonly do: 'add-aggregate' | 'remove-aggregate' | 'add-trait' | 'remove-trait'; readonly name: string }
  | { readonly do: 'move-away'; readonly holding: Holding }
  /** What a move still holds here beside its instance is given back when the move ends. */
  | { readonly do: 'end-move'; readonly migration: MigrationId; readonly holding: Holding }

export type Fix =
  | { readonly is: 'found'; readonly steps: readonly FixStep[]; readonly host: Host }
  /** Nothing a person can change here helps; `because` refuses even then. */
  | { readonly is: 'none'; readonly because: RefusalKind }

/** So many holders are looked into, those that hold most of what is short first. */
const HOLDERS_TRIED = 16

/**
 * Null when the host takes it as it is. One guest when one is enough, of those the one with the least memory; else a set of which none
 * can stay. Guests are only looked for among the holders that the refusals name.
 */
export function nearestFix(question: Question): Fix | null {
  const verdict = decide(question)
  if (verdict.ok) return null
  const { refusals } = verdict
  const steps = refusals.flatMap((refusal) => repairOf(refusal, question.host))
  const host = steps.reduce(repaired, question.host)
  const before = question.prepared ?? null
  const ask = (changed: Host, onlyWhether?: true) =>
    decide({ ...question, host: changed, prepared: prepareHost(changed.cells, changed.devices, before), onlyWhether })
  const now = ask(host)
  if (now.ok) return { is: 'found', steps: unique(steps), host }
  const empty = ask(emptied(host))
  if (!empty.ok) return { is: 'none', because: (empty.refusals[0] ?? refusals[0]!).kind }
  const candidates = holdersNamed(host, now.refusals)
  const fits = (gone: readonly Holding[]) => ask(without(host, gone), true).ok
  const leaving = oneEnough(candidates, fits) ?? fewEnough(candidates, fits)
  if (!leaving) return { is: 'none', because: now.refusals[0]!.kind }
  return { is: 'found', steps: [...unique(steps), ...leaving.map(leave)], host: without(host, leaving) }
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
  // A refusal that names nobody (no joint fit) may be anybody's: then all are candidates, the smallest first.
  const holders = [...named].flatMap((consumer) => byConsumer.get(consumer) ?? [])
  const all = holders.length > 0 ? holders : [...host.holdings].sort((a, b) => cost(a) - cost(b))
  return all.slice(0, HOLDERS_TRIED)
}

const without = (host: Host, gone: readonly Holding[]) =>
  gone.reduce((left, holding) => withoutHolding(left, holding.claim), host)
/** What guests of other hosts take from a sharing provider stays, so then the holdings go one by one. */
const emptied = (host: Host) =>
  host.providers.some(({ sharing }) => sharing) ? without(host, host.holdings) : hostFrom(host, host, [])

const CUSTOM = /^CUSTOM_/
const NOT = /^not /

/** What a person can set right without touching a guest. Traits of the hardware are what they are. */
function repairOf(refusal: Refusal, { truth }: Host): readonly FixStep[] {
  switch (refusal.kind) {
    case 'host-disabled':
      return [{ do: 'enable' }]
    case 'host-quarantined':
    case 'host-has-remains':
      return [{ do: 'clean' }]
    case 'host-not-up':
      return truth === 'gone' ? [] : [{ do: 'state-up' }]
    case 'aggregate-missing':
      return [{ do: 'add-aggregate', name: refusal.need.split(' or ')[0]! }]
    case 'aggregate-forbidden':
      return [{ do: 'remove-aggregate', name: refusal.have }]
    case 'trait-missing':
      return CUSTOM.test(refusal.need) ? [{ do: 'add-trait', name: refusal.need }] : []
    case 'trait-forbidden':
      return CUSTOM.test(refusal.have) ? [{ do: 'remove-trait', name: refusal.need.replace(NOT, '') }] : []
    default:
      return []
  }
}

function repaired(host: Host, step: FixStep): Host {
  switch (step.do) {
    case 'enable':
      return { ...host, admission: 'open' }
    case 'clean':
      return { ...host, admission: 'open', remains: [] as readonly InstanceId[] }
    case 'state-up':
      return { ...host, truth: 'up' }
    case 'add-aggregate':
      return withRoot(host, (root) => ({ ...root, aggregates: [...root.aggregates, step.name] }))
    case 'remove-aggregate':
      return withRoot(host, (root) => ({ ...root, aggregates: root.aggregates.filter((each) => each !== step.name) }))
    case 'add-trait':
      return withRoot(host, (root) => ({ ...root, traits: [...root.traits, step.name] }))
    case 'remove-trait':
      return withoutTrait(host, step.name)
    case 'move-away':
    case 'end-move':
      return withoutHolding(host, step.holding.claim as ClaimId)
  }
}

const withRoot = (host: Host, change: (root: Provider) => Provider): Host => ({
  ...host,
  providers: host.providers.map((provider, at) => (at === 0 ? change(provider) : provider)),
})

const withoutTrait = (host: Host, trait: string): Host => ({
  ...host,
  providers: host.providers.map((each) => ({ ...each, traits: each.traits.filter((name) => name !== trait) })),
})

function unique(steps: readonly FixStep[]): readonly FixStep[] {
  return [...new Map(steps.map((step) => [JSON.stringify([step.do, 'name' in step ? step.name : '']), step])).values()]
}
