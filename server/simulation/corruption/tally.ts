import type { CaseReport, CorruptionReport } from './run'

// Totals: cases refused, found, repaired, left to an operator, rewritten, harmless, and unexplained.

export interface CorruptionTally {
  readonly cases: number
  /** Refused by the database. */
  readonly refused: number
  /** Named by the audit. */
  readonly found: number
  /** Of these, fixed by one repair. */
  readonly repaired: number
  /** Of these, not fixed by the repair and left to an operator. */
  readonly left: number
  /** Overwritten by the next survey, audit or relay, which writes the whole row. */
  readonly rewritten: number
  readonly harmless: number
  /** Neither refused, found, rewritten nor known to be harmless. */
  readonly unexplained: number
  /** A server that failed to start, a 5xx response, a lost domain or claim. */
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
      rewritten: count('rewritten'),
      harmless: count('harmless'),
    },
    ...{ unexplained: count('unexplained'), broken: cases.filter(({ broken }) => broken.length > 0).length },
  }
}

/** Empty if every table was tried, nothing broke and no case is unexplained. */
export function complaints({ untried, cases }: CorruptionReport): readonly string[] {
  const lines = cases.filter(isBad).map(({ mode, name, outcome, broken }) => {
    return `${mode}: ${name}: ${broken.length > 0 ? broken.slice(0, 3).join('; ') : outcome.is}`
  })
  return [...untried.map((table) => `no row of ${table} was tried`), ...lines]
}

/** Reasons for harmless cases, and columns that no repair fixes, each with its number of cases. */
export function reasons(cases: readonly CaseReport[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { outcome, name } of cases) {
    const text =
      outcome.is === 'harmless'
        ? `harmless: ${name.split(' ').slice(0, 2).join(' ')} (${outcome.why})`
        : outcome.is === 'found' && !outcome.repaired
          ? `not repaired: ${name.split(' ')[0]} (${outcome.kind})`
          : null
    if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].sort().map(([text, count]) => `${text}: ${count}`)
}
