// Problems of an import. A row with an error is skipped and changes nothing; all other rows are imported.

export interface ImportIssue {
  /** The file, and the line or element in it: `nodes.csv line 12`, `capabilities.xml NUMA node 8`. */
  readonly where: string
  readonly what: string
  /** How to correct it. */
  readonly fix: string
  /** A row with a note is imported; a row with an error is skipped. */
  readonly level: 'error' | 'note'
}

export type ImportResult<T> = { readonly value: T | null; readonly issues: readonly ImportIssue[] }

export const problem = (where: string, what: string, fix: string): ImportIssue => ({ where, what, fix, level: 'error' })
export const issueNote = (where: string, what: string, fix: string): ImportIssue => ({
  where,
  what,
  fix,
  level: 'note',
})
