// Auditing a fleet takes longer than other work may wait for the shared thread. The engine has no clock and no
// scheduler, so a long computation is a generator: it yields where it may be suspended, and its caller decides.

export type Interruptible<T> = Generator<void, T>

/** Runs it without suspension. */
export function runToCompletion<T>(parts: Interruptible<T>): T {
  for (;;) {
    const { done, value } = parts.next()
    if (done) return value
  }
}
