/**
 * Rejects when the work is not done in time. The work itself goes on: it may still take effect, as with a lost answer.
 */
export async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The same for work that can end early: its signal is aborted once nobody waits for its result. */
export async function cancelAfter<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController()
  try {
    return await withTimeout(limitMs, work(cancel.signal))
  } finally {
    cancel.abort()
  }
}
