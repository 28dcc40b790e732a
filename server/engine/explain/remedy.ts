import { decide, type Question, type Verdict } from '../claim'
import { hostFrom, withoutHolding } from '../holdings'
import type { ClaimBody, Holding, Host } from '../host'
import type { Provider } from '../resources/inventory'
import { prepareHost } from '../topology/numa'
import type { InstanceId } from '../words/ids'
import type { Refusal, RefusalKind } from '../words/refusal'

// How far a refusing host is from accepting: known from at most two more decisions, so that a page can sort all of its
// hosts by it before it searches for the instances that would have to leave.

/** What an operator can change about a host without touching an instance. */
export type Repair =
  | { readonly do: 'enable' | 'mark-up' | 'clean' }
  | { readonly do: 'add-aggregate' | 'remove-aggregate' | 'add-trait' | 'remove-trait'; readonly name: string }

export type Remedy =
  /** After the repairs the host accepts. */
  | { readonly kind: 'repairs'; readonly repairs: readonly Repair[]; readonly host: Host }
  /** After the repairs instances must leave too, because of `refusals`: at least `leaving` of them. */
  | (RefusalReasons & {
      readonly kind: 'instances'
      readonly repairs: readonly Repair[]
      readonly host: Host
      readonly leaving: number
    })
  /** The host refuses by `refusals` even repaired and empty. */
  | (RefusalReasons & { readonly kind: 'unfixable' })

interface RefusalReasons {
  readonly refusals: readonly Refusal[]
  /** The first of them. */
  readonly because: RefusalKind
}

/** @param refusals Result of `decide` for the question: at least one. */
export function remedyFor(question: Question, refusals: readonly Refusal[]): Remedy {
  const repairs = unique(refusals.flatMap((refusal) => repairOf(refusal, question.host)))
  const host = repairs.reduce(repaired, question.host)
  const now: Verdict = repairs.length === 0 ? { ok: false, refusals } : decideAgain(question, host)
  if (now.ok) return { kind: 'repairs', repairs, host }
  const empty = decideAgain(question, emptied(host))
  if (!empty.ok) return { kind: 'unfixable', ...refused(empty.refusals) }
  return { kind: 'instances', repairs, host, leaving: leastLeaving(host, now.refusals), ...refused(now.refusals) }
}

const refused = (refusals: readonly Refusal[]): RefusalReasons => ({ refusals, because: refusals[0]!.kind })

/** The minimum number of changes that can be enough; a host without remedy sorts last. */
export function changesNeeded(remedy: Remedy): number {
  if (remedy.kind === 'unfixable') return Number.POSITIVE_INFINITY
  return remedy.repairs.length + (remedy.kind === 'instances' ? remedy.leaving : 0)
}

/** Minimum number of leaving instances: assumes that the largest holders of what is short leave. */
function leastLeaving(host: Host, refusals: readonly Refusal[]): number {
  let least = 1
  for (const refusal of refusals) {
    if (refusal.kind !== 'amount') continue
    const held = host.holdings.map(({ body }) => amountOf(body, refusal.where.resourceClass)).sort((a, b) => b - a)
    least = Math.max(least, countUntil(held, refusal.shortBy))
  }
  return least
}

/** How many of the amounts, in order, add up to `enough`; all of them when they do not. */
function countUntil(amounts: readonly number[], enough: number): number {
  let sum = 0
  let counted = 0
  for (const amount of amounts) {
    if (sum >= enough) break
    sum += amount
    counted++
  }
  return counted
}

export const amountOf = ({ amounts }: ClaimBody, resourceClass: string | undefined) =>
  amounts.reduce((sum, each) => sum + (each.resourceClass === resourceClass ? each.amount : 0), 0)

/** The same question for a changed host. */
export function decideAgain(question: Question, changed: Host, verdictOnly?: true): Verdict {
  const prepared = prepareHost(changed.numaNodes, changed.devices, question.prepared ?? null)
  return decide({ ...question, host: changed, prepared, verdictOnly })
}

export const without = (host: Host, gone: readonly Holding[]) =>
  gone.reduce((left, holding) => withoutHolding(left, holding.claim), host)

/** Amounts that instances of other hosts take from a sharing provider stay, so the holdings are removed one by one. */
const emptied = (host: Host) =>
  host.providers.some(({ sharing }) => sharing) ? without(host, host.holdings) : hostFrom(host, host, [])

const CUSTOM = /^CUSTOM_/
const NOT = /^not /

/** What an operator can repair without touching an instance. Traits of the hardware cannot be changed. */
function repairOf(refusal: Refusal, { status }: Host): readonly Repair[] {
  switch (refusal.kind) {
    case 'host-disabled':
      return [{ do: 'enable' }]
    case 'host-quarantined':
    case 'host-has-remains':
      return [{ do: 'clean' }]
    case 'host-not-up':
      return status === 'lost' ? [] : [{ do: 'mark-up' }]
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

function repaired(host: Host, step: Repair): Host {
  switch (step.do) {
    case 'enable':
      return { ...host, scheduling: 'enabled' }
    case 'clean':
      return { ...host, scheduling: 'enabled', leftovers: [] as readonly InstanceId[] }
    case 'mark-up':
      return { ...host, status: 'up' }
    case 'add-aggregate':
      return withRoot(host, (root) => ({ ...root, aggregates: [...root.aggregates, step.name] }))
    case 'remove-aggregate':
      return withRoot(host, (root) => ({ ...root, aggregates: root.aggregates.filter((each) => each !== step.name) }))
    case 'add-trait':
      return withRoot(host, (root) => ({ ...root, traits: [...root.traits, step.name] }))
    case 'remove-trait':
      return withoutTrait(host, step.name)
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

function unique(steps: readonly Repair[]): readonly Repair[] {
  return [...new Map(steps.map((step) => [JSON.stringify([step.do, 'name' in step ? step.name : '']), step])).values()]
}
