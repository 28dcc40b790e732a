import path from 'node:path'
import type { Source } from './source'

// Files that import each other in a circle cannot be read, tested or loaded one without the other. Types are erased, so
// a circle through `import type` is no circle: an engine's types may name each other, its code may not.

/** Each circle as the files on it, in the order in which they import each other. */
export function circlesIn(sources: readonly Source[]): readonly (readonly string[])[] {
  const files = new Map(sources.map((source) => [withoutEnding(source.path), source.path]))
  const targets = new Map(sources.map((source) => [source.path, valuesFrom(source, files)]))
  const circles: (readonly string[])[] = []
  const done = new Set<string>()
  const follow = (file: string, way: readonly string[]): void => {
    if (done.has(file)) return
    const at = way.indexOf(file)
    if (at >= 0) {
      circles.push(way.slice(at))
      return
    }
    for (const target of targets.get(file) ?? []) follow(target, [...way, file])
    done.add(file)
  }
  for (const file of targets.keys()) follow(file, [])
  return circles
}

const withoutEnding = (file: string) => file.replace(/\.(tsx?|mjs)$/, '')

function valuesFrom(source: Source, files: ReadonlyMap<string, string>): readonly string[] {
  return source.imports.flatMap(({ from, typeOnly }) => {
    if (typeOnly || !/^(\.|@\/)/.test(from)) return []
    const target = from.startsWith('@/') ? from.slice(2) : path.posix.join(path.posix.dirname(source.path), from)
    return files.get(withoutEnding(target)) ?? []
  })
}
