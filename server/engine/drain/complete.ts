import type { DrainGuest } from './ask'
import { boardKey, placeOf } from './board'
import type { Desk } from './desk'
import { type Course, still, went } from './step'

// Tries everything: every guest that may move to every host that takes it, from every position that can be reached.
// Positions seen before are not entered again, so on a small fleet the search ends, and then its no is a proof.

export interface Searched {
  /** With the fewest guests left, then the fewest moves. */
  readonly best: Course
  /** True when nothing could be better: all left, or nothing is left untried. */
  readonly exhausted: boolean
}

/** Finds the shortest plan: positions are looked at in the order of moves made plus guests left. */
export function searchAll(desk: Desk, start: Course, leaving: readonly DrainGuest[]): Searched {
  const queue = makeQueue()
  const seen = new Set([boardKey(start.board)])
  let best = { course: start, left: countLeft(desk, start, leaving) }
  queue.add(start, best.left)
  if (best.left === 0) return { best: start, exhausted: true }
  for (let course = queue.next(); course; course = queue.next()) {
    for (const next of movesFrom(desk, course, leaving)) {
      const key = boardKey(next.board)
      if (seen.has(key)) continue
      seen.add(key)
      const left = countLeft(desk, next, leaving)
      if (left < best.left) best = { course: next, left }
      if (left === 0) return { best: next, exhausted: true }
      queue.add(next, next.steps.length + left)
    }
    if (desk.asked() >= desk.ask.steps) return { best: best.course, exhausted: false }
  }
  return { best: best.course, exhausted: true }
}

function countLeft(desk: Desk, { board }: Course, leaving: readonly DrainGuest[]): number {
  return leaving.filter((guest) => placeOf(board, guest.instance.id) === desk.ask.host).length
}

function* movesFrom(desk: Desk, course: Course, leaving: readonly DrainGuest[]): Generator<Course> {
  const movers = desk.ask.others ? [...leaving, ...othersThan(desk, leaving)] : still(desk, course.board)
  for (const guest of movers) {
    const options = desk.options(course.board, guest, { every: true })
    const fits = new Set(options.map(({ host }) => host.id)).size
    for (const option of options) yield went(course, guest, { option, fits })
  }
}

function othersThan(desk: Desk, leaving: readonly DrainGuest[]): readonly DrainGuest[] {
  return desk.ask.guests.filter((guest) => !leaving.includes(guest) && guest.instance.host !== desk.ask.host)
}

interface Queue {
  add(course: Course, cost: number): void
  next(): Course | undefined
}

/** First in, first out among equals, so that the same question finds the same plan. */
function makeQueue(): Queue {
  const lines = new Map<number, { readonly courses: Course[]; from: number }>()
  return {
    add: (course, cost) => {
      const line = lines.get(cost) ?? { courses: [], from: 0 }
      lines.set(cost, line)
      line.courses.push(course)
    },
    next: () => {
      const cost = Math.min(...lines.keys())
      const line = lines.get(cost)
      const course = line?.courses[line.from++]
      if (line && line.from >= line.courses.length) lines.delete(cost)
      return course
    },
  }
}
