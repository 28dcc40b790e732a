import type { HostId } from '../words/ids'
import type { Refusal, RefusalKind, RefusalLocation } from '../words/refusal'
import { firstInFunnel, placeInFunnel } from './funnel'
import type { Remedy } from './remedy'

// The sentence above the matrix: what the hosts that could accept the instance lack, and why the others never could. It
// is derived from the refusals alone, so it is true of every counted host.

export interface RefusedHost {
  readonly host: HostId
  /** Result of `decide`: at least one. */
  readonly refusals: readonly Refusal[]
  readonly remedy: Remedy
}

/** One rule and the hosts that refuse by it. */
export interface RefusalCause {
  readonly rule: RefusalKind
  readonly hosts: readonly HostId[]
  /** What each of these hosts needs; null when it differs between hosts. */
  readonly need: number | string | null
  /** None of these hosts has more than this free; null when nothing is counted, or only on some NUMA nodes. */
  readonly free: number | null
  /** Resource class, page size and request, if the same on all of the hosts. */
  readonly where: RefusalLocation
}

/** A subset of the hosts, each host under one cause, the most frequent cause first. */
export interface RefusedPart {
  readonly hosts: number
  readonly causes: readonly RefusalCause[]
}

export interface RefusalSummary {
  /** Hosts that would accept after an operator has made room or changed the host's state. */
  readonly fixable: RefusedPart
  /** Hosts that refuse even repaired and empty, by what they refuse then. */
  readonly unfixable: RefusedPart
}

export function summaryOf(refused: readonly RefusedHost[]): RefusalSummary {
  const unfixable = refused.flatMap(({ host, remedy }) =>
    remedy.kind === 'unfixable' ? [{ host, refusals: remedy.refusals }] : [],
  )
  return { fixable: partOf(refused.filter(({ remedy }) => remedy.kind !== 'unfixable')), unfixable: partOf(unfixable) }
}

type RefusingHost = Pick<RefusedHost, 'host' | 'refusals'>

/** Counts each host under its first rule in the funnel, and within a rule under the shortage that most hosts share. */
function partOf(hosts: readonly RefusingHost[]): RefusedPart {
  const causes: RefusalCause[] = []
  let left = hosts.map(byFirstRule)
  while (left.length > 0) {
    const cause = mostCommon(left)
    if (cause === null) break
    causes.push(cause)
    const named = new Set(cause.hosts)
    left = left.filter(({ host }) => !named.has(host))
  }
  return { hosts: hosts.length, causes }
}

function byFirstRule({ host, refusals }: RefusingHost): RefusingHost {
  const first = firstInFunnel(refusals.map(({ kind }) => kind))
  return { host, refusals: refusals.filter(({ kind }) => kind === first) }
}

interface SharedCause {
  readonly rule: RefusalKind
  readonly hosts: HostId[]
  readonly refusals: Refusal[]
}

function mostCommon(hosts: readonly RefusingHost[]): RefusalCause | null {
  const shared = new Map<string, SharedCause>()
  for (const { host, refusals } of hosts) {
    for (const refusal of refusals) {
      const key = causeKey(refusal)
      const known = shared.get(key) ?? { rule: refusal.kind, hosts: [], refusals: [] }
      if (known.hosts.at(-1) !== host) known.hosts.push(host)
      known.refusals.push(refusal)
      shared.set(key, known)
    }
  }
  let most: SharedCause | null = null
  for (const each of shared.values()) if (most === null || isBefore(each, most)) most = each
  return most && causeOf(most)
}

/** Among rules shared by equally many hosts, the first in the funnel. */
const isBefore = (a: SharedCause, b: SharedCause) =>
  a.hosts.length > b.hosts.length ||
  (a.hosts.length === b.hosts.length && placeInFunnel(a.rule) < placeInFunnel(b.rule))

/**
 * Key of a cause: the rule and its subject. A NUMA node or provider belongs to one host, so it is not part of the key.
 */
function causeKey({ kind, where, ...refusal }: Refusal): string {
  const need = 'free' in refusal ? null : refusal.need
  return JSON.stringify([kind, where.resourceClass, where.pageKib, where.requestId, need])
}

function causeOf({ rule, hosts, refusals }: SharedCause): RefusalCause | null {
  const [first] = refusals
  if (first === undefined) return null
  const need = refusals.every((each) => each.need === first.need) ? first.need : null
  const { resourceClass, pageKib, requestId } = first.where
  return { rule, hosts, where: { resourceClass, pageKib, requestId }, need, free: mostFree(refusals) }
}

// A refusal of one NUMA node says nothing about the nodes that have enough of this and too little of something else.
function mostFree(refusals: readonly Refusal[]): number | null {
  let most = 0
  for (const refusal of refusals) {
    if (!('free' in refusal) || refusal.where.hostCell !== undefined) return null
    most = Math.max(most, refusal.free)
  }
  return most
}
