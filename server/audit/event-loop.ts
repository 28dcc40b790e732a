import type { Interruptible } from '../engine/interruptible'

// Long work shares one thread with requests, migrations and streams. It is split into turns, and between any two turns
// the process serves its sockets: Node runs all due immediates before it does, so ten calculations that each scheduled
// an immediate would together block it for ten turns. Here they queue, one per round of the loop.

/** Maximum duration of one turn. */
const TURN_MS = 15

const line: (() => void)[] = []

function next(): void {
  line.shift()?.()
  if (line.length > 0) setImmediate(next)
}

/** Yields to other due work. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve)
    if (line.length === 1) setImmediate(next)
  })
}

/** Runs all parts in slices; `pause` waits for each next slice, and may end the work by throwing. */
export async function runInSlices<T>(
  parts: Interruptible<T>,
  pause: () => Promise<void> = yieldToEventLoop,
): Promise<T> {
  let began = performance.now()
  for (;;) {
    const { done, value } = parts.next()
    if (done) return value
    if (performance.now() - began < TURN_MS) continue
    await pause()
    began = performance.now()
  }
}
