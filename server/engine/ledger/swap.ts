import type { AllocationClaim, AllocationLine, AllocationRecords, ConsumerWrite } from './allocations'

// Before Nova migrates or resizes an instance, it moves the instance's whole allocation to the migration with one POST
// for both, and the instance claims the target afterwards. Nova sends no consumer type, so only this request
// distinguishes them: the consumer that it creates is the migration. The pair lasts while the migration holds anything:
// Nova deletes its allocation at the end, and returns it to the instance on rollback.

/** For consumers that this request creates: whose whole allocation each takes over. Omitted if two qualify. */
export function swapsOf(records: AllocationRecords, { kind, consumers }: AllocationClaim): ReadonlyMap<string, string> {
  if (kind !== 'allocated' || consumers.length < 2) return NO_SWAPS
  const givers = consumers.filter((each) => mayGive(records, each))
  const takers = givers.length === 0 ? [] : consumers.filter((each) => mayTake(records, each))
  if (takers.length === 0) return NO_SWAPS
  const swaps = new Map<string, string>()
  for (const equal of groupsOf(records, givers, takers)) addSwaps(swaps, equal)
  return swaps
}

/** Whoever gives and takes the same, for one project and user. */
interface EqualConsumers {
  readonly givers: { readonly id: string; readonly swappedFrom: string | null }[]
  readonly takers: Set<string>
}

/** Grouped, because a request may have thousands of pairs, and comparing each with each would take minutes. */
function groupsOf(
  records: AllocationRecords,
  givers: readonly ConsumerWrite[],
  takers: readonly ConsumerWrite[],
): Iterable<EqualConsumers> {
  const groups = new Map<string, EqualConsumers>()
  for (const { id, project, user } of givers) {
    const { lines = [], swappedFrom = null } = records.holding(id) ?? {}
    const key = keyOf({ project, user, lines })
    const group = groups.get(key) ?? { givers: [], takers: new Set() }
    group.givers.push({ id, swappedFrom })
    groups.set(key, group)
  }
  for (const { id, project, user, amounts: lines } of takers)
    groups.get(keyOf({ project, user, lines }))?.takers.add(id)
  return groups.values()
}

interface SwapKey extends Pick<ConsumerWrite, 'project' | 'user'> {
  readonly lines: readonly AllocationLine[]
}

const keyOf = ({ project, user, lines }: SwapKey): string =>
  JSON.stringify([project, user, lines.map((line) => `${line.provider} ${line.resourceClass} ${line.amount}`).sort()])

/**
 * Those of which only one giver fits the taker, and only this taker the giver. A migration rolled back before its
 * instance claimed anything returns everything to a new consumer: it does not fit the one that it took over from.
 */
function addSwaps(swaps: Map<string, string>, { givers, takers }: EqualConsumers): void {
  const unfit = new Map<string, number>()
  for (const { swappedFrom } of givers) {
    if (swappedFrom !== null) unfit.set(swappedFrom, (unfit.get(swappedFrom) ?? 0) + 1)
  }
  for (const taker of takers) {
    if (givers.length - (unfit.get(taker) ?? 0) !== 1) continue
    const giver = givers.find(({ swappedFrom }) => swappedFrom !== taker)
    if (giver === undefined) continue
    const fitting = takers.size - (giver.swappedFrom !== null && takers.has(giver.swappedFrom) ? 1 : 0)
    if (fitting === 1) swaps.set(taker, giver.id)
  }
}

const NO_SWAPS: ReadonlyMap<string, string> = new Map()

/** A consumer type set by a client is trusted: such a consumer is never the counterpart under another type. */
function mayGive(records: AllocationRecords, { id, amounts, type: requestedType }: ConsumerWrite): boolean {
  const held = records.holding(id)
  if (amounts.length > 0 || !held || held.lines.length === 0) return false
  return isOr('INSTANCE', held.type) && isOr('INSTANCE', requestedType)
}

const mayTake = (records: AllocationRecords, { id, amounts, type }: ConsumerWrite): boolean =>
  amounts.length > 0 && records.holding(id) === undefined && isOr('MIGRATION', type)

const isOr = (type: string, requestedType: string | null) =>
  requestedType === null || requestedType === 'unknown' || requestedType === type
