/** Answers one question; questions that come while an answer is under way are asked together, in one go after it. */
export type Asker<Q, A> = (question: Q) => Promise<A | null>

interface Waiting<Q, A> {
  readonly question: Q
  resolve(answer: A | null): void
  reject(error: unknown): void
}

/**
 * Reads that many clients ask at once cost one round trip each; together they cost one for all. Nobody is answered by a
 * look that began before the question, so each answer holds all that was committed before it was asked.
 *
 * @param most questions in one go
 * @param ask answers different questions; those it leaves out are answered null
 */
export function batchReads<Q, A>(
  most: number,
  ask: (questions: readonly Q[]) => Promise<ReadonlyMap<Q, A>>,
): Asker<Q, A> {
  let waiting: Waiting<Q, A>[] = []
  let isAsking = false

  const send = async () => {
    isAsking = true
    while (waiting.length > 0) {
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
