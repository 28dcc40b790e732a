import type { ClaimBody, ClaimedUnit } from '../host'
import type { Amount } from '../resources/inventory'
import type { Line } from '../rows'
import type { PlacedNode } from '../topology/guest-topology'
import { unitKindOf } from '../words/units'

/** What no consumer of these lines holds any more once they are written; empty when nothing is released. */
export function freedAmounts(lines: readonly Line[]): readonly ClaimBody[] {
  const amounts = new Map<string, Amount>()
  const units = new Map<string, ClaimedUnit | null>()
  const nodes: PlacedNode[] = []
  const passed = new Set<string>()
  for (const line of lines) {
    if (line.row === 'allocation') addAmount(amounts, line)
    if (line.row === 'unit-holding') addUnit(units, line)
    if (line.row === 'claim-cell' && line.after !== null) passed.add(`${line.after.hostCell} ${line.after.memoryMib}`)
  }
  for (const line of lines) {
    if (line.row !== 'claim-cell' || line.before === null || line.after !== null) continue
    if (passed.has(`${line.before.hostCell} ${line.before.memoryMib}`)) continue
    nodes.push({ guestCell: line.key.guestCell, ...line.before })
  }
  const less = [...amounts.values()].filter(({ amount }) => amount > 0)
  const free = [...units.values()].filter((unit) => unit !== null)
  return less.length + free.length + nodes.length === 0 ? [] : [{ amounts: less, cells: nodes, units: free }]
}

type Of<K extends Line['row']> = Extract<Line, { row: K }>

function addAmount(amounts: Map<string, Amount>, { key, before, after }: Of<'allocation'>): void {
  const { provider, resourceClass } = key
  const name = `${provider} ${resourceClass}`
  const less = (before?.amount ?? 0) - (after?.amount ?? 0)
  amounts.set(name, { provider, resourceClass, amount: (amounts.get(name)?.amount ?? 0) + less })
}

function addUnit(units: Map<string, ClaimedUnit | null>, { key, before, after }: Of<'unit-holding'>): void {
  const name = `${key.host} ${key.unit}`
  if (after !== null) units.set(name, null)
  else if (before !== null && !units.has(name)) {
    const requested = before.requestId === null ? {} : { requestId: before.requestId }
    units.set(name, { unit: key.unit, kind: unitKindOf(key.unit), use: before.use, ...requested })
  }
}
