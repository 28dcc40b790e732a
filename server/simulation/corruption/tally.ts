import type { CaseReport, CorruptionReport } from './run'

// The figure: cases, refused, found, mended by one repair, left; and everything that nobody can explain.

export interface CorruptionTally {
  readonly cases: number
  /** By the database. */
  readonly refused: number
  /** Named by the audit. */
  readonly found: number
  /** Of these, mended by one repair. */
  readonly repaired: number
  /** Of these, left for a person, who is told why. */
  readonly left: number
  /** By the next survey, audit or relay, which wrote the row whole. */
  readonly rewritten: number
  readonly harmless: number
  /** Neither refused, found nor known to be harmless. */
  readonly unexplained: number
  /** A server that failed to start, a 500 response, a lost guest or claim. */
  readonly broken: number
}

export const isBad = ({ outcome, broken }: CaseReport) => broken.length > 0 || outcome.is === 'unexplained'

export function tallyOf(cases: readonly CaseReport[]): CorruptionTally {
  const repaired = cases.filter(({ outcome }) => outcome.is === 'found' && outcome.repaired).length
  const count = (is: CaseReport['outcome']['is']) => cases.filter(({ outcome }) => outcome.is === is).length
  return {
    ...{
      cases: cases.length,
      refused: count('refused'),
      found: count('found'),
      repaired,
      left: count('found') - repaired,
      rewritten: count('mended'),
      harmless: count('harmless'),
    },
    ...{ unexplained: count('unexplained'), broken: cases.filter(({ broken }) => broken.length > 0).length },
  }
}

/** Empty when every case has come to a good end and every table was tried. */
export function complaints({ untried, cases }: CorruptionReport): readonly string[] {
  const lines = cases.filter(isBad).map(({ mode, name, outcome, broken }) => {
    return `${mode}: ${name}: ${broken.length > 0 ? broken.slice(0, 3).join('; ') : outcome.is}`
  })
  return [...untried.map((table) => `no row of ${table} was tried`), ...lines]
}

/** Why rows are harmless, and which columns no repair mends, each with how many cases. */
export function reasons(cases: readonly CaseReport[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { outcome, name } of cases) {
    const text =
      outcome.is === 'harmless'
        ? `harmless: ${name.split(' ').slice(0, 2).join(' ')} (${outcome.why})`
        : outcome.is === 'found' && !outcome.repaired
          ? `left: ${name.split(' ')[0]} (${outcome.kind})`
          : null
    if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].sort().map(([text, count]) => `${text}: ${count}`)
}
