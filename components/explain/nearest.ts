import type { FixView } from '@/server/api/explain/fix'
import type { WhyHost, WhyNearestView } from '@/server/api/explain/router'

/** awaited: search running. unsearched: too many hosts to search, or the search failed; query that host alone. */
export type FixShown = FixView | { readonly is: 'awaited' | 'unsearched' }

/** A host of the matrix. Which instances must leave arrives after the verdicts; null if the request fits as it is. */
export interface WhyRow extends Omit<WhyHost, 'fix'> {
  readonly fix: FixShown | null
}

const AWAITED = { is: 'awaited' } as const
const UNSEARCHED = { is: 'unsearched' } as const

export function withFixes(
  hosts: readonly WhyHost[],
  { data, isError }: { readonly data: WhyNearestView | undefined; readonly isError: boolean },
): readonly WhyRow[] {
  const missing = data || isError ? UNSEARCHED : AWAITED
  return hosts.map((row) => ({
    ...row,
    fix: row.verdict === 'refused' ? (row.fix ?? data?.fixes?.[row.host.id] ?? missing) : null,
  }))
}

/** The number of changes; `least` while it is unknown which instances must leave. Null if there is no fix. */
export function changesOf({ fix, changes }: WhyRow): { readonly n: number; readonly least: boolean } | null {
  if (fix?.is === 'none' || changes === null) return null
  return fix?.is === 'found' ? { n: fix.steps.length, least: false } : { n: changes, least: fix !== null }
}
