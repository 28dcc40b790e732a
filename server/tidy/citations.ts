// Codes and decisions that comments and documents cite. Each must exist, so that a reader can look it up.

export interface Citation {
  readonly path: string
  readonly line: number
  readonly cited: string
}

export interface Law {
  readonly code: string
  /** The test file that checks it, and the name of the test; null: the whole file. */
  readonly file: string
  readonly test: string | null
}

/** The rows of docs/laws.md. */
export const lawsOf = (text: string): readonly Law[] =>
  [...text.matchAll(/^\| ([A-Z]\d+) \| .+ \| `([^`]+)`(?: › (.+))? \|$/gm)].map(([, code = '', file = '', test]) => ({
    code,
    file,
    test: test ?? null,
  }))

/** Whether the text of a test file has a test whose name begins with `name`. */
export function hasTest(text: string, name: string): boolean {
  const at = text.indexOf(name)
  return at > 0 && /['"`]/.test(text[at - 1] ?? '')
}

/** `L3` or `I10` in a comment; the letters are those of docs/laws.md, so that `F0` or `UTF8` cite nothing. */
export function codesCited(path: string, comments: string, letters: string): readonly Citation[] {
  return cited(path, comments, new RegExp(`(?<![\\w.&#-])[${letters}]\\d{1,2}(?![\\w-])`, 'g'))
}

/** `decision 0101`, `(0101)`, `docs/decisions/0101-…`: the four digits. */
export function decisionsCited(path: string, text: string): readonly Citation[] {
  return cited(path, text, /(?:(?<=decisions?(?: record)? )|(?<=decisions\/)|(?<=\())0\d{3}(?=[-),.; ]|$)/g)
}

const FILE = /(?<![\w@./*-])(?:[\w-]+\/|\.{1,2}\/)*[\w-][\w.-]*\.(?:tsx?|mjs|md|sql|prisma)(?![\w.])/g
const SECTION = /(?<![\w.])[A-Z]\.\d+(?![\w.])/g

/** Files of the repository by path or by the end of one, and sections such as `C` `.7`, of which it has none. */
export function textsCited(path: string, text: string): readonly Citation[] {
  return [...cited(path, text, FILE), ...cited(path, text, SECTION)]
}

const QUOTED = /`[^`\n]+`/g
const NAME = /(?<![\w-])[a-z]+[A-Z][A-Za-z0-9]*(?![\w-])/g

/** Names such as `fitCountsOf` in the backquotes of a comment. */
export function namesCited(path: string, comments: string): readonly Citation[] {
  return cited(path, comments, QUOTED).flatMap(namesIn)
}

const TITLE = /(?<=\b(?:test|it|describe)(?:\.\w+)?\(\s*)(['"`])(?:(?!\1).)*/g

/** Names such as `fitCountsOf` in the title of a test. */
export function namesInTitles(path: string, text: string): readonly Citation[] {
  return cited(path, text, TITLE).flatMap(namesIn)
}

const namesIn = (quoted: Citation): readonly Citation[] =>
  [...quoted.cited.matchAll(NAME)].map(([name]) => ({ ...quoted, cited: name }))

function cited(path: string, text: string, pattern: RegExp): readonly Citation[] {
  return text.split('\n').flatMap((line, at) => {
    return [...line.matchAll(pattern)].map(([code]) => ({ path, line: at + 1, cited: code }))
  })
}

/** The text with everything but comments blanked, so that line numbers stay the same. */
export function commentsOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text
  if (path.endsWith('.sql')) return text.replace(/^(?:(?!--).)*/gm, '')
  const kept = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*|(['"`])(?:\\.|(?!\1)[^\\\n])*\1/g
  let from = 0
  let comments = ''
  for (const { 0: match, index } of text.matchAll(kept)) {
    comments += blank(text.slice(from, index))
    comments += match.startsWith('/') ? match : blank(match)
    from = index + match.length
  }
  return comments + blank(text.slice(from))
}

const blank = (text: string) => text.replace(/[^\n]+/g, '')
