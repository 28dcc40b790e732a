import type { RefusalKind } from '../words/refusal'

// "No valid host" as a funnel: of all hosts, how many each rule leaves. `decide` gives every reason of a host at once;
// here a host leaves at the first of them, in the fixed order below, so that the numbers add up. The sentence beside it
// (refusal-summary.ts) counts each host under the same rule.

export type RulePart = 'host' | 'place' | 'group' | 'guest' | 'amounts' | 'cells' | 'devices' | 'other'

/** Every rule with its subject. The order of this table is the order of the funnel. */
const PARTS = {
  'host-not-up': 'host',
  'host-not-fenced': 'host',
  'host-disabled': 'host',
  'host-quarantined': 'host',
  'host-has-remains': 'host',
  'host-is-source': 'host',
  'other-hypervisor': 'host',
  'unreadable-record': 'host',
  zone: 'place',
  'aggregate-missing': 'place',
  'aggregate-forbidden': 'place',
  'trait-missing': 'place',
  'trait-forbidden': 'place',
  affinity: 'group',
  'anti-affinity': 'group',
  'cpu-model': 'guest',
  'device-not-migratable': 'guest',
  'storage-not-shared': 'guest',
  'storage-shared': 'guest',
  'page-size-change': 'guest',
  'no-inventory': 'amounts',
  'amount-shape': 'amounts',
  amount: 'amounts',
  'too-few-cells': 'cells',
  'page-size': 'cells',
  'thread-policy': 'cells',
  'emulator-threads': 'cells',
  'network-affinity': 'cells',
  'dedicated-cpus': 'cells',
  'shared-cpus': 'cells',
  'sibling-threads': 'cells',
  'whole-cores': 'cells',
  'overcommit-cpus': 'cells',
  'overcommit-memory': 'cells',
  memory: 'cells',
  'ordinary-memory': 'cells',
  pages: 'cells',
  devices: 'devices',
  'device-affinity': 'devices',
  'device-off-node': 'devices',
  vgpus: 'devices',
  vpmem: 'devices',
  'no-joint-fit': 'other',
  'search-exhausted': 'other',
  'already-moving': 'other',
  'not-permitted': 'other',
  'no-slot': 'other',
  'no-host': 'other',
  'changed-meanwhile': 'other',
  'wrong-state': 'other',
  unknown: 'other',
  'bad-input': 'other',
} as const satisfies Record<RefusalKind, RulePart>

const ORDER = new Map(Object.keys(PARTS).map((kind, at) => [kind as RefusalKind, at]))
/** Position of a rule in the funnel. */
export const placeInFunnel = (kind: RefusalKind) => ORDER.get(kind) ?? ORDER.size

/** The rule under which a host is counted; null for a host that accepts. */
export const firstInFunnel = (kinds: readonly RefusalKind[]): RefusalKind | null =>
  kinds.reduce<RefusalKind | null>(
    (first, kind) => (first === null || placeInFunnel(kind) < placeInFunnel(first) ? kind : first),
    null,
  )

export interface FunnelHost {
  /** Every rule that refuses; empty for a host that accepts. */
  readonly reasons: readonly RefusalKind[]
  /**
   * Rules that refuse even when the host is repaired and empty. If there are any, the host is counted under them, and
   * not as disabled.
   */
  readonly lasting?: readonly RefusalKind[]
}

export interface FunnelStep {
  readonly rule: RefusalKind
  readonly part: RulePart
  /** Hosts that every earlier rule let through. */
  readonly asked: number
  readonly refused: number
  readonly left: number
  /** Of all hosts, those that refuse only by this rule. */
  readonly alone: number
}

/** Rules that were the first to refuse some host, in the order of the funnel. */
export function funnelOf(hosts: readonly FunnelHost[]): readonly FunnelStep[] {
  const first = new Map<RefusalKind, number>()
  const alone = new Map<RefusalKind, number>()
  const count = (counts: Map<RefusalKind, number>, kind: RefusalKind) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  for (const { reasons, lasting = reasons } of hosts) {
    const earliest = firstInFunnel(lasting)
    if (earliest === null) continue
    count(first, earliest)
    if (new Set(reasons).size === 1) count(alone, earliest)
  }
  let asked = hosts.length
  return [...first]
    .sort(([a], [b]) => placeInFunnel(a) - placeInFunnel(b))
    .map(([rule, refused]) => {
      const step = { rule, part: PARTS[rule], asked, refused, left: asked - refused, alone: alone.get(rule) ?? 0 }
      asked = step.left
      return step
    })
}
