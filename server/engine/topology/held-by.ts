import type { ConsumerId } from '../words/ids'
import type { UnitName } from '../words/units'
import type { CellAmount, Holders } from './demand'

// Holders of what a refusal is short of: most first, then in the order of the query. Computed only for a refusal.

export function holdersOfUnits(holders: Holders | undefined, units: readonly UnitName[]): readonly ConsumerId[] {
  if (holders === undefined || units.length === 0) return []
  const held = new Map<ConsumerId, number>()
  for (const unit of units) {
    for (const consumer of holders.ofUnit(unit)) held.set(consumer, (held.get(consumer) ?? 0) + 1)
  }
  return [...held].sort(([, a], [, b]) => b - a).map(([consumer]) => consumer)
}

export function holdersOfCell(
  holders: Holders | undefined,
  hostCell: number,
  amount: CellAmount,
): readonly ConsumerId[] {
  return holders === undefined ? [] : holders.ofCell(hostCell, amount)
}
