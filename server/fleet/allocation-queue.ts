import { type ConsumerWrite, decideAllocations } from '../engine/ledger/allocations'
import type { Database } from '../store/database/database'
import { writeAllocations } from '../store/placement/allocation-locked'
import { type AllocationRequest, applyUnlessRaced } from '../store/placement/allocation-write'
import type { PlacementRefusal, WriteResult, Writer } from '../store/placement/refused'
import { FleetRecords } from './allocation-records'
import type { ProviderForest } from './candidates-forest'

// Batches claims of Placement API clients. While one batch is under way the next one gathers, so a busy server pays one
// call, one event and one disk write for many claims, and a quiet one never waits.
//
// A batch is decided on memory as it is. Memory is brought up to date first only when the database reported a stale
// decision, or when memory would refuse: so a refusal is as of the last commit.

export interface AllocationQueue {
  /** Sets the whole allocations of these consumers, all or none. Resolves when they are committed. */
  write(consumers: readonly ConsumerWrite[], writer: Writer): Promise<WriteResult<null>>
  /** Releases all that a consumer holds; refused as `nothing-held` when that is nothing. */
  release(consumer: string, writer: Writer): Promise<WriteResult<null>>
}

const BATCH = 32
const PATIENCE_MS = 50 // after this, others no longer wait for a batch blocked by a lock
const LANES = 3 // concurrent batches, so that blocked ones leave connections of the pool to others
const TRIES = 3 // then each claim is decided alone, under the locks of its rows

type Answer = WriteResult<null>

interface QueuedAllocation extends AllocationRequest {
  resolve(answer: Answer | Promise<Answer>): void
  reject(error: unknown): void
}

export function makeAllocationQueue(database: Database, forest: ProviderForest): AllocationQueue {
  const records = new FleetRecords(database, forest)
  const underWay = new Set<string>() // consumers
  let waiting: QueuedAllocation[] = []
  let isPlanned = false
  let lanes = 0
  let standing = 0

  const plan = () => {
    if (isPlanned || waiting.length === 0 || lanes > standing || lanes === LANES) return
    isPlanned = true
    // Calls in one turn of the event loop share a batch.
    setImmediate(() => {
      isPlanned = false
      void send()
    })
  }

  const send = async () => {
    const { batch, rest } = apart(waiting, underWay)
    if (batch.length === 0) return // each names a consumer of a batch under way
    waiting = rest
    lanes++
    for (const { consumers } of batch) for (const { id } of consumers) underWay.add(id)
    let isStanding = false
    const patience = setTimeout(() => {
      isStanding = true
      standing++
      plan()
    }, PATIENCE_MS)
    try {
      await settleBatch(database, records, batch)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    clearTimeout(patience)
    for (const { consumers } of batch) for (const { id } of consumers) underWay.delete(id)
    lanes--
    if (isStanding) standing--
    plan()
  }

  const queued = (request: AllocationRequest) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ ...request, resolve, reject })
      plan()
    })

  return {
    write: (consumers, writer) => queued({ kind: 'allocated', consumers, writer }),
    release: async (id, writer) => queued({ kind: 'released', consumers: [givesAllBack(id)], writer }),
  }
}

const givesAllBack = (id: string): ConsumerWrite => ({
  ...{ id, generation: null, checked: false, project: '', user: '', type: null, amounts: [] },
})

interface BatchSplit {
  readonly batch: readonly QueuedAllocation[]
  readonly rest: QueuedAllocation[]
}

/**
 * The next batch, in order of arrival; of two that name one consumer the second waits. A batch has one kind of event,
 * so a release is sent alone.
 */
function apart(waiting: readonly QueuedAllocation[], underWay: ReadonlySet<string>): BatchSplit {
  if (waiting.length === 1 && underWay.size === 0) return { batch: waiting, rest: [] }
  const batch: QueuedAllocation[] = []
  const rest: QueuedAllocation[] = []
  const named = new Set(underWay)
  for (const claim of waiting) {
    const [first] = batch
    const goesWith = first === undefined || (first.kind === 'allocated' && claim.kind === 'allocated')
    const fits = goesWith && batch.length < BATCH && !claim.consumers.some(({ id }) => named.has(id))
    for (const { id } of claim.consumers) named.add(id)
    ;(fits ? batch : rest).push(claim)
  }
  return { batch, rest }
}

/** Settles every caller in the batch, or throws when the result is unknown. */
async function settleBatch(
  database: Database,
  records: FleetRecords,
  batch: readonly QueuedAllocation[],
): Promise<void> {
  await records.learn(batch)
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (attempt > 1) await records.caughtUp(batch)
    const { change, refused } = decideAllocations(records, batch)
    const refusals = new Map<QueuedAllocation, PlacementRefusal>(refused)
    for (const claim of batch)
      if (!refused.has(claim) && holdsNothing(records, claim)) refusals.set(claim, NOTHING_HELD)
    if (refusals.size > 0 && attempt === 1) continue // memory may be stale
    const taken = refusals.size === 0 ? batch : batch.filter((claim) => !refusals.has(claim))
    const raised = taken.length > 0 ? await applyUnlessRaced(database, change) : {}
    // If the write is rejected, what it would have taken is free for another: no refusal before the commit.
    if (raised === null) continue
    for (const [claim, why] of refusals) claim.resolve({ ok: false, refused: why })
    for (const { resolve } of taken) resolve({ ok: true, value: null })
    if (taken.length > 0) records.followed(change, raised)
    return
  }
  for (const claim of batch) claim.resolve(writeAllocations(database, { ...claim, shapes: null }, claim.writer))
}

const NOTHING_HELD: PlacementRefusal = { kind: 'nothing-held' }

/** A release of a consumer that holds nothing. */
const holdsNothing = (records: FleetRecords, { kind, consumers }: AllocationRequest) =>
  kind === 'released' && !consumers.some(({ id }) => (records.holding(id)?.lines.length ?? 0) > 0)
