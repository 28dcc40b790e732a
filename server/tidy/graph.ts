import path from 'node:path'
import type { Source } from './source'

/** An import between two files. Types are erased, so only imports of values count. */
export interface Edge {
  readonly from: string
  readonly to: string
  /** Loaded when needed, so it must stay a separate file. */
  readonly lazy: boolean
}

/** The imports between files, one per pair. */
function edgesOf(sources: readonly Source[]): readonly Edge[] {
  const files = new Map(sources.map((source) => [withoutEnding(source.path), source.path]))
  return sources.flatMap((source) => {
    const edges = new Map<string, Edge>()
    for (const { from, typeOnly, lazy } of source.imports) {
      const to = typeOnly ? undefined : files.get(withoutEnding(targetOf(source, from)))
      if (to) edges.set(to, { from: source.path, to, lazy: lazy || edges.get(to)?.lazy === true })
    }
    return [...edges.values()]
  })
}

/** Edges grouped by the file at one end. */
export function edgesBy(end: 'from' | 'to', sources: readonly Source[]): ReadonlyMap<string, readonly Edge[]> {
  const groups = new Map<string, Edge[]>()
  for (const edge of edgesOf(sources)) {
    const group = groups.get(edge[end])
    if (group) group.push(edge)
    else groups.set(edge[end], [edge])
  }
  return groups
}

const withoutEnding = (file: string) => file.replace(/\.(tsx?|mjs)$/, '')

/** For a package, a path that no file has. */
function targetOf({ path: file }: Source, from: string): string {
  if (from.startsWith('@/')) return from.slice(2)
  return from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from) : `package:${from}`
}
