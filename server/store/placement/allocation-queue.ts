import pg from 'pg'
import type { Database } from '../database/database'
import { type ConsumerWrite, writeAllocations } from './allocation'
import { type BatchedClaim, writeBatch } from './allocation-batch'
import type { Writer, Written } from './refused'

// What clients of the Placement API claim is written many at a time. While one batch is under way the next one gathers,
// so a busy server pays for one call, one event and one disk write for many claims, and a quiet one never waits.

export interface AllocationQueue {
  /** All that these consumers shall hold from now on, or none of it. Answers when it is written for good. */
  write(consumers: readonly ConsumerWrite[], writer: Writer): Promise<Written<null>>
}

const BATCH = 32
const PATIENCE_MS = 50 // then others no longer wait for a batch that stands behind somebody's lock
const LANES = 3 // batches under way at once, so that those that stand leave connections for everybody else
const ALONE = 3 // claims under way that did not go together with others

type Answer = Written<null>

interface Waiting extends BatchedClaim {
  resolve(answer: Answer | Promise<Answer>): void
  reject(error: unknown): void
}

export function makeAllocationQueue(database: Database): AllocationQueue {
  const underWay = new Set<string>() // consumers
  let waiting: Waiting[] = []
  let isPlanned = false
  let lanes = 0
  let standing = 0
  const alone = limited(ALONE, ({ consumers, writer }: BatchedClaim) =>
    writeAllocations(database, { consumers, shapes: null }, writer),
  )

  const plan = () => {
    if (isPlanned || waiting.length === 0 || lanes > standing || lanes === LANES) return
    isPlanned = true
    // All that came in one turn of the loop goes together.
    setImmediate(() => {
      isPlanned = false
      void send()
    })
  }

  const send = async () => {
    const { batch, rest } = apart(waiting, underWay)
    if (batch.length === 0) return // all wait for a batch that is under way
    waiting = rest
    lanes++
    const consumers = batch.flatMap((claim) => claim.consumers.map(({ id }) => id))
    for (const id of consumers) underWay.add(id)
    let isStanding = false
    const patience = setTimeout(() => {
      isStanding = true
      standing++
      plan()
    }, PATIENCE_MS)
    await land(database, batch, alone)
    clearTimeout(patience)
    for (const id of consumers) underWay.delete(id)
    lanes--
    if (isStanding) standing--
    plan()
  }

  return {
    write: (consumers, writer) => {
      // A consumer that gives all back, or that is named twice, is not for a batch.
      const isForBatch =
        consumers.every(({ amounts }) => amounts.length > 0) &&
        new Set(consumers.map(({ id }) => id)).size === consumers.length
      if (!isForBatch) return alone({ consumers, writer })
      return new Promise((resolve, reject) => {
        waiting.push({ consumers, writer, resolve, reject })
        plan()
      })
    },
  }
}

interface Parted {
  readonly batch: readonly Waiting[]
  readonly rest: Waiting[]
}

/** The next batch, in the order in which they came; of two that name one consumer the second waits. */
function apart(waiting: readonly Waiting[], underWay: ReadonlySet<string>): Parted {
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  const named = new Set(underWay)
  for (const claim of waiting) {
    const fits = batch.length < BATCH && !claim.consumers.some(({ id }) => named.has(id))
    for (const { id } of claim.consumers) named.add(id)
    ;(fits ? batch : rest).push(claim)
  }
  return { batch, rest }
}

/** Answers everybody in the batch, one way or the other. Never rejects. */
async function land(
  database: Database,
  batch: readonly Waiting[],
  alone: (claim: BatchedClaim) => Promise<Answer>,
): Promise<void> {
  try {
    const apart = await writeBatch(database, batch)
    const together = batch.filter((_, of) => !apart.has(of))
    for (const [of, claim] of batch.entries()) if (apart.has(of)) claim.resolve(alone(claim))
    if (apart.size === 0) for (const { resolve } of batch) resolve({ ok: true, value: null })
    else if (together.length > 0) await land(database, together, alone)
  } catch (error) {
    // The database said no and wrote nothing: each is asked alone. Any other failure may have come after the commit,
    // and then asking again would be wrong.
    if (error instanceof pg.DatabaseError) for (const claim of batch) claim.resolve(alone(claim))
    else for (const { reject } of batch) reject(error)
  }
}

/** So many at once; the others wait in the order in which they came. */
function limited<A, B>(many: number, work: (a: A) => Promise<B>): (a: A) => Promise<B> {
  const waiting: (() => void)[] = []
  let free = many
  return async (a) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work(a)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
