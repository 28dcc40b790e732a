import type { FixView } from '@/server/api/explain/fix'
import type { ExplainHost, ExplainNearestView } from '@/server/api/explain/router'

/** awaited: search running. unsearched: too many hosts to search, or the search failed; query that host alone. */
export type FixShown = FixView | { readonly is: 'awaited' | 'unsearched' }

/** A host of the matrix. Which instances must leave arrives after the verdicts; null if the request fits as it is. */
export interface MatrixRow extends Omit<ExplainHost, 'fix'> {
  readonly fix: FixShown | null
}

const AWAITED = { is: 'awaited' } as const
const UNSEARCHED = { is: 'unsearched' } as const

export function withFixes(
  hosts: readonly ExplainHost[],
  { data, isError }: { readonly data: ExplainNearestView | undefined; readonly isError: boolean },
): readonly MatrixRow[] {
  const missing = data || isError ? UNSEARCHED : AWAITED
  return hosts.map((row) => ({
    ...row,
    fix: row.verdict === 'refused' ? (row.fix ?? data?.fixes?.[row.host.id] ?? missing) : null,
  }))
}

/** The number of changes; `least` while it is unknown which instances must leave. Null if there is no fix. */
export function changesOf({ fix, changes }: MatrixRow): { readonly n: number; readonly least: boolean } | null {
  if (fix?.is === 'none' || changes === null) return null
  return fix?.is === 'found' ? { n: fix.steps.length, least: false } : { n: changes, least: fix !== null }
}
