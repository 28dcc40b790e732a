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
  const fits = (giver: ConsumerWrite, taker: ConsumerWrite) => takesOver(records, giver, taker)
  const swaps = new Map<string, string>()
  for (const taker of takers) {
    const [giver, ...others] = givers.filter((each) => fits(each, taker))
    if (!giver || others.length > 0 || takers.some((each) => each !== taker && fits(giver, each))) continue
    swaps.set(taker.id, giver.id)
  }
  return swaps
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

function takesOver(records: AllocationRecords, giver: ConsumerWrite, taker: ConsumerWrite): boolean {
  const held = records.holding(giver.id)
  if (!held || giver.project !== taker.project || giver.user !== taker.user) return false
  // A migration rolled back before its instance claimed anything returns everything to a new consumer.
  return held.swappedFrom !== taker.id && isSame(held.lines, taker.amounts)
}

const isSame = (one: readonly AllocationLine[], other: readonly AllocationLine[]) =>
  one.length === other.length && one.every((line) => other.some((each) => isSameLine(line, each)))

const isSameLine = (one: AllocationLine, other: AllocationLine) =>
  one.provider === other.provider && one.resourceClass === other.resourceClass && one.amount === other.amount
