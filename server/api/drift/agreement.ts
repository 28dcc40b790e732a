/**
 * Whether the columns of a row agree. found: no known value differs, and a finding about it is open, such as one of its
 * host. unknown: nothing differs, and not every column is known.
 */
export type Agreement = 'agree' | 'differ' | 'found' | 'unknown'

// Whether the columns of a row agree depends only on their values: an unknown value never agrees, and a row with an
// open finding does not count as one that agrees.

/** The value of each column for one subject; null: shown as unknown. Columns without a value for it are omitted. */
export type ColumnValues = readonly (string | null)[]

/** The columns are compared for each of `subjects`, such as the host and the power of an instance. */
export function agreementOf(subjects: readonly ColumnValues[], findings: readonly unknown[]): Agreement {
  if (subjects.some((reported) => new Set(reported.filter((value) => value !== null)).size > 1)) return 'differ'
  if (findings.length > 0) return 'found'
  return subjects.some((reported) => reported.includes(null)) ? 'unknown' : 'agree'
}

const ORDER: readonly Agreement[] = ['differ', 'found', 'unknown', 'agree']

/** Differences first. */
export const byAgreement = (a: { agreement: Agreement }, b: { agreement: Agreement }): number =>
  ORDER.indexOf(a.agreement) - ORDER.indexOf(b.agreement)
