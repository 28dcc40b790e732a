// A browser opens six connections to a server that speaks HTTP/1.1, all its tabs together. A stream keeps one for as
// long as its tab is open, and the seventh tab would wait for ever. Tabs that get no turn ask every two seconds.

/** Two connections stay free for questions. */
export const STREAMS = 4

type Locks = Pick<LockManager, 'request'>

/**
 * How to give the turn back; null while other tabs of this browser hold them all. The browser gives back what a closed
 * or crashed tab held. It counts on origins it trusts only; on others nobody counts, and everybody has a turn.
 */
export async function takeTurn(locks: Locks | undefined = navigator.locks): Promise<(() => void) | null> {
  if (!locks) return () => {}
  for (let n = 1; n <= STREAMS; n++) {
    const giveBack = await hold(locks, `berth-stream-${n}`)
    if (giveBack) return giveBack
  }
  return null
}

const hold = (locks: Locks, name: string) =>
  new Promise<(() => void) | null>((resolve) => {
    const held = locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) return resolve(null)
      return new Promise<void>((giveBack) => resolve(giveBack))
    })
    // A browser that refuses to count is as one that cannot.
    held.catch(() => resolve(() => {}))
  })
