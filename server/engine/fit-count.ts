import { ANONYMOUS_QUESTION, decide } from './claim'
import type { Demand } from './demand'
import { freeOn } from './explain/largest'
import { anonymousHolding, withHolding } from './holdings'
import type { Host } from './host'
import { type Interruptible, runToCompletion } from './interruptible'
import { ordinaryRoom } from './memory/host-memory'
import { exactOrdinaryMemory } from './memory/ordinary-need'
import { needsPlaces } from './placing'
import { freeOf, inventoryOf } from './resources/inventory'
import { preparedOf, prepareHost } from './topology/numa'
import type { HostId } from './words/ids'
import { MEMORY_MB } from './words/units'

// How many more instances of one shape fit on a host: claims on a copy of it until `decide` refuses.

export interface FitCount {
  readonly more: number
  /** False when counting stopped at its bound: then it is at least this many. */
  readonly exact: boolean
}

export interface FitCountQuery {
  readonly demand: Demand
  readonly hosts: readonly Host[]
  /** Maximum number of decisions over all hosts. */
  readonly budget: number
}

export interface FitCounts {
  /** Every host in the given order, including those where none fits. */
  readonly fits: ReadonlyMap<HostId, FitCount>
  /** Decisions made. */
  readonly decisions: number
}

/** Each host is evaluated as if the others did not exist. */
export const countFits = (ask: FitCountQuery): FitCounts => runToCompletion(interruptibleFitCount(ask))

/** The same, with a yield per decision: one large host alone may need thousands of them. */
export function* interruptibleFitCount({ demand, hosts, budget }: FitCountQuery): Interruptible<FitCounts> {
  let left = budget
  const fits = new Map<HostId, FitCount>()
  for (const host of hosts) {
    const counted = yield* countOn(host, demand, left)
    left -= counted.decisions
    fits.set(host.id, { more: counted.more, exact: counted.exact })
  }
  return { fits, decisions: budget - left }
}

interface CountedFits extends FitCount {
  readonly decisions: number
}

const NONE: CountedFits = { more: 0, exact: true, decisions: 0 }

function* countOn(host: Host, demand: Demand, most: number): Interruptible<CountedFits> {
  if (Object.entries(demand.amounts).some(([resourceClass, amount]) => freeOn(host, resourceClass) < amount))
    return NONE
  if (most === 0) return { more: 0, exact: false, decisions: 0 }
  let now = host
  let prepared = preparedOf(host)
  for (let more = 0; more < most; more++) {
    const verdict = decide({ ...ANONYMOUS_QUESTION, demand, host: now, prepared, verdictOnly: true })
    if (!verdict.ok) return { more, exact: true, decisions: more + 1 }
    const known = more === 0 ? amountsAlone(host, demand) : null
    if (known !== null) return { more: known, exact: true, decisions: 1 }
    now = withHolding(now, anonymousHolding(verdict.plan, more))
    prepared = prepareHost(now.numaNodes, now.devices, prepared)
    yield
  }
  return { more: most, exact: false, decisions: most }
}

/**
 * Counts by division for a shape of amounts alone, each from one provider; null for all others. The first instance must
 * already be claimed.
 */
function amountsAlone(host: Host, demand: Demand): number | null {
  if (needsPlaces(demand)) return null
  const { amounts } = demand
  let most = Number.POSITIVE_INFINITY
  for (const [resourceClass, amount] of Object.entries(amounts)) {
    const [only, other] = host.providers.flatMap((provider) => inventoryOf(provider, resourceClass) ?? [])
    if (!only || other) return null
    most = Math.min(most, Math.floor(freeOf(only) / amount))
  }
  const memory = exactOrdinaryMemory(host)
  const memoryMib = amounts[MEMORY_MB] ?? 0
  if (memory && memoryMib > 0) most = Math.min(most, Math.max(0, Math.floor(ordinaryRoom(memory) / memoryMib)))
  return Number.isFinite(most) ? most : null
}
