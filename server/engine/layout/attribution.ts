import type { Holding, Host } from '../host'
import { NODE_CLASSES, nodeAmount } from '../resources/candidates'
import type { UnitName } from '../words/units'
import type { Child } from './children'
import { isCounted } from './obstacles'

// Which child each holding takes from: derived from the existing assignments, NUMA nodes and units. Every choice was
// made when the claim was decided.

/** An amount of a class that one holding takes from one child. */
export interface Share {
  readonly holding: Holding
  readonly child: Child
  readonly resourceClass: string
  readonly amount: number
  readonly why: string
}

/** Amounts of the NUMA nodes' classes held by an instance without a topology, which may be counted in any node. */
export interface FloatingAmounts {
  readonly holding: Holding
  readonly amounts: ReadonlyMap<string, number>
}

export type Attribution =
  | { readonly ok: true; readonly shares: readonly Share[]; readonly floating: readonly FloatingAmounts[] }
  | { readonly ok: false; readonly blockedBy: string }

export function attribute(host: Host, children: readonly Child[]): Attribution {
  const context = contextOf(host, children)
  const shares: Share[] = []
  const floating: FloatingAmounts[] = []
  for (const holding of host.holdings) {
    const blockedBy = ofDevices(holding, context, shares) ?? ofNodes(holding, context, { shares, floating })
    if (blockedBy !== null) return { ok: false, blockedBy }
  }
  return { ok: true, shares, floating }
}

interface AttributionContext {
  readonly host: Host
  readonly cells: ReadonlyMap<number, Child>
  /** The child that carries a device, and its class there. */
  readonly carriers: ReadonlyMap<UnitName, { readonly child: Child; readonly resourceClass: string }>
  /** Device classes that move to children, or are counted from now on. */
  readonly ofDevices: ReadonlySet<string>
}

function contextOf(host: Host, children: readonly Child[]): AttributionContext {
  const childOf = new Map(children.flatMap((child) => child.units.map((unit) => [unit, child] as const)))
  const carriers = new Map(
    host.devices.flatMap(({ unit, resourceClass }) => {
      const child = childOf.get(unit)
      return child ? [[unit, { child, resourceClass }] as const] : []
    }),
  )
  return {
    host,
    cells: new Map(children.flatMap((child) => (child.numaNode === null ? [] : [[child.numaNode, child] as const]))),
    carriers,
    ofDevices: new Set([...carriers.values()].map(({ resourceClass }) => resourceClass)),
  }
}

function onRoot({ host }: AttributionContext, holding: Holding, resourceClass: string): number {
  const root = host.providers[0]?.id
  const own = holding.body.amounts.filter((each) => each.provider === root && each.resourceClass === resourceClass)
  return own.reduce((sum, { amount }) => sum + amount, 0)
}

/** A device is counted once, at its card. Units that come with a PF or a GPU are not counted separately. */
function ofDevices(holding: Holding, context: AttributionContext, shares: Share[]): string | null {
  const counts = new Map<string, number>()
  for (const { unit, use } of holding.body.units) {
    const carrier = use === 'device' ? context.carriers.get(unit) : undefined
    if (!carrier) continue
    const { child, resourceClass } = carrier
    shares.push({ holding, child, resourceClass, amount: 1, why: `It holds ${unit}.` })
    counts.set(resourceClass, (counts.get(resourceClass) ?? 0) + 1)
  }
  for (const resourceClass of context.ofDevices) {
    const held = counts.get(resourceClass) ?? 0
    const counted = onRoot(context, holding, resourceClass)
    if (!isCounted(context.host, resourceClass) || counted === held) continue
    return `${holding.consumer} is counted with ${counted} ${resourceClass} and holds ${held} such devices. Repair it first.`
  }
  return null
}

interface AttributionResult {
  readonly shares: Share[]
  readonly floating: FloatingAmounts[]
}

/**
 * As `decide` would count it: per placed NUMA node when the nodes' sum is what is held, and as floating when the
 * instance has no nodes or `resources:` requested another sum.
 */
function ofNodes(holding: Holding, context: AttributionContext, result: AttributionResult): string | null {
  const floats = new Map<string, number>()
  for (const resourceClass of NODE_CLASSES) {
    const held = onRoot(context, holding, resourceClass)
    if (held === 0 || ![...context.cells.values()].some((child) => child.has.has(resourceClass))) continue
    const placed = holding.body.cells.map((node) => ({ cell: node, amount: nodeAmount(node, resourceClass) }))
    if (placed.reduce((sum, { amount }) => sum + amount, 0) !== held) {
      floats.set(resourceClass, held)
      continue
    }
    for (const { cell, amount } of placed) {
      const child = context.cells.get(cell.hostCell)
      if (amount === 0) continue
      if (!child?.has.has(resourceClass)) {
        return `${holding.consumer} is on NUMA node ${cell.hostCell}, which has no ${resourceClass}. Migrate it first.`
      }
      const why = `Its guest NUMA node ${cell.guestCell} is on NUMA node ${cell.hostCell}.`
      result.shares.push({ holding, child, resourceClass, amount, why })
    }
  }
  if (floats.size > 0) result.floating.push({ holding, amounts: floats })
  return null
}
