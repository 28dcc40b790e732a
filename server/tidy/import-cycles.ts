import { edgesBy } from './graph'
import type { Source } from './source'

// Circular imports: such files cannot be read, tested or loaded without each other. Types are erased, so `import type`
// does not count: types of the engine may refer to each other in a circle, its code may not.

/** The files of each circle, in import order. */
export function importCyclesIn(sources: readonly Source[]): readonly (readonly string[])[] {
  const edges = edgesBy('from', sources)
  const circles: (readonly string[])[] = []
  const done = new Set<string>()
  const follow = (file: string, way: readonly string[]): void => {
    if (done.has(file)) return
    const at = way.indexOf(file)
    if (at >= 0) {
      circles.push(way.slice(at))
      return
    }
    for (const { to } of edges.get(file) ?? []) follow(to, [...way, file])
    done.add(file)
  }
  for (const file of edges.keys()) follow(file, [])
  return circles
}
