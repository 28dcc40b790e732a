import { counted } from '../ledger/grouped'
import type { ConsumerId } from '../words/ids'
import type { UnitName } from '../words/units'
import type { Holders } from './demand'

// Holders of the units that a refusal lacks: most first, then in the order of the query. Computed only for a refusal.

export function holdersOfUnits(holders: Holders | undefined, units: readonly UnitName[]): readonly ConsumerId[] {
  if (holders === undefined || units.length === 0) return []
  const held = counted(units.flatMap((unit) => holders.ofUnit(unit)))
  return [...held].sort(([, a], [, b]) => b - a).map(([consumer]) => consumer)
}
