import type { OptionFinder } from './options'
import type { DrainInstance } from './plan'
import { addStep, type MigrationSequence } from './step'

// The simple plan: every instance goes where the scheduler would send it, and those with the fewest possible hosts go
// first, because the others still have alternatives.

export function placeDirectly(
  finder: OptionFinder,
  start: MigrationSequence,
  instances: readonly DrainInstance[],
): MigrationSequence {
  let course = start
  let waiting = hardestFirst(finder, start, instances)
  // An instance without a host may find one when a member of its group has moved.
  for (let placed = true; placed && waiting.length > 0; ) {
    const stuck: DrainInstance[] = []
    for (const instance of waiting) {
      const options = finder.options(course.placements, instance)
      const [best] = options
      if (best) course = addStep(course, instance, { option: best, fits: options.length })
      else stuck.push(instance)
    }
    placed = stuck.length < waiting.length
    waiting = stuck
  }
  return course
}

function hardestFirst(
  finder: OptionFinder,
  { placements }: MigrationSequence,
  instances: readonly DrainInstance[],
): readonly DrainInstance[] {
  const places = new Map(instances.map((instance) => [instance, finder.options(placements, instance).length]))
  return instances.toSorted(
    (a, b) =>
      b.priority - a.priority ||
      (places.get(a) ?? 0) - (places.get(b) ?? 0) ||
      b.record.flavor.memoryMib - a.record.flavor.memoryMib ||
      (a.record.id < b.record.id ? -1 : 1),
  )
}
