import path from 'node:path'
import { edgesBy } from './graph'
import { LIMITS, TEST_FILE } from './law'
import type { Source } from './source'

// The division into files and folders: a concept has one file until it has two subjects, and a folder has few enough
// files to be read as a list.

/** H2: small files that only one file of the same folder imports and that belong in it, as `part → whole`. */
export function smallNeighbours(sources: readonly Source[]): readonly string[] {
  const importers = edgesBy('to', sources)
  const byPath = new Map(sources.map((source) => [source.path, source]))
  return sources.flatMap((part) => {
    if (part.lines > LIMITS.neighbour || TEST_FILE.test(part.path)) return []
    const [only, ...others] = importers.get(part.path) ?? []
    const whole = only && !only.lazy && others.length === 0 ? byPath.get(only.from) : undefined
    if (!whole || TEST_FILE.test(whole.path) || path.dirname(whole.path) !== path.dirname(part.path)) return []
    return whole.lines + part.lines <= softLimitOf(whole.path) ? [`${part.path} → ${whole.path}`] : []
  })
}

/** H3: folders with more files than can be read as a list. Tests are beside what they test and do not count. */
export function crowdedFolders(files: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    if (TEST_FILE.test(file)) continue
    const folder = path.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) => (count > LIMITS.folder ? [`${folder} has ${count} files`] : []))
}

const softLimitOf = (file: string) =>
  file.startsWith('components/') && file.endsWith('.tsx') ? LIMITS.component.soft : LIMITS.file.soft
