import type { ClaimPlan } from '../claim'
import type { Operation } from '../migration/state'
import type { HostId, InstanceId } from '../words/ids'
import type { Option, OptionFinder } from './options'
import { afterMigration, type Placements, placeOf } from './placements'
import type { DrainInstance } from './plan'

/** One migration of a plan being built. */
export interface Step {
  readonly instance: InstanceId
  readonly from: HostId
  readonly to: HostId
  readonly method: Operation
  readonly plan: ClaimPlan
  /** Hosts that would have accepted it at that step. */
  readonly fits: number
}

/** Progress of a search: the migrations in order, and the placements after them. */
export interface MigrationSequence {
  readonly placements: Placements
  readonly steps: readonly Step[]
}

type ChosenOption = Pick<Step, 'fits'> & { readonly option: Option }

export function addStep(
  course: MigrationSequence,
  instance: DrainInstance,
  { option, fits }: ChosenOption,
): MigrationSequence {
  const id = instance.record.id
  const from = placeOf(course.placements, id)
  if (from === null) return course
  const step: Step = { instance: id, from, to: option.host.id, method: option.method, plan: option.plan, fits }
  return { placements: afterMigration(course.placements, id, option.plan), steps: [...course.steps, step] }
}

/** Instances that should leave and are still on the host. */
export function instancesLeftOnHost(finder: OptionFinder, placements: Placements): readonly DrainInstance[] {
  return finder.leaving.filter((instance) => placeOf(placements, instance.record.id) === finder.input.host)
}
