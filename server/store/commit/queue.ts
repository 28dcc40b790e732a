import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { type Change, lostBasis } from '../../engine/change'
import { inBatches } from './batch-row'
import type { CommitResult } from './commit'

// Commits the changes of one host in order and in batches: each change is decided on the expected result of the
// previous one. While a batch commits, the next one fills, so a busy fleet pays one round trip and one disk write for
// many changes, and an idle one never waits.

export interface CommitQueue {
  commit(change: Change): Promise<CommitResult>
}

export interface CommitQueueOptions {
  /** Null for a change that must be sent alone. */
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

/** The host's last change that is still unanswered. */
interface PendingChange {
  readonly lane: Lane
  /** Resolves when the change has entered its lane; null when it entered at once. */
  readonly entry: Promise<unknown> | null
  readonly answer: Promise<CommitResult>
}

export function makeCommitQueue({ commitBatch, lanes = 2, batch = 48 }: CommitQueueOptions): CommitQueue {
  const all = Array.from({ length: lanes }, (): Lane => ({ waiting: [], busy: false }))
  const last = new Map<string, PendingChange>()

  const drain = async (lane: Lane): Promise<void> => {
    lane.busy = true
    // Callers resumed by one batch send their next changes one after the other; without the wait the first would go
    // alone.
    for (await nextTurn(); lane.waiting.length > 0; ) {
      await commitInBatches(commitBatch, lane.waiting.splice(0, batch))
    }
    lane.busy = false
  }
  const send = (lane: Lane, change: Change): Promise<CommitResult> =>
    new Promise((resolve, reject) => {
      lane.waiting.push({ change, resolve, reject })
      if (!lane.busy) void drain(lane)
    })

  // A migration names two hosts, so no fixed partition of hosts preserves the order of both. A change therefore enters
  // the lane of the last change of one of its hosts, once the changes of its other hosts have left their lanes.
  // Overtaking would cause a conflict for it and for all changes decided on it, which halves the throughput of a fleet.
  const commit = (change: Change): Promise<CommitResult> => {
    const hosts = hostsOf(change)
    const before = [...new Set(hosts.flatMap((host) => last.get(host) ?? []))]
    const lane = before[0]?.lane ?? (all[laneOf(change, lanes)] as Lane)
    const awaited = before.flatMap((each) => (each.lane === lane ? (each.entry ?? []) : each.answer))
    const entry = awaited.length > 0 ? Promise.allSettled(awaited) : null
    const answer = entry === null ? send(lane, change) : entry.then(() => send(lane, change))
    const pending: PendingChange = { lane, entry, answer }
    for (const host of hosts) last.set(host, pending)
    const leave = () => {
      for (const host of hosts) if (last.get(host) === pending) last.delete(host)
    }
    answer.then(leave, leave)
    return answer
  }
  return { commit }
}

function hostsOf({ guards, writes }: Change): readonly string[] {
  const taken = writes.flatMap((write) => (write.do === 'take' ? [write.plan.host as string] : []))
  return [...new Set([...taken, ...guards.providers.map(({ provider }) => provider)])]
}

/** Settles every waiting caller. */
async function commitInBatches(
  commitBatch: CommitQueueOptions['commitBatch'],
  waiting: readonly QueuedChange[],
): Promise<void> {
  for (const batch of inBatches(waiting)) {
    for (const each of await commitTogether(commitBatch, withBasis(batch))) await commitInBatches(commitBatch, [each])
    await nextTurn() // until the projection knows what was not committed
  }
}

/**
 * Rejects changes that were decided on an uncommitted change, because another one may have raised the same generation.
 */
function withBasis(batch: readonly QueuedChange[]): readonly QueuedChange[] {
  return batch.filter(({ change, resolve }) => {
    const conflict = lostBasis(change)
    if (conflict) resolve({ ok: false, conflict })
    return conflict === null
  })
}

/** Sends and answers the changes that must go alone. */
async function commitTogether(
  commitBatch: CommitQueueOptions['commitBatch'],
  batch: readonly QueuedChange[],
): Promise<readonly QueuedChange[]> {
  if (batch.length === 0) return []
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

/**
 * Migrations share the first lane, because they are written together and a larger batch costs less per change. Other
 * changes go by the host that they claim on, else by the first named provider, else by the subject.
 */
function laneOf({ guards, writes, event }: Change, lanes: number): number {
  if (event.migration !== null) return 0
  const take = writes.find((write) => write.do === 'take')
  const key = take?.plan.host ?? guards.providers[0]?.provider ?? guards.instance?.id ?? ''
  return Number.parseInt(key.slice(0, 7), 16) % lanes || 0
}
