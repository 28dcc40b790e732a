// A browser opens six connections to an HTTP/1.1 server for all its tabs. A stream keeps one while its tab is open, so
// the seventh tab would wait forever. Tabs without a stream slot poll every two seconds.

/** Leaves two connections for queries. */
export const STREAMS = 4

type Locks = Pick<LockManager, 'request'>

/**
 * Returns the release function; null while other tabs of this browser hold all slots. The browser releases the slots of
 * closed or crashed tabs. Locks exist on trusted origins only; elsewhere every tab gets a slot.
 */
export async function acquireStreamSlot(locks: Locks | undefined = navigator.locks): Promise<(() => void) | null> {
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
    // A browser that refuses locks is treated as one without them.
    held.catch(() => resolve(() => {}))
  })
