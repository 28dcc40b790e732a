import pg from 'pg'
import type { Change } from '../../engine/books'
import { inBatches } from './batch-row'
import type { CommitResult } from './commit'

// Changes of one host are committed in order and many at a time: each is decided on what the previous one will leave.
// During a batch the next one gathers, so a busy fleet pays one round trip and one disk write for many changes, and a
// quiet one never waits.

export interface CommitQueue {
  commit(change: Change): Promise<CommitResult>
}

export interface CommitQueueOptions {
  /** Null of a change that has to be sent alone. */
  readonly commitBatch: (changes: readonly Change[]) => Promise<readonly (CommitResult | null)[]>
  /** Concurrent batches. A change follows the last one of its host, so they commit in the order of arrival. */
  readonly lanes?: number
  /** A subtransaction each; PostgreSQL keeps 64 in shared memory. */
  readonly batch?: number
}

interface QueuedChange {
  readonly change: Change
  readonly resolve: (answer: CommitResult) => void
  readonly reject: (error: unknown) => void
}

interface Lane {
  waiting: QueuedChange[]
  busy: boolean
}

export function makeCommitQueue({ commitBatch, lanes = 2, batch = 48 }: CommitQueueOptions): CommitQueue {
  const all = Array.from({ length: lanes }, (): Lane => ({ waiting: [], busy: false }))
  const course = courseOf(lanes)

  const drain = async (lane: Lane): Promise<void> => {
    lane.busy = true
    while (lane.waiting.length > 0) await land(commitBatch, lane.waiting.splice(0, batch))
    lane.busy = false
  }

  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        const way = course.enter(change)
        const lane = all[way.lane] as Lane
        const leaving = <Args extends unknown[]>(then: (...args: Args) => void) => {
          return (...args: Args) => {
            way.leave()
            then(...args)
          }
        }
        lane.waiting.push({ change, resolve: leaving(resolve), reject: leaving(reject) })
        if (!lane.busy) void drain(lane)
      }),
  }
}

/**
 * The lane of a change: a migration names two hosts, so no fixed partition of the hosts would keep the order of both.
 */
function courseOf(lanes: number): { enter(change: Change): { readonly lane: number; leave(): void } } {
  const last = new Map<string, { lane: number; onTheirWay: number }>()
  return {
    enter: (change) => {
      const hosts = hostsOf(change)
      const lane = hosts.map((host) => last.get(host)?.lane).find((each) => each !== undefined) ?? laneOf(change, lanes)
      for (const host of hosts) {
        const onTheirWay = (last.get(host)?.onTheirWay ?? 0) + 1
        last.set(host, { lane, onTheirWay })
      }
      const leave = () => {
        for (const host of hosts) {
          const entry = last.get(host)
          if (entry && --entry.onTheirWay === 0) last.delete(host)
        }
      }
      return { lane, leave }
    },
  }
}

function hostsOf({ guards, writes }: Change): readonly string[] {
  const taken = writes.flatMap((write) => (write.do === 'take' ? [write.plan.host as string] : []))
  return [...new Set([...taken, ...guards.providers.map(({ provider }) => provider)])]
}

/** Settles every waiting caller. */
async function land(commitBatch: CommitQueueOptions['commitBatch'], waiting: readonly QueuedChange[]): Promise<void> {
  for (const batch of inBatches(waiting)) {
    for (const each of await landTogether(commitBatch, batch)) await land(commitBatch, [each])
  }
}

/** Answers those that have to be sent alone. */
async function landTogether(
  commitBatch: CommitQueueOptions['commitBatch'],
  batch: readonly QueuedChange[],
): Promise<readonly QueuedChange[]> {
  try {
    const answers = await commitBatch(batch.map(({ change }) => change))
    if (answers.length !== batch.length) throw new Error(`${answers.length} answers for ${batch.length} changes`)
    return batch.filter(({ resolve, reject }, index) => {
      const answer = answers[index] ?? null
      if (answer !== null) resolve(answer)
      else if (batch.length > 1) return true
      else reject(new Error('A change that was sent alone was not answered.'))
      return false
    })
  } catch (error) {
    // The database rejected one of them and wrote none: each is retried alone. Any other failure may have come after
    // the commit, so a retry would be wrong.
    if (error instanceof pg.DatabaseError && batch.length > 1) return batch
    for (const { reject } of batch) reject(error)
    return []
  }
}

/** By the host that is taken from, else by the first provider named, else by the subject. */
function laneOf({ guards, writes, event }: Change, lanes: number): number {
  const take = writes.find((write) => write.do === 'take')
  const key = take?.plan.host ?? guards.providers[0]?.provider ?? guards.instance?.id ?? event.migration ?? ''
  return Number.parseInt(key.slice(0, 7), 16) % lanes || 0
}
