// What an import left out, or took and noted. A row with an error changes nothing; all other rows are imported.

export interface ImportIssue {
  /** File and line, or file and element: `nodes.csv line 12`, `capabilities.xml NUMA node 8`. */
  readonly where: string
  readonly what: string
  /** What the person can do. */
  readonly fix: string
  /** A note is told and taken; an error leaves its row out. */
  readonly level: 'error' | 'note'
}

export type ImportResult<T> = { readonly value: T | null; readonly issues: readonly ImportIssue[] }

export const problem = (where: string, what: string, fix: string): ImportIssue => ({ where, what, fix, level: 'error' })
export const remark = (where: string, what: string, fix: string): ImportIssue => ({ where, what, fix, level: 'note' })
