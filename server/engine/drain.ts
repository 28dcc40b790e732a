import type { DrainAsk, DrainGuest, DrainPlan, Proof } from './drain/ask'
import { boardOf, placeOf } from './drain/board'
import { searchAll } from './drain/complete'
import { type Desk, makeDesk } from './drain/desk'
import { placeDirectly } from './drain/direct'
import { isHopeless, leftOf, takesClaims } from './drain/left'
import { placeWithRoom } from './drain/make-room'
import { type Course, still } from './drain/step'
import { movesOf } from './drain/waves'

// Empties a host on paper. Every placement is a `decide` on the position that the moves before it have made (I7), so
// whoever carries the plan out in its order, on the hosts it was made for, succeeds.

export type { DrainAsk, DrainGuest, DrainMove, DrainPlan, Left, SmallestChange } from './drain/ask'

/**
 * Moves for as many guests as can leave, in an order in which each fits when its turn comes, and for each other guest
 * why it stays. Deterministic; ends after about `ask.steps` questions.
 */
export function planDrain(ask: DrainAsk): DrainPlan {
  const desk = makeDesk(ask)
  const start: Course = { board: boardOf(ask), steps: [] }
  const movable = desk.leaving.filter((guest) => desk.methods(start.board, guest).length > 0)
  const { course, proof } = findCourse(desk, start, movable)
  const left = still(desk, course.board).map((guest) => leftOf(desk, course.board, { guest, proof: proof(guest) }))
  return { moves: movesOf(desk, start.board, course.steps), left, asked: desk.asked() }
}

interface ProvenCourse {
  readonly course: Course
  readonly proof: (guest: DrainGuest) => Proof
}

function findCourse(desk: Desk, start: Course, movable: readonly DrainGuest[]): ProvenCourse {
  const direct = placeDirectly(desk, start, movable)
  const done = (course: Course) => leftIn(desk, course, movable).length === 0
  if (done(direct)) return { course: direct, proof: () => 'bounded' }
  const roomier = desk.ask.others ? withRoom(desk, direct, movable) : direct
  if (done(roomier) || !isSmall(desk)) return { course: roomier, proof: (guest) => fewer(desk, start, guest) }
  // Who no host at all would take would only keep the search from ending.
  const hopeful = movable.filter((guest) => !isHopeless(desk, start.board, { guest, among: takesClaims }))
  const { best, exhausted } = searchAll(desk, start, hopeful)
  const better = leftIn(desk, best, movable).length < leftIn(desk, roomier, movable).length ? best : roomier
  return { course: better, proof: (guest) => (exhausted ? 'exhaustive' : fewer(desk, start, guest)) }
}

const leftIn = (desk: Desk, course: Course, movable: readonly DrainGuest[]) =>
  still(desk, course.board).filter((guest) => movable.includes(guest))

function withRoom(desk: Desk, direct: Course, movable: readonly DrainGuest[]): Course {
  let course = direct
  for (const guest of leftIn(desk, direct, movable)) {
    // Who stepped aside for an earlier one may have made room for this one too.
    const plain = placeDirectly(desk, course, [guest])
    course = plain !== course ? plain : (placeWithRoom(desk, course, guest) ?? course)
  }
  return course
}

/** Whether trying everything has a chance to end: one look at every guest and host must be a small part of the bound. */
function isSmall({ ask, leaving }: Desk): boolean {
  const movers = ask.others ? ask.guests.length : leaving.length
  return movers * ask.hosts.length * PART_OF_BOUND <= ask.steps
}

const PART_OF_BOUND = 20

// When nobody else may move, no host gets emptier while the plan goes on: a no of all hosts at the start is a no for
// good. A group's rule or a sharing provider may change that, and then nothing is claimed.
function fewer(desk: Desk, { board }: Course, guest: DrainGuest): Proof {
  if (desk.ask.others || guest.instance.group !== null || board.base.sharers.size > 0) return 'bounded'
  return placeOf(board, guest.instance.id) !== null && desk.options(board, guest).length === 0
    ? 'exhaustive'
    : 'bounded'
}
