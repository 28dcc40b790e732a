import { edgesBy } from './graph'
import type { Source } from './source'

// Files that import each other in a circle cannot be read, tested or loaded one without the other. Types are erased, so
// a circle through `import type` is no circle: an engine's types may name each other, its code may not.

/** Each circle as the files on it, in the order in which they import each other. */
export function circlesIn(sources: readonly Source[]): readonly (readonly string[])[] {
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
