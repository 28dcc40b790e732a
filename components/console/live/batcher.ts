// Events arrive faster than responses. Events during a round wait for the next round, so a slow response is neither
// requested twice nor discarded, and no event is forgotten.

export interface BatcherOptions<T> {
  /** Waits this long for more events before a round. */
  readonly gatherMs: number
  /** After this time a round no longer delays the next. */
  readonly patienceMs: number
  /** Resolves when the round's responses have arrived. */
  readonly round: (gathered: readonly T[]) => Promise<unknown>
}

export interface Batcher<T> {
  readonly add: (item: T) => void
  readonly stop: () => void
}

export function makeBatcher<T>({ gatherMs, patienceMs, round }: BatcherOptions<T>): Batcher<T> {
  let waiting: T[] = []
  let busy = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = () => {
    if (busy || waiting.length === 0) return
    busy = true
    timer = setTimeout(async () => {
      const gathered = waiting
      waiting = []
      await Promise.race([round(gathered).catch(() => undefined), patience(patienceMs)])
      busy = false
      next()
    }, gatherMs)
  }
  return {
    add: (item) => {
      waiting.push(item)
      next()
    },
    stop: () => {
      clearTimeout(timer)
      waiting = []
      busy = false
    },
  }
}

const patience = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
