import type { Snapshot } from '../audit/snapshot'
import type { Conflict } from '../change'
import { inOrder, keyOf, type Line, sameValue, textOf } from '../rows'
import type { HostId } from '../words/ids'
import { type Ledger, type LedgerDraft, ledgerOf, snapshotOfLedger } from './ledger'
import { snapshotOf, type Tables, tablesOf } from './tables'

// Reviewed lines, by the rules of the tables: each applies only while its row reads as `before`, and all do or none.

/** Lines in the order in which they are written. The caller that applies the change raises generations. */
export function writeLines(draft: LedgerDraft, lines: readonly Line[]): Conflict | null {
  const old = snapshotOfLedger(draft, NOTHING)
  const tables = tablesOf(old)
  const touched = touchedBy(draft, lines)
  for (const line of lines) {
    const found = write(tables, line)
    if (found !== null) return { on: 'row', id: keyOf(line), expected: textOf(line.before), found: textsOf(found) }
  }
  const orphan =
    pointsNowhere(tables) ?? lines.map((line) => findOrphanedClaim(tables, line)).find((key) => key !== null)
  if (orphan) return { on: 'row', id: orphan, expected: 'the row that it refers to', found: 'absent' }
  take(draft, ledgerOf(snapshotOf(tables, old, touched)))
  return null
}

const NOTHING: Snapshot = { hosts: [], instances: [], migrations: [], leftovers: [] }
const textsOf = (values: readonly Line['after'][]) => values.map(textOf).join(', ') || 'absent'

function take(draft: LedgerDraft, after: Ledger): void {
  for (const [id, row] of after.hosts) draft.hosts.set(id, row)
  for (const [id, row] of after.instances) draft.instances.set(id, row)
  for (const [id, row] of after.migrations) draft.migrations.set(id, row)
  draft.leftovers.clear()
  for (const [host, leftovers] of after.leftovers) draft.leftovers.set(host, leftovers)
  draft.strayAllocations = after.strayAllocations
  draft.looseConsumers = after.looseConsumers
}

export type AppliedLines =
  | { readonly ok: true; readonly snapshot: Snapshot }
  | { readonly ok: false; readonly conflict: Conflict }

/** Lines alone on a snapshot, as written with a database client: without guards and generations. */
export function applyLines(snapshot: Snapshot, lines: readonly Line[]): AppliedLines {
  const draft = ledgerOf(snapshot) as LedgerDraft
  const conflict = writeLines(draft, inOrder(lines))
  return conflict === null ? { ok: true, snapshot: snapshotOfLedger(draft, snapshot) } : { ok: false, conflict }
}

/** Hosts whose rows change. A claim is read with all allocations of its consumer, on any provider. */
function touchedBy({ hosts }: Ledger, lines: readonly Line[]): ReadonlySet<HostId> {
  const touched = new Set<HostId>(lines.flatMap(({ host }) => (host === null ? [] : [host])))
  const consumers = new Set(lines.flatMap((line) => (line.row === 'allocation' ? [line.key.consumer] : [])))
  if (consumers.size === 0) return touched
  for (const { id, holdings } of hosts.values()) {
    if (holdings.some(({ consumer }) => consumers.has(consumer))) touched.add(id)
  }
  return touched
}

/** The row found in place of `before`; null when the line was written. */
function write(tables: Tables, line: Line): readonly Line['after'][] | null {
  const key = keyOf(line)
  const rows = tables.get(key) ?? []
  const at = line.before === null ? -1 : rows.findIndex(({ after }) => sameValue(after, line.before))
  if (line.before === null ? rows.length > 0 : at < 0) return rows.map(({ after }) => after)
  const left = rows.filter((_, index) => index !== at)
  tables.set(key, line.after === null ? left : [...left, line])
  return null
}

/** A created claim needs its instance. An existing one without may stay: the audit reports it. */
function findOrphanedClaim(tables: Tables, line: Line): string | null {
  if (line.row !== 'claim' || line.after === null) return null
  const key = keyOf({ row: 'instance', key: { id: line.after.instance } })
  return (tables.get(key) ?? []).length > 0 ? null : keyOf(line)
}

// The foreign keys of the database: no claim or allocation without its consumer, no place without its claim.
function pointsNowhere(tables: Tables): string | null {
  const has = (row: Line['row'], id: string) => (tables.get(keyOf({ row, key: { id } } as never)) ?? []).length > 0
  for (const line of [...tables.values()].flat()) {
    const stands =
      (line.row !== 'claim' || has('consumer', line.after!.consumer)) &&
      (line.row !== 'allocation' || has('consumer', line.key.consumer)) &&
      (line.row !== 'claim-cell' || has('claim', line.key.claim)) &&
      (line.row !== 'unit-holding' || has('claim', line.after!.claim))
    if (!stands) return keyOf(line)
  }
  return null
}
