import type { Snapshot } from '../audit/snapshot'
import type { Guards } from '../books'
import type { Host } from '../host'
import { inOrder, type Line } from '../rows'
import type { HostId } from '../words/ids'
import { keyOf, sameValue } from './images'
import type { HealPart } from './part'
import { snapshotOf, type Tables, tablesOf } from './tables'

// Lines on a snapshot, by the rules of the tables: each lands only while its row reads as `before`, and all do or none.
// For previews, and so that laws about heals can be tried on thousands of fleets.

export type AppliedLines =
  | { readonly ok: true; readonly snapshot: Snapshot }
  | { readonly ok: false; readonly conflict: { readonly row: string; readonly found: readonly Line['after'][] } }

export function applyLines(snapshot: Snapshot, lines: readonly Line[]): AppliedLines {
  const tables = tablesOf(snapshot)
  const touched = new Set<HostId>(hostsOfConsumers(snapshot, lines))
  for (const line of inOrder(lines)) {
    const found = write(tables, line)
    if (found !== null) return { ok: false, conflict: { row: keyOf(line), found } }
    if (line.host !== null) touched.add(line.host)
  }
  const orphan = pointsNowhere(tables)
  if (orphan !== null) return { ok: false, conflict: { row: orphan, found: [] } }
  return { ok: true, snapshot: snapshotOf(tables, snapshot, touched) }
}

/** A claim is read with all allocations of its consumer, wherever they lie. */
function hostsOfConsumers(snapshot: Snapshot, lines: readonly Line[]): readonly HostId[] {
  const consumers = new Set(lines.flatMap((line) => (line.row === 'allocation' ? [line.key.consumer] : [])))
  const has = ({ holdings }: Host) => holdings.some(({ consumer }) => consumers.has(consumer))
  return snapshot.hosts.filter(has).map(({ id }) => id)
}

/** What stands there instead of `before`; null when the line was written. */
function write(tables: Tables, line: Line): readonly Line['after'][] | null {
  const key = keyOf(line)
  const rows = tables.get(key) ?? []
  const at = line.before === null ? -1 : rows.findIndex(({ after }) => sameValue(after, line.before))
  if (line.before === null ? rows.length > 0 : at < 0) return rows.map(({ after }) => after)
  const left = rows.filter((_, index) => index !== at)
  tables.set(key, line.after === null ? left : [...left, line])
  return null
}

// What the database's references assert: no claim or allocation without its consumer, no place without its claim.
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

export type AppliedPart =
  | AppliedLines
  | { readonly ok: false; readonly conflict: { readonly row: string; readonly found: readonly number[] } }

/** A part with its guards; null of these generations may have moved. What the part relied on is raised with it. */
export function applyPart(snapshot: Snapshot, part: HealPart): AppliedPart {
  const moved = movedOn(snapshot, part.guards)
  if (moved !== null) return { ok: false, conflict: moved }
  const applied = applyLines(snapshot, part.lines)
  if (!applied.ok) return applied
  const { instance, migration } = part.guards
  const raise = <T extends { id: string; generation: number }>(rows: readonly T[], id: string | undefined) =>
    rows.map((row) => (row.id === id ? { ...row, generation: row.generation + 1 } : row))
  const { snapshot: after } = applied
  return {
    ok: true,
    snapshot: {
      ...after,
      instances: raise(after.instances, instance?.id),
      migrations: raise(after.migrations, migration?.id),
    },
  }
}

function movedOn(snapshot: Snapshot, guards: Guards): { row: string; found: readonly number[] } | null {
  const providers = new Map(snapshot.hosts.flatMap((host) => host.providers.map((each) => [each.id, each] as const)))
  for (const { provider, generation } of guards.providers) {
    const found = providers.get(provider)?.generation ?? -1
    if (generation !== null && generation !== found) return { row: provider, found: [found] }
  }
  for (const [guard, rows] of [
    [guards.instance, snapshot.instances],
    [guards.migration, snapshot.migrations],
  ] as const) {
    const found = guard && (rows.find(({ id }) => id === guard.id)?.generation ?? -1)
    if (guard && found !== guard.generation) return { row: guard.id, found: [found!] }
  }
  return null
}
