import { HOST_CHECKS } from '../audit/host-checks'
import type { Host } from '../host'
import { type Inventory, inventoryOf } from '../resources/inventory'
import { treeOf } from '../resources/trait'
import type { Child } from './children'

// Obstacles to the conversion of a host, each with its remedy. The host then stays flat and schedulable.

/** Contradictions in the records of one host, one sentence each; empty when there are none. */
export function hostProblems(host: Host): readonly string[] {
  const problems: string[] = []
  for (const check of Object.values(HOST_CHECKS)) {
    check(host, ({ kind, expected, found }) => problems.push(`${kind}: expected ${expected}, found ${found}`))
  }
  return problems
}

/** The first obstacle, in words; null when there is none. */
export function obstacleOf(host: Host, children: readonly Child[]): string | null {
  if (host.layout === 'nested') return 'The host is already nested.'
  const [problem] = hostProblems(host)
  if (problem !== undefined) return `The records of this host are inconsistent (${problem}). Repair them first.`
  if (children.length === 0)
    return 'The host has no NUMA node, card, GPU or persistent memory that could become a provider.'
  const treeObstacle = providerObstacle(host, children)
  if (treeObstacle !== null) return treeObstacle
  for (const inventory of host.providers[0]?.inventories ?? []) {
    const parts = children.filter((child) => child.has.has(inventory.resourceClass))
    const obstacle = parts.length === 0 ? null : classObstacle(host, { inventory, parts })
    if (obstacle !== null) return obstacle
  }
  return null
}

// A host prepared from outside has children with everything reserved, so that nothing is placed there yet. Such
// children are adopted; anything else below a flat host is counted twice or is not Berth's.
function providerObstacle(host: Host, children: readonly Child[]): string | null {
  for (const provider of treeOf(host).slice(1)) {
    const ours = children.some(({ name }) => name === provider.name)
    const closed = provider.inventories.every(({ total, reserved, used }) => reserved >= total && used === 0)
    if (ours && closed) continue
    const what = ours ? 'already accepts claims' : 'is not part of this layout'
    return `The provider ${provider.name} below this flat host ${what}. Remove it, or reserve all of it.`
  }
  return null
}

interface ClassQuestion {
  readonly inventory: Inventory
  readonly parts: readonly Child[]
}

function classObstacle(host: Host, { inventory, parts }: ClassQuestion): string | null {
  const { resourceClass, total, minUnit, stepSize, used } = inventory
  const sum = parts.reduce((all, child) => all + (child.has.get(resourceClass) ?? 0), 0)
  if (sum !== total) {
    return `The root counts ${total} ${resourceClass}, but the host's parts have ${sum}. Correct the inventory first.`
  }
  if (parts.length > 1 && (minUnit > 1 || stepSize > 1)) {
    const shape = stepSize > 1 ? `steps of ${stepSize}` : `at least ${minUnit}`
    return `${resourceClass} is given in ${shape}, which parts of an instance may violate. Set it to 1 first.`
  }
  const held = heldOnRoot(host, resourceClass)
  if (held !== used) {
    return `${used - held} ${resourceClass} are held by consumers without a claim here. Repair or remove them first.`
  }
  return null
}

function heldOnRoot(host: Host, resourceClass: string): number {
  let sum = 0
  for (const { body } of host.holdings) {
    for (const each of body.amounts) {
      if (each.provider === host.providers[0]?.id && each.resourceClass === resourceClass) sum += each.amount
    }
  }
  return sum
}

/** Whether the root counts the class now. */
export const isCounted = (host: Host, resourceClass: string): boolean =>
  host.providers[0] !== undefined && inventoryOf(host.providers[0], resourceClass) !== undefined
