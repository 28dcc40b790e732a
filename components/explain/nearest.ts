import type { FixView } from '@/server/api/explain/fix'
import type { WhyHost, WhyNearestView } from '@/server/api/explain/router'

/** awaited: looked for now. unsearched: for so many hosts none is looked for, or it failed; ask for that host. */
export type FixShown = FixView | { readonly is: 'awaited' | 'unsearched' }

/** A host of the matrix. The fix comes after the verdicts; null when it takes the guest as it is. */
export interface WhyRow extends WhyHost {
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
    fix: row.verdict === 'refused' ? (data?.fixes?.[row.host.id] ?? missing) : null,
  }))
}
