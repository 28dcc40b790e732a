import { counted } from '../ledger/grouped'
import type { Refusal } from '../words/refusal'
import type { RefusalCounts } from './plan'

/** One list of refusals per host; the rule that most hosts refuse by comes first. */
export function refusingOf(hosts: readonly (readonly Refusal[])[]): RefusalCounts {
  const counts = counted(hosts.flatMap((refusals) => [...new Set(refusals.map(({ kind }) => kind))]))
  const rules = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return { of: hosts.length, rules: rules.map(([rule, count]) => ({ rule, hosts: count })) }
}
