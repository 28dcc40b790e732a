import { migrationsOf } from './drain/batches'
import { searchAll } from './drain/complete'
import { placeDirectly } from './drain/direct'
import { placeWithRoom } from './drain/make-room'
import { makeOptionFinder, type OptionFinder, takesClaims } from './drain/options'
import { placementsOf, placeOf } from './drain/placements'
import type { DrainInput, DrainInstance, DrainPlan, Proof } from './drain/plan'
import { hasNoTarget, remainingInstance } from './drain/remaining'
import { instancesLeftOnHost, type MigrationSequence } from './drain/step'

// Plans how to empty a host. Every placement is a `decide` on the position after the preceding migrations (I7), so carrying
// out the plan in order, on the hosts it was made for, succeeds.

export type {
  DrainInput,
  DrainInstance,
  DrainMigration,
  DrainPlan,
  RemainingInstance,
  SmallestChange,
} from './drain/plan'

/**
 * Migrations for as many instances as can leave, in an order in which each fits, and the reason for each one that
 * stays. Deterministic; ends after about `ask.steps` decisions.
 */
export function planDrain(ask: DrainInput): DrainPlan {
  const finder = makeOptionFinder(ask)
  const start: MigrationSequence = { placements: placementsOf(ask), steps: [] }
  const movable = finder.leaving.filter((instance) => finder.methods(start.placements, instance).length > 0)
  const { course, proof } = findCourse(finder, start, movable)
  const remaining = instancesLeftOnHost(finder, course.placements).map((instance) =>
    remainingInstance(finder, course.placements, { instance, proof: proof(instance) }),
  )
  return {
    migrations: migrationsOf(finder, start.placements, course.steps),
    remaining,
    decisions: finder.decisionCount(),
  }
}

interface ProvenCourse {
  readonly course: MigrationSequence
  readonly proof: (instance: DrainInstance) => Proof
}

function findCourse(finder: OptionFinder, start: MigrationSequence, movable: readonly DrainInstance[]): ProvenCourse {
  const direct = placeDirectly(finder, start, movable)
  const done = (course: MigrationSequence) => leftIn(finder, course, movable).length === 0
  if (done(direct)) return { course: direct, proof: () => 'bounded' }
  const roomier = finder.input.helpersAllowed ? withRoom(finder, direct, movable) : direct
  if (done(roomier) || !isSmall(finder)) return { course: roomier, proof: (instance) => fewer(finder, start, instance) }
  // An instance that no host could ever take would only prolong the search.
  const placeable = movable.filter(
    (instance) => !hasNoTarget(finder, start.placements, { instance, among: takesClaims }),
  )
  const { best, exhausted } = searchAll(finder, start, placeable)
  const better = leftIn(finder, best, movable).length < leftIn(finder, roomier, movable).length ? best : roomier
  return { course: better, proof: (instance) => (exhausted ? 'exhaustive' : fewer(finder, start, instance)) }
}

const leftIn = (finder: OptionFinder, course: MigrationSequence, movable: readonly DrainInstance[]) =>
  instancesLeftOnHost(finder, course.placements).filter((instance) => movable.includes(instance))

function withRoom(
  finder: OptionFinder,
  direct: MigrationSequence,
  movable: readonly DrainInstance[],
): MigrationSequence {
  let course = direct
  for (const instance of leftIn(finder, direct, movable)) {
    // Migrations planned for an earlier instance may have made room for this one too.
    const plain = placeDirectly(finder, course, [instance])
    course = plain !== course ? plain : (placeWithRoom(finder, course, instance) ?? course)
  }
  return course
}

/** Whether an exhaustive search can finish: one pass over every instance and host must be a small part of the bound. */
function isSmall({ input, leaving }: OptionFinder): boolean {
  const movers = input.helpersAllowed ? input.instances.length : leaving.length
  return movers * input.hosts.length * PART_OF_BOUND <= input.steps
}

const PART_OF_BOUND = 20

// When no other instance may move, no host gets emptier during the plan: a refusal by all hosts at the start is final.
// A group's rule or a sharing provider may change that, so then nothing is proven.
function fewer(finder: OptionFinder, { placements }: MigrationSequence, instance: DrainInstance): Proof {
  if (finder.input.helpersAllowed || instance.record.group !== null || placements.base.sharers.size > 0)
    return 'bounded'
  return placeOf(placements, instance.record.id) !== null && finder.options(placements, instance).length === 0
    ? 'exhaustive'
    : 'bounded'
}
