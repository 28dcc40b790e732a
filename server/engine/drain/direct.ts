import type { OptionFinder } from './options'
import type { DrainInstance } from './plan'
import { addStep, type MoveSequence } from './step'

// The simple plan: every instance goes where the scheduler would send it, and those with the fewest possible hosts go
// first, because the others still have alternatives.

export function placeDirectly(
  finder: OptionFinder,
  start: MoveSequence,
  guests: readonly DrainInstance[],
): MoveSequence {
  let course = start
  let waiting = hardestFirst(finder, start, guests)
  // An instance without a host may find one when a member of its group has moved.
  for (let placed = true; placed && waiting.length > 0; ) {
    const stuck: DrainInstance[] = []
    for (const guest of waiting) {
      const options = finder.options(course.placements, guest)
      const [best] = options
      if (best) course = addStep(course, guest, { option: best, fits: options.length })
      else stuck.push(guest)
    }
    placed = stuck.length < waiting.length
    waiting = stuck
  }
  return course
}

function hardestFirst(
  finder: OptionFinder,
  { placements }: MoveSequence,
  guests: readonly DrainInstance[],
): readonly DrainInstance[] {
  const places = new Map(guests.map((guest) => [guest, finder.options(placements, guest).length]))
  return guests.toSorted(
    (a, b) =>
      b.priority - a.priority ||
      (places.get(a) ?? 0) - (places.get(b) ?? 0) ||
      b.instance.flavor.memoryMib - a.instance.flavor.memoryMib ||
      (a.instance.id < b.instance.id ? -1 : 1),
  )
}
