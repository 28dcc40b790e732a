import { pageSizeUsed, pagesOf, unitsCutFrom } from './holdings'
import type { Host } from './host'
import { memoize } from './memoize'
import { ordinaryPageKib } from './memory/node-memory'
import type { Holders, NodeAmount } from './topology/demand'
import type { PlacedNode } from './topology/guest-topology'
import type { Device, NumaNode } from './topology/host'
import type { ConsumerId, ProviderId } from './words/ids'
import { MEMORY_MB, type UnitName } from './words/units'

// Holders of a host's resources. Only refusals need them, so they are computed lazily.

export interface HostHolders extends Holders {
  /** Holders of a class, most first; over the whole host when `provider` is null. */
  readonly ofClass: (resourceClass: string, provider: ProviderId | null) => readonly ConsumerId[]
  /** Holders of ordinary memory anywhere on the host, most first. */
  readonly ofOrdinary: () => readonly ConsumerId[]
}

export const holdersOf = (host: Host): HostHolders => ({
  ofUnit: (unit) => named(host).ofUnit(unit),
  ofNode: (hostCell, amount) => named(host).ofNode(hostCell, amount),
  ofClass: (resourceClass, provider) => named(host).ofClass(resourceClass, provider),
  ofOrdinary: () => named(host).ofOrdinary(),
})

// The "No valid host" page checks every host of the fleet, most of them repeatedly and unchanged.
const named = memoize((host: Host): HostHolders => {
  let byUnit: HoldersByUnit | null = null
  const byNode = new Map<string, readonly ConsumerId[]>()
  const byClass = new Map<string, readonly ConsumerId[]>()
  return {
    ofUnit: (unit) => {
      byUnit ??= holdersByUnit(host)
      return holdersOfUnit(host, byUnit, unit)
    },
    ofNode: (hostCell, amount) => known(byNode, `${hostCell} ${amount}`, () => holdersOfNode(host, hostCell, amount)),
    ofClass: (resourceClass, provider) =>
      known(byClass, `${resourceClass} ${provider ?? ''}`, () => holdersOfClass(host, resourceClass, provider)),
    ofOrdinary: () => known(byClass, 'ordinary memory', () => holdersOfOrdinary(host)),
  }
})

function known<Value>(answers: Map<string, Value>, key: string, answer: () => Value): Value {
  const found = answers.get(key) ?? answer()
  answers.set(key, found)
  return found
}

/** For feasibility checks: naming the holders is much of the cost of a refusal. */
export const UNNAMED: HostHolders = { ofUnit: () => [], ofNode: () => [], ofClass: () => [], ofOrdinary: () => [] }

/** One entry for each time that the unit is held. */
type HoldersByUnit = ReadonlyMap<UnitName, readonly ConsumerId[]>

// A refusal names every unit that is short, on every host checked: scanning the holdings for each took longer than all
// verdicts of a drain plan together.
function holdersByUnit(host: Host): HoldersByUnit {
  const holders = new Map<UnitName, ConsumerId[]>()
  for (const { consumer, body } of host.holdings) {
    for (const { unit } of body.units) {
      const known = holders.get(unit)
      if (known) known.push(consumer)
      else holders.set(unit, [consumer])
    }
  }
  return holders
}

/** The unit's holder; when it is only blocked, the holder of what blocks it. */
function holdersOfUnit(host: Host, byUnit: HoldersByUnit, unit: UnitName): readonly ConsumerId[] {
  const direct = byUnit.get(unit)
  if (direct !== undefined) return mostOften(direct)
  if (unit.startsWith('cpu:')) return []
  const device = host.devices.find((each) => each.unit === unit)
  const related = new Set<UnitName>(unitsCutFrom(host.devices, unit).map((each) => each.unit))
  for (let up = device?.parent; up; up = parentOf(host.devices, up)) related.add(up)
  return mostOften([...related].flatMap((each) => byUnit.get(each) ?? []))
}

const parentOf = (devices: readonly Device[], unit: UnitName) => devices.find((each) => each.unit === unit)?.parent

function mostOften(consumers: readonly ConsumerId[]): readonly ConsumerId[] {
  if (consumers.length < 2) return consumers
  const counts = new Map<ConsumerId, number>()
  for (const consumer of consumers) count(counts, consumer, 1)
  return mostFirst(counts)
}

function holdersOfNode(host: Host, hostCell: number, amount: NodeAmount): readonly ConsumerId[] {
  const node = host.numaNodes.find((each) => each.id === hostCell)
  const counts = new Map<ConsumerId, number>()
  for (const holding of host.holdings) {
    for (const placed of holding.body.cells) {
      if (placed.hostCell === hostCell) count(counts, holding.consumer, heldAmount(node, placed, amount))
    }
  }
  return mostFirst(counts)
}

function heldAmount(node: NumaNode | undefined, placed: PlacedNode, amount: NodeAmount): number {
  if (amount === 'memory') return placed.memoryMib
  if (amount === 'ordinary') return isOrdinary(node, placed) ? placed.memoryMib : 0
  if (amount === 'shared-cpus') return placed.sharedVcpus.length
  const sizeKib = node ? pageSizeUsed(node, placed) : null
  return sizeKib === null || amount !== `pages ${sizeKib}` ? 0 : pagesOf(placed, sizeKib)
}

const isOrdinary = (node: NumaNode | undefined, { pageKib }: PlacedNode) =>
  pageKib === null || !node || pageKib === ordinaryPageKib(node)

function holdersOfClass(host: Host, resourceClass: string, provider: ProviderId | null): readonly ConsumerId[] {
  const counts = new Map<ConsumerId, number>()
  for (const holding of host.holdings) {
    for (const each of holding.body.amounts) {
      if (each.resourceClass !== resourceClass || (provider !== null && each.provider !== provider)) continue
      count(counts, holding.consumer, each.amount)
    }
  }
  return mostFirst(counts)
}

function holdersOfOrdinary(host: Host): readonly ConsumerId[] {
  const nodes = new Map(host.numaNodes.map((node) => [node.id, node]))
  const counts = new Map<ConsumerId, number>()
  for (const { consumer, body } of host.holdings) {
    for (const placed of body.cells) {
      count(counts, consumer, heldAmount(nodes.get(placed.hostCell), placed, 'ordinary'))
    }
    if (body.cells.length > 0) continue
    for (const { resourceClass, amount } of body.amounts)
      if (resourceClass === MEMORY_MB) count(counts, consumer, amount)
  }
  return mostFirst(counts)
}

function count(counts: Map<ConsumerId, number>, consumer: ConsumerId, more: number): void {
  if (more > 0) counts.set(consumer, (counts.get(consumer) ?? 0) + more)
}

function mostFirst(counts: ReadonlyMap<ConsumerId, number>): readonly ConsumerId[] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([consumer]) => consumer)
}
