// PostgreSQL accepts neither NUL nor half of a surrogate pair, in text and in JSON. Input is checked once, here, so
// that no statement has to fail on it.

const DEPTH_MAX = 64
/** With the flag `u` a whole pair is one character, and none of these. */
const HALF_PAIR = /\p{Surrogate}/u

interface Step {
  readonly value: unknown
  readonly at: string
  readonly depth: number
}

export interface Unstorable {
  /** Where in the value: `shape.extraSpecs.0`; empty for the value itself. */
  readonly at: string
  readonly why: string
}

/** The first string in a parsed JSON value that cannot be stored; null when all can. Deep values cost no stack. */
export function findUnstorable(root: unknown): Unstorable | null {
  const open: Step[] = [{ value: root, at: '', depth: 0 }]
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { value, at, depth } = step
    if (typeof value === 'string') {
      const why = storableProblem(value)
      if (why !== null) return { at, why }
    }
    if (typeof value !== 'object' || value === null) continue
    if (depth === DEPTH_MAX) return { at: at.slice(0, 100), why: `expected at most ${DEPTH_MAX} levels` }
    for (const [key, inner] of Object.entries(value)) {
      const why = storableProblem(key)
      if (why !== null) return { at, why }
      open.push({ value: inner, at: at === '' ? key : `${at}.${key}`, depth: depth + 1 })
    }
  }
  return null
}

function storableProblem(text: string): string | null {
  if (text.includes('\0')) return 'expected text without the character NUL'
  return HALF_PAIR.test(text) ? 'expected text that is Unicode, without half of a surrogate pair' : null
}
