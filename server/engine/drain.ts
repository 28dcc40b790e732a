import type { DrainGuest, DrainInput, DrainPlan, Proof } from './drain/ask'
import { searchAll } from './drain/complete'
import { placeDirectly } from './drain/direct'
import { isHopeless, leftOf } from './drain/left'
import { placeWithRoom } from './drain/make-room'
import { makeOptionFinder, type OptionFinder, takesClaims } from './drain/options'
import { placementsOf, placeOf } from './drain/placements'
import { type MoveSequence, still } from './drain/step'
import { movesOf } from './drain/waves'

// Plans how to empty a host. Every placement is a `decide` on the position after the preceding moves (I7), so carrying
// out the plan in order, on the hosts it was made for, succeeds.

export type { DrainGuest, DrainInput, DrainMove, DrainPlan, RemainingInstance, SmallestChange } from './drain/ask'

/**
 * Moves for as many instances as can leave, in an order in which each fits at its turn, and the reason for each one
 * that stays. Deterministic; ends after about `ask.steps` decisions.
 */
export function planDrain(ask: DrainInput): DrainPlan {
  const finder = makeOptionFinder(ask)
  const start: MoveSequence = { placements: placementsOf(ask), steps: [] }
  const movable = finder.leaving.filter((guest) => finder.methods(start.placements, guest).length > 0)
  const { course, proof } = findCourse(finder, start, movable)
  const left = still(finder, course.placements).map((guest) =>
    leftOf(finder, course.placements, { guest, proof: proof(guest) }),
  )
  return { moves: movesOf(finder, start.placements, course.steps), left, asked: finder.asked() }
}

interface ProvenCourse {
  readonly course: MoveSequence
  readonly proof: (guest: DrainGuest) => Proof
}

function findCourse(finder: OptionFinder, start: MoveSequence, movable: readonly DrainGuest[]): ProvenCourse {
  const direct = placeDirectly(finder, start, movable)
  const done = (course: MoveSequence) => leftIn(finder, course, movable).length === 0
  if (done(direct)) return { course: direct, proof: () => 'bounded' }
  const roomier = finder.ask.others ? withRoom(finder, direct, movable) : direct
  if (done(roomier) || !isSmall(finder)) return { course: roomier, proof: (guest) => fewer(finder, start, guest) }
  // An instance that no host could ever take would only prolong the search.
  const hopeful = movable.filter((guest) => !isHopeless(finder, start.placements, { guest, among: takesClaims }))
  const { best, exhausted } = searchAll(finder, start, hopeful)
  const better = leftIn(finder, best, movable).length < leftIn(finder, roomier, movable).length ? best : roomier
  return { course: better, proof: (guest) => (exhausted ? 'exhaustive' : fewer(finder, start, guest)) }
}

const leftIn = (finder: OptionFinder, course: MoveSequence, movable: readonly DrainGuest[]) =>
  still(finder, course.placements).filter((guest) => movable.includes(guest))

function withRoom(finder: OptionFinder, direct: MoveSequence, movable: readonly DrainGuest[]): MoveSequence {
  let course = direct
  for (const guest of leftIn(finder, direct, movable)) {
    // Moves made for an earlier instance may have made room for this one too.
    const plain = placeDirectly(finder, course, [guest])
    course = plain !== course ? plain : (placeWithRoom(finder, course, guest) ?? course)
  }
  return course
}

/** Whether an exhaustive search can finish: one pass over every guest and host must be a small part of the bound. */
function isSmall({ ask, leaving }: OptionFinder): boolean {
  const movers = ask.others ? ask.guests.length : leaving.length
  return movers * ask.hosts.length * PART_OF_BOUND <= ask.steps
}

const PART_OF_BOUND = 20

// When no other guest may move, no host gets emptier during the plan: a refusal by all hosts at the start is final. A
// group's rule or a sharing provider may change that, so then nothing is proven.
function fewer(finder: OptionFinder, { placements }: MoveSequence, guest: DrainGuest): Proof {
  if (finder.ask.others || guest.instance.group !== null || placements.base.sharers.size > 0) return 'bounded'
  return placeOf(placements, guest.instance.id) !== null && finder.options(placements, guest).length === 0
    ? 'exhaustive'
    : 'bounded'
}
