// A browser opens six connections to a server that speaks HTTP/1.1, for all its tabs together. A stream occupies one
// while its tab is open, and the seventh tab would block. Tabs without a slot poll every two seconds.

/** Two connections stay free for questions. */
export const STREAMS = 4

type Locks = Pick<LockManager, 'request'>

/**
 * Releases the slot; null while other tabs of this browser hold them all. The browser releases those of a closed or
 * crashed tab. Slots exist on trusted origins only; on others every tab has one.
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
