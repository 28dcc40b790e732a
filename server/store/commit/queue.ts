import pg from 'pg'
import type { Change } from '../../engine/books'
import type { CommitResult } from './commit'

// Claims for one host are committed one after another and many at a time. While a batch is under way the next one
// gathers, so a busy fleet pays one round trip and one disk write for many claims, and a quiet one never waits.

export interface CommitQueue {
  commit(change: Change): Promise<CommitResult>
}

export interface CommitQueueOptions {
  readonly commitMany: (changes: readonly Change[]) => Promise<readonly CommitResult[]>
  /** Batches under way at once. Changes of one host always go the same lane, so they land in the order they came. */
  readonly lanes?: number
  /** A subtransaction each; PostgreSQL keeps 64 in shared memory. */
  readonly batch?: number
}

interface Waiting {
  readonly change: Change
  readonly resolve: (answer: CommitResult) => void
  readonly reject: (error: unknown) => void
}

interface Lane {
  waiting: Waiting[]
  busy: boolean
}

export function makeCommitQueue({ commitMany, lanes = 4, batch = 32 }: CommitQueueOptions): CommitQueue {
  const all = Array.from({ length: lanes }, (): Lane => ({ waiting: [], busy: false }))

  const drain = async (lane: Lane): Promise<void> => {
    lane.busy = true
    while (lane.waiting.length > 0) await land(commitMany, lane.waiting.splice(0, batch))
    lane.busy = false
  }

  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        const lane = all[laneOf(change, lanes)] as Lane
        lane.waiting.push({ change, resolve, reject })
        if (!lane.busy) void drain(lane)
      }),
  }
}

/** Answers everybody in the batch, one way or the other. */
async function land(commitMany: CommitQueueOptions['commitMany'], batch: readonly Waiting[]): Promise<void> {
  try {
    const answers = await commitMany(batch.map(({ change }) => change))
    if (answers.length !== batch.length) throw new Error(`${answers.length} answers for ${batch.length} changes`)
    batch.forEach(({ resolve }, index) => {
      resolve(answers[index] as CommitResult)
    })
  } catch (error) {
    // The database said no to one of them and wrote none: each is asked alone. Any other failure may have come after
    // the commit, and then asking again would be wrong.
    const refused = error instanceof pg.DatabaseError && batch.length > 1
    if (refused) for (const each of batch) await land(commitMany, [each])
    else for (const { reject } of batch) reject(error)
  }
}

/** By the host that is taken from, else by the first provider named, else by the subject. */
function laneOf({ guards, writes, event }: Change, lanes: number): number {
  const take = writes.find((write) => write.do === 'take')
  const key = take?.plan.host ?? guards.providers[0]?.provider ?? guards.instance?.id ?? event.migration ?? ''
  return Number.parseInt(key.slice(0, 7), 16) % lanes || 0
}
