import type { ImportIssue } from './issue'
import type { RegistrationResult } from './register'

// The report of a finished import, as lines of text.

const SHOWN_ISSUES = 20
const SHOWN_NAMES = 20

export function issueLines(issues: readonly ImportIssue[]): readonly string[] {
  const lines = issues
    .slice(0, SHOWN_ISSUES)
    .map(
      ({ level, where, what, fix }) => `${level === 'error' ? 'left out' : 'note'}  ${where}: ${what}. To do: ${fix}.`,
    )
  const hidden = issues.length - SHOWN_ISSUES
  return hidden > 0 ? [...lines, `and ${hidden} more`] : lines
}

export function reportLines(result: RegistrationResult): readonly string[] {
  const { hosts, placed, known, unplaced, lost, kept } = result
  const lines = [`hosts      ${counted(hosts.map((host) => host.did))}`]
  lines.push(`workloads  ${placed} placed, ${known} already imported, ${unplaced.length} fit on no host`)
  if (lost.length > 0) lines.push(`left out   ${lost.length} lost every race with a running Berth; import again`)
  lines.push(...keptLines('PCI aliases', kept.aliases), ...keptLines('flavors', kept.flavors))
  return unplaced.length === 0 ? lines : [...lines, ...whyNot(unplaced)]
}

function keptLines(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  const hidden = names.length - SHOWN_NAMES
  const shown = names.slice(0, SHOWN_NAMES).join(', ') + (hidden > 0 ? ` and ${hidden} more` : '')
  return [`left out   ${what} that exist with other values, and were not changed: ${shown}`]
}

/** The flavors that fit nowhere, the most frequent first, with the number of hosts that refuse them by each rule. */
function whyNot(unplaced: RegistrationResult['unplaced']): readonly string[] {
  const shapes = new Map<string, { count: number; rules: string }>()
  for (const { workload, hostsByRule } of unplaced) {
    const { vcpus, memoryMib, name } = workload.flavor
    const rules = Object.entries(hostsByRule)
      .sort(([, a], [, b]) => b - a)
      .map(([rule, hosts]) => `${rule} on ${hosts}`)
      .join(', ')
    const shape = `${name} (${vcpus} vCPUs, ${memoryMib} MiB)`
    shapes.set(shape, { count: (shapes.get(shape)?.count ?? 0) + 1, rules })
  }
  const rows = [...shapes].sort(([, a], [, b]) => b.count - a.count)
  return [
    `unplaced   by the rule that refused most hosts: ${counted(unplaced.map(({ rule }) => rule))}`,
    ...rows.map(([shape, { count, rules }]) => `  ${String(count).padStart(5)} × ${shape}: ${rules}`),
  ]
}

function counted(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ') || 'none'
}
