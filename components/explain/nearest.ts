import type { FixView } from '@/server/api/explain/fix'
import type { WhyHost, WhyNearestView } from '@/server/api/explain/router'

/** awaited: searching. unsearched: beyond the limit of searched hosts, or failed; request that host. */
export type FixShown = FixView | { readonly is: 'awaited' | 'unsearched' }

/** A host of the matrix. Which guests must leave comes after the verdicts; null when it takes the guest as it is. */
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

/** How many changes it takes; `least` while which guests must leave is not known. Null when nothing helps. */
export function changesOf({ fix, changes }: WhyRow): { readonly n: number; readonly least: boolean } | null {
  if (fix?.is === 'none' || changes === null) return null
  return fix?.is === 'found' ? { n: fix.steps.length, least: false } : { n: changes, least: fix !== null }
}
