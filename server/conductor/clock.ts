// Time as the conductor has it. The simulation runs whole fleets with the hands turned faster, in several processes
// that must agree on what time it is.

export interface Clock {
  /** Ms since the epoch. */
  now(): number
  /** Resolves after so many of its own ms, or at once when `wake` is called. */
  sleep(ms: number): { readonly done: Promise<void>; wake(): void }
}

/** `speed` 1 is the time of day. Copies made with the same `since` and `speed` agree. */
export function clock({ speed, since }: { readonly speed: number; readonly since: number }): Clock {
  return {
    now: () => Math.floor(since + (Date.now() - since) * speed),
    sleep: (ms) => {
      let wake = () => {}
      const done = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, ms / speed))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      return { done, wake: () => wake() }
    },
  }
}

export const timeOfDay = clock({ speed: 1, since: 0 })
