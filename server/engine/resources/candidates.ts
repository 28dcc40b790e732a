import type { Demand } from '../demand'
import type { HostHolders } from '../holders'
import type { Host } from '../host'
import type { GuestNode, PlacedNode } from '../topology/guest-topology'
import type { Device } from '../topology/host'
import type { ProviderId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { MEMORY_MB, PCPU, VCPU } from '../words/units'
import { merged } from './allocation'
import {
  type Amount,
  fitsInventory,
  freeOf,
  type Inventory,
  inventoryOf,
  type Provider,
  shapeProblem,
} from './inventory'
import { sharersOf, treeOf } from './trait'

// Which provider gives which amount. Allocations follow inventories: a flat host allocates everything from its root, a
// nested one from the child provider of the NUMA node or device.

export interface AmountsQuestion {
  readonly demand: Demand
  readonly host: Host
  /** Chosen NUMA nodes and devices; null when there was no fit: then only sums over the tree can be checked. */
  readonly placed: { readonly cells: readonly PlacedNode[]; readonly devices: readonly Device[] } | null
  /** Required traits that the tree lacks: a sharing provider that has them takes precedence. */
  readonly wantedTraits: readonly string[]
  readonly holders: HostHolders
}

export interface AmountsAnswer {
  readonly amounts: readonly Amount[]
  readonly refusals: readonly Refusal[]
  /** True when a provider of chosen NUMA nodes or devices had no room: another placement may still fit. */
  readonly tooSmall: boolean
}

/** Classes that a NUMA node's child keeps in a nested layout. */
export const NODE_CLASSES: ReadonlySet<string> = new Set([VCPU, PCPU, MEMORY_MB])

export function amountsFor(question: AmountsQuestion): AmountsAnswer {
  const { demand, host, placed } = question
  const refusals: Refusal[] = []
  const chosen: Amount[] = []
  const byNode = host.layout === 'nested' && demand.topology !== null && placed !== null
  const home = host.layout === 'nested' && demand.topology === null ? homeOf(host, demand) : null
  for (const [resourceClass, amount] of Object.entries(demand.amounts)) {
    const cells =
      byNode && NODE_CLASSES.has(resourceClass) ? fromNodes(question, placed.cells, { resourceClass, amount }) : null
    chosen.push(...(cells ?? fromTree(question, { resourceClass, amount, home, refusals })))
  }
  for (const device of placed?.devices ?? []) {
    const provider = deviceProviderOf(host, device)
    if (provider) chosen.push({ provider: provider.id, resourceClass: device.resourceClass, amount: 1 })
  }
  const amounts = merged(chosen)
  const tooSmall = shortOnes(question, amounts, refusals)
  return { amounts, refusals, tooSmall }
}

/**
 * Per placed NUMA node from its child. Null when some child does not keep the class, or when `resources:` requests
 * another sum than the nodes have: then the tree decides as a whole.
 */
function fromNodes({ host }: AmountsQuestion, nodes: readonly PlacedNode[], asked: ClassAmount): Amount[] | null {
  const { resourceClass } = asked
  const amounts: Amount[] = []
  let left = asked.amount
  for (const node of nodes) {
    const amount = nodeAmount(node, resourceClass)
    if (amount === 0) continue
    const child = host.providers.find((each) => each.cell === node.hostCell && inventoryOf(each, resourceClass))
    if (!child) return null
    amounts.push({ provider: child.id, resourceClass, amount })
    left -= amount
  }
  return left === 0 ? amounts : null
}

interface ClassAmount {
  readonly resourceClass: string
  readonly amount: number
}

/** Amount of a class that a placed NUMA node takes from its child. */
export function nodeAmount(node: PlacedNode, resourceClass: string): number {
  if (resourceClass === MEMORY_MB) return node.memoryMib
  return resourceClass === VCPU ? node.sharedVcpus.length : node.pins.length + node.reservedCpus.length
}

/**
 * The child with room for all that an instance without topology needs of a NUMA node; remote memory would always be
 * slow.
 */
function homeOf(host: Host, demand: Demand): ProviderId | null {
  const asked = Object.entries(demand.amounts).filter(([resourceClass]) => NODE_CLASSES.has(resourceClass))
  const roomy = host.providers.filter((provider) =>
    asked.every(([resourceClass, amount]) => {
      const inventory = inventoryOf(provider, resourceClass)
      return inventory !== undefined && fitsInventory(inventory, amount)
    }),
  )
  const byRoom = roomy.sort((a, b) => freeIn(b, MEMORY_MB) - freeIn(a, MEMORY_MB) || inOrder(a, b))
  return byRoom[0]?.id ?? null
}

const freeIn = (provider: Provider, resourceClass: string) => {
  const inventory = inventoryOf(provider, resourceClass)
  return inventory ? freeOf(inventory) : 0
}

const inOrder = (a: Provider, b: Provider) => (a.cell ?? -1) - (b.cell ?? -1) || (a.name < b.name ? -1 : 1)

interface ClassRequest extends ClassAmount {
  readonly home: ProviderId | null
  readonly refusals: Refusal[]
}

interface ProviderInventory {
  readonly provider: Provider
  readonly inventory: Inventory
}

function fromTree(question: AmountsQuestion, classRequest: ClassRequest): Amount[] {
  const { resourceClass, amount, refusals } = classRequest
  const inventories = inventoriesFor(question, classRequest)
  if (inventories.length === 0) {
    refusals.push({ kind: 'no-inventory', where: { resourceClass }, need: `${amount} ${resourceClass}`, have: 'none' })
    return []
  }
  const one = inventories.find(({ inventory }) => fitsInventory(inventory, amount))
  if (one) return [{ provider: one.provider.id, resourceClass, amount }]
  const split = NODE_CLASSES.has(resourceClass) ? splitOver(inventories, classRequest) : null
  if (split) return split
  refusals.push(...shortRefusals(inventories, classRequest, question.holders))
  return []
}

// A forbidden trait in the tree refuses the whole host; a sharing provider that has it is only skipped.
function inventoriesFor(
  { demand, host, wantedTraits }: AmountsQuestion,
  { resourceClass, home }: ClassRequest,
): ProviderInventory[] {
  const { forbiddenTraits } = demand.constraints
  const sharers = sharersOf(host).filter((each) => !each.traits.some((trait) => forbiddenTraits.includes(trait)))
  const inventories: ProviderInventory[] = []
  for (const provider of [...treeOf(host), ...sharers]) {
    const inventory = inventoryOf(provider, resourceClass)
    if (inventory) inventories.push({ provider, inventory })
  }
  if (inventories.length < 2) return inventories
  const wanted = ({ provider }: ProviderInventory) =>
    wantedTraits.filter((trait) => provider.traits.includes(trait)).length
  return inventories.sort(
    (a, b) =>
      Number(b.provider.id === home) - Number(a.provider.id === home) ||
      wanted(b) - wanted(a) ||
      Number(a.provider.sharing) - Number(b.provider.sharing) ||
      freeOf(b.inventory) - freeOf(a.inventory) ||
      inOrder(a.provider, b.provider),
  )
}

// An instance without topology floats over the host's NUMA nodes, so it may be larger than one of them. Placement
// cannot split a class over providers and would refuse; the hypervisor would not. One instance never exceeds the sum of
// all nodes, which is a flat host's max_unit.
function splitOver(
  inventories: readonly ProviderInventory[],
  { resourceClass, amount }: ClassRequest,
): Amount[] | null {
  const most = inventories.reduce((sum, { inventory }) => sum + Math.min(inventory.maxUnit, inventory.total), 0)
  if (amount > most) return null
  const shares: Amount[] = []
  let left = amount
  for (const { provider, inventory } of inventories) {
    if (left === 0) break
    const part = Math.min(left, freeOf(inventory), inventory.maxUnit)
    const share = part - (part % inventory.stepSize)
    if (share < 1 || shapeProblem(inventory, share) !== null) continue
    shares.push({ provider: provider.id, resourceClass, amount: share })
    left -= share
  }
  return left === 0 ? shares : null
}

function shortRefusals(
  inventories: readonly ProviderInventory[],
  classRequest: ClassRequest,
  holders: HostHolders,
): Refusal[] {
  const { resourceClass, amount } = classRequest
  const free = NODE_CLASSES.has(resourceClass)
    ? inventories.reduce((sum, { inventory }) => sum + freeOf(inventory), 0)
    : Math.max(...inventories.map(({ inventory }) => freeOf(inventory)))
  if (inventories.length === 1 || amount <= free)
    return inventories.slice(0, 1).flatMap((each) => shortOf(each, classRequest, holders))
  const heldBy = holders.ofClass(resourceClass, null)
  return [{ kind: 'amount', where: { resourceClass }, need: amount, free, shortBy: amount - free, heldBy }]
}

function shortOf({ provider, inventory }: ProviderInventory, classRequest: ClassAmount, holders: HostHolders) {
  const { resourceClass, amount } = classRequest
  const refusals: Refusal[] = []
  const where = {
    resourceClass,
    provider: provider.name,
    ...(provider.cell === undefined ? {} : { hostCell: provider.cell }),
  }
  const problem = shapeProblem(inventory, amount)
  if (problem) refusals.push({ kind: 'amount-shape', where, need: problem, have: String(amount) })
  const free = freeOf(inventory)
  if (amount > free) {
    const heldBy = holders.ofClass(resourceClass, provider.id)
    refusals.push({ kind: 'amount', where, need: amount, free, shortBy: amount - free, heldBy })
  }
  return refusals
}

/** The provider that counts a device: its own in a nested layout, else the root, else any that keeps the class. */
export function deviceProviderOf(host: Host, device: Device): Provider | undefined {
  const keeps = (provider: Provider) => !provider.sharing && inventoryOf(provider, device.resourceClass) !== undefined
  const own = host.providers.find((each) => each.id === device.provider && keeps(each))
  return own ?? host.providers.find(keeps)
}

// Checked again after merging: two requests may use one provider, and Placement checks their sum.
function shortOnes(question: AmountsQuestion, amounts: readonly Amount[], refusals: Refusal[]): boolean {
  let tooSmall = false
  for (const { provider: id, resourceClass, amount } of amounts) {
    const provider = question.host.providers.find((each) => each.id === id)
    const inventory = provider && inventoryOf(provider, resourceClass)
    if (!inventory || fitsInventory(inventory, amount)) continue
    tooSmall = true
    refusals.push(...shortOf({ provider, inventory }, { resourceClass, amount }, question.holders))
  }
  return tooSmall
}

/** How many devices of a kind their provider still counts free; null when no provider counts them. */
export function deviceCapacity(host: Host, device: Device): { readonly key: string; readonly free: number } | null {
  const provider = deviceProviderOf(host, device)
  const inventory = provider && inventoryOf(provider, device.resourceClass)
  return inventory ? { key: `${provider.id} ${device.resourceClass}`, free: freeOf(inventory) } : null
}

interface NodeRequest {
  readonly guestNode: GuestNode
  /** CPUs for isolated emulator threads in addition to the guest's own. */
  readonly reserve: number
}

/** True unless the NUMA node's own provider has too little of something for this guest NUMA node. */
export function nodeHasRoom(host: Host, hostCell: number, { guestNode, reserve }: NodeRequest): boolean {
  const needs = [
    [VCPU, guestNode.sharedVcpus.length],
    [PCPU, guestNode.dedicatedVcpus.length + reserve],
    [MEMORY_MB, guestNode.memoryMib],
  ] as const
  return needs.every(([resourceClass, amount]) => {
    const child = host.providers.find((each) => each.cell === hostCell && inventoryOf(each, resourceClass))
    const inventory = child && inventoryOf(child, resourceClass)
    return amount === 0 || !inventory || fitsInventory(inventory, amount)
  })
}
