import { HypervisorError } from './errors'

/** Rejects when `work` is not done within `limitMs`; `giveUp` then cancels it. */
export async function withDeadline<T>(work: Promise<T>, limitMs: number, giveUp: (why: Error) => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const why = new HypervisorError('timed-out', `no answer within ${limitMs} ms`)
      giveUp(why)
      reject(why)
    }, limitMs)
  })
  try {
    return await Promise.race([work, passed])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs `work` on every item, at most `atOnce` at a time; results are in the order of the items. Rejects with the first
 * failure, after which it begins no further item.
 */
export async function eachAtMost<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const left = items.entries()
  let hasFailed = false
  const worker = async () => {
    for (const [at, item] of left) {
      if (hasFailed) return
      try {
        results[at] = await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
