import type { InParts } from '../engine/in-parts'

// Long work shares one thread with people, moves and streams. It is done in turns, and between any two turns the process
// hears its sockets: Node runs all immediates that are due before it does, so ten calculations that each asked for an
// immediate would stand in the way together for ten turns. Here they stand in line, one for each round of the loop.

/** How long one turn may be. */
const TURN_MS = 15

const line: (() => void)[] = []

function next(): void {
  line.shift()?.()
  if (line.length > 0) setImmediate(next)
}

/** Waits until whoever else is due has had the thread. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve)
    if (line.length === 1) setImmediate(next)
  })
}

/** Runs all parts in turns; `pause` waits for each next turn, and may end the work by throwing. */
export async function inTurns<T>(parts: InParts<T>, pause: () => Promise<void> = nextTurn): Promise<T> {
  let began = performance.now()
  for (;;) {
    const { done, value } = parts.next()
    if (done) return value
    if (performance.now() - began < TURN_MS) continue
    await pause()
    began = performance.now()
  }
}
