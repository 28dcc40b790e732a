import type { OptionFinder } from './options'
import { placementsKey, placeOf } from './placements'
import type { DrainInstance } from './plan'
import { addStep, instancesLeftOnHost, type MigrationSequence } from './step'

// Exhaustive search: every permitted migration to every host that fits, from every reachable position. Each position is
// entered once, so on a small fleet the search ends, and its refusal is a proof.

export interface SearchResult {
  /** With the fewest instances left, then the fewest migrations. */
  readonly best: MigrationSequence
  /** True when no better plan exists: all instances left, or everything was tried. */
  readonly exhausted: boolean
}

/** Finds the shortest plan: visits positions in the order of migrations made plus instances left. */
export function searchAll(
  finder: OptionFinder,
  start: MigrationSequence,
  leaving: readonly DrainInstance[],
): SearchResult {
  const queue = makeQueue()
  const seen = new Set([placementsKey(start.placements)])
  let best = { course: start, left: countLeft(finder, start, leaving) }
  queue.add(start, best.left)
  if (best.left === 0) return { best: start, exhausted: true }
  for (let course = queue.next(); course; course = queue.next()) {
    for (const next of migrationsFrom(finder, course, leaving)) {
      const key = placementsKey(next.placements)
      if (seen.has(key)) continue
      seen.add(key)
      const left = countLeft(finder, next, leaving)
      if (left < best.left) best = { course: next, left }
      if (left === 0) return { best: next, exhausted: true }
      queue.add(next, next.steps.length + left)
    }
    if (finder.decisionCount() >= finder.input.steps) return { best: best.course, exhausted: false }
  }
  return { best: best.course, exhausted: true }
}

function countLeft(finder: OptionFinder, { placements }: MigrationSequence, leaving: readonly DrainInstance[]): number {
  return leaving.filter((instance) => placeOf(placements, instance.record.id) === finder.input.host).length
}

function* migrationsFrom(
  finder: OptionFinder,
  course: MigrationSequence,
  leaving: readonly DrainInstance[],
): Generator<MigrationSequence> {
  const movers = finder.input.helpersAllowed
    ? [...leaving, ...othersThan(finder, leaving)]
    : instancesLeftOnHost(finder, course.placements)
  for (const instance of movers) {
    const options = finder.options(course.placements, instance, { every: true })
    const fits = new Set(options.map(({ host }) => host.id)).size
    for (const option of options) yield addStep(course, instance, { option, fits })
  }
}

function othersThan(finder: OptionFinder, leaving: readonly DrainInstance[]): readonly DrainInstance[] {
  return finder.input.instances.filter(
    (instance) => !leaving.includes(instance) && instance.record.host !== finder.input.host,
  )
}

interface Queue {
  add(course: MigrationSequence, cost: number): void
  next(): MigrationSequence | undefined
}

/** First in, first out among equals, so that the same request finds the same plan. */
function makeQueue(): Queue {
  const lines = new Map<number, { readonly courses: MigrationSequence[]; from: number }>()
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
