import type { Evidence } from './evidence'
import type { AuditRecords, Finding, Report } from './finding'
import type { AllocationSwap, TreeAmount } from './snapshot'

// A migration of another client that does not end. Only its allocations are known: Berth cannot see the instance.

const MINUTE_MS = 60_000
/** Nova claims the target within moments of the swap, and releases everything when it finds none. */
const UNCLAIMED_MS = 30 * MINUTE_MS
/** A resize may wait for its confirm, and nothing here distinguishes it from a stuck migration. */
const CLAIMED_MS = 24 * 60 * MINUTE_MS

const swapPatienceMs = ({ heldByInstance }: Pick<AllocationSwap, 'heldByInstance'>): number =>
  heldByInstance.length === 0 ? UNCLAIMED_MS : CLAIMED_MS

export function swapsEnd({ snapshot }: AuditRecords, now: number, report: Report): void {
  for (const swap of snapshot.swaps ?? []) {
    const patience = swapPatienceMs(swap)
    if (now - swap.at <= patience) continue
    const { migration, instance, owner, heldByMigration, heldByInstance } = swap
    const [first] = heldByMigration
    report({
      kind: 'allocations-swapped',
      host: first?.host ?? null,
      consumers: [migration, instance],
      where: first ? { provider: first.tree } : {},
      owner,
      expected: `the migration to end or return the allocation within ${patience / MINUTE_MS} min`,
      found: `migration ${migration} holds ${amountsOf(heldByMigration)}, instance ${instance} ${amountsOf(heldByInstance)}`,
    })
  }
}

const amountsOf = (amounts: readonly TreeAmount[]) => {
  const trees = [...new Set(amounts.map(({ tree }) => tree))]
  const ofTree = (name: string) =>
    amounts
      .flatMap(({ tree, resourceClass, amount }) => (tree === name ? [`${amount} ${resourceClass}`] : []))
      .join(', ')
  return trees.map((tree) => `${ofTree(tree)} of ${tree}`).join(' and ') || 'nothing'
}

/** The facts with their sources. Berth has none about the instance itself. */
export function swapEvidence({ snapshot }: AuditRecords, { consumers }: Finding): readonly Evidence[] {
  const swap = snapshot.swaps?.find(({ migration }) => migration === consumers[0])
  if (!swap) return []
  const { migration, instance, at, heldByMigration, heldByInstance } = swap
  const now = snapshot.now ?? null
  const held = (who: string, amounts: readonly TreeAmount[]): Evidence => ({
    ...{ source: 'allocations', host: amounts[0]?.host ?? null, says: `${who} holds ${amountsOf(amounts)}`, at: now },
  })
  return [
    { source: 'records', host: null, says: `the allocation of ${instance} went to ${migration} in one request`, at },
    held(`migration ${migration}`, heldByMigration),
    held(`instance ${instance}`, heldByInstance),
    { source: 'hypervisor', host: null, says: 'not surveyed: another client manages the instance', at: null },
  ]
}
