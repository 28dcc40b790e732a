import type { Snapshot } from '../audit/snapshot'
import { apply } from '../ledger/apply'
import { ledgerOf, snapshotOfLedger } from '../ledger/ledger'
import type { AppliedLines } from '../ledger/lines'
import { writesOf } from '../rows'
import type { HealPart } from './part'

/** Applies a part to a snapshot as the tables would: for previews, and for property tests on many fleets. */
export function applyPart(snapshot: Snapshot, { guards, lines }: Pick<HealPart, 'guards' | 'lines'>): AppliedLines {
  const applied = apply(ledgerOf(snapshot), { guards, writes: writesOf(lines) })
  return applied.ok ? { ok: true, snapshot: snapshotOfLedger(applied.ledger, snapshot) } : applied
}
