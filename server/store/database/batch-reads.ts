import { setImmediate as nextTurn } from 'node:timers/promises'

/** Answers one query; queries that arrive while a read is under way are batched into the next one. */
export type BatchedQuery<Q, A> = (question: Q) => Promise<A | null>

interface PendingQuery<Q, A> {
  readonly question: Q
  resolve(answer: A | null): void
  reject(error: unknown): void
}

/**
 * Concurrent reads cost one round trip each; batched they cost one for all. A query is never answered by a read that
 * began before it, so each answer includes all that was committed before.
 *
 * @param most queries in one batch
 * @param ask answers different queries; those it leaves out are answered null
 */
export function batchReads<Q, A>(
  most: number,
  ask: (questions: readonly Q[]) => Promise<ReadonlyMap<Q, A>>,
): BatchedQuery<Q, A> {
  let waiting: PendingQuery<Q, A>[] = []
  let isAsking = false

  const send = async () => {
    isAsking = true
    // Callers resumed by one batch query again one after the other; without the wait the first would go alone.
    for (await nextTurn(); waiting.length > 0; await nextTurn()) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const answers = await ask([...new Set(batch.map(({ question }) => question))])
        for (const { question, resolve } of batch) resolve(answers.get(question) ?? null)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isAsking = false
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (!isAsking) void send()
    })
}
