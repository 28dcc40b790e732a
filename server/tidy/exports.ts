// Values that a file exports and no other file imports. They are parts of their file, or dead.

export interface SourceText {
  readonly path: string
  readonly text: string
}

const EXPORTED = /^export (?:async function\*?|function\*?|const|class) (\w+)/gm
/** `import { a, type B as C } from`, and the same after `export`. */
const CLAUSES = /\b(?:import|export)\s+(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\b/g
/** `await import('./a')`, whose names are anywhere in the file. */
const LAZY = /\bimport\(/
const WORDS = /[A-Za-z_$][\w$]*/g

/** As `path name`. */
export function unusedExports(files: readonly SourceText[]): readonly string[] {
  const importers = new Map<string, number>()
  for (const { text } of files) {
    for (const name of namesImported(text)) importers.set(name, (importers.get(name) ?? 0) + 1)
  }
  return files.flatMap(({ path, text }) => {
    const own = namesImported(text)
    return [...text.matchAll(EXPORTED)].flatMap(([, name = '']) =>
      (importers.get(name) ?? 0) > (own.has(name) ? 1 : 0) ? [] : [`${path} ${name}`],
    )
  })
}

function namesImported(text: string): ReadonlySet<string> {
  const clauses = [...text.matchAll(CLAUSES)].flatMap(([, names = '']) => names.match(WORDS) ?? [])
  return new Set(LAZY.test(text) ? [...clauses, ...(text.match(WORDS) ?? [])] : clauses)
}
