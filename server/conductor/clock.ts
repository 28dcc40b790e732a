// The conductor's clock. The simulation runs whole fleets on a clock that goes faster, in several processes
// that must agree on what time it is.

export interface Clock {
  /** Ms since the epoch. */
  now(): number
  /** The time that leases are measured by; left out: the database measures them itself. */
  leaseTime?(): number
  /** Resolves after this many of its own ms, or as soon as `wake` is called. */
  sleep(ms: number): { readonly done: Promise<void>; wake(): void }
}

/** For simulations. `speed` 1 is the time of day. Copies made with the same `since` and `speed` agree. */
export function clock({ speed, since }: { readonly speed: number; readonly since: number }): Clock {
  const now = () => Math.floor(since + (performance.timeOrigin + performance.now() - since) * speed)
  return { now, leaseTime: now, sleep: (ms) => sleep(ms / speed) }
}

/** The time of `now`, with real waits. */
export const clockOf = ({ now }: Pick<Clock, 'now'>): Clock => ({ now, sleep })

function sleep(ms: number) {
  let wake = () => {}
  const done = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms))
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  return { done, wake: () => wake() }
}
