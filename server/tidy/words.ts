import { sources } from './house'
import type { Occurrence, Source } from './source'

// Prints all texts that people read, for review: `npm run words -- [screen|names|comments|tests] [PATH]`.

const isTest = (path: string) => /\.(test|spec|contract)\.tsx?$/.test(path)
const isCatalogue = (path: string) =>
  (path.startsWith('components/') && /(\/words|^components\/runbook\/\w+)\.ts$/.test(path)) || path.startsWith('lists/')
/** Rooms whose texts reach the screen, a log or a client. */
const SPEAKING = /^server\/(engine|api|audit|store|conductor|auth|import|cli|boot|drivers)\//
const SENTENCE = /\p{L}{2,} \p{L}|\{\} \p{L}{2,}|\p{L}{2,} \{\}/u
const SQL =
  /\b(select|insert into|update|delete from|where|returning|from|join|unnest|coalesce)\b[\s\S]*\b(from|set|where|values|as|on|select|and|order by)\b/i

/** The sentences of a file that people may read; not those of tests, and not SQL. */
export function shownTexts({ path, texts }: Source): readonly Occurrence[] {
  if (path.startsWith('lists/')) return texts.filter(({ name }) => !/^[a-z-]+$/.test(name)) // ids and values
  if (isCatalogue(path)) return texts
  if (!SPEAKING.test(path) || isTest(path) || path.includes('/testing/')) return []
  return texts.filter(({ name }) => SENTENCE.test(name) && !SQL.test(name))
}

const PARTS: Readonly<Record<string, (source: Source) => readonly Occurrence[]>> = {
  screen: shownTexts,
  names: (source) => (isTest(source.path) ? [] : [...source.exported, ...source.types]),
  comments: (source) => source.comments,
  tests: (source) => (isTest(source.path) ? source.tests : []),
}

function printWords([part = '', within = '']: readonly string[]): void {
  for (const [name, read] of Object.entries(PARTS)) {
    if (part !== '' && part !== name) continue
    console.log(`\n# ${name}`)
    for (const source of sources.filter(({ path }) => path.startsWith(within))) {
      const seen = new Set<string>()
      for (const { name: text, line } of read(source)) {
        if (seen.has(text)) continue
        seen.add(text)
        console.log(`${source.path}:${line}  ${text.replace(/\s+/g, ' ')}`)
      }
    }
  }
}

if (import.meta.filename === process.argv[1]) printWords(process.argv.slice(2))
