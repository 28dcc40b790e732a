import type { RefusalKind } from '../words/refusal'

// "No valid host" as a funnel: of all hosts, how many each rule leaves. `decide` gives every reason of a host at once;
// here a host leaves at the first of them, in the fixed order below, so that the numbers add up.

export type RulePart = 'host' | 'place' | 'group' | 'guest' | 'amounts' | 'cells' | 'devices' | 'other'

/** Every rule with its subject. The order of this table is the order of the funnel. */
const PARTS = {
  'host-not-up': 'host',
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

/**
 * Rules that were the first to refuse some host, in the order of the funnel.
 * @param reasons For each host, every rule that refuses; empty for a host that accepts.
 */
export function funnelOf(reasons: readonly (readonly RefusalKind[])[]): readonly FunnelStep[] {
  const first = new Map<RefusalKind, number>()
  const alone = new Map<RefusalKind, number>()
  const count = (counts: Map<RefusalKind, number>, kind: RefusalKind) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  for (const all of reasons) {
    const kinds = [...new Set(all)].sort((a, b) => placeInFunnel(a) - placeInFunnel(b))
    const [earliest] = kinds
    if (earliest === undefined) continue
    count(first, earliest)
    if (kinds.length === 1) count(alone, earliest)
  }
  let asked = reasons.length
  return [...first]
    .sort(([a], [b]) => placeInFunnel(a) - placeInFunnel(b))
    .map(([rule, refused]) => {
      const step = { rule, part: PARTS[rule], asked, refused, left: asked - refused, alone: alone.get(rule) ?? 0 }
      asked = step.left
      return step
    })
}
