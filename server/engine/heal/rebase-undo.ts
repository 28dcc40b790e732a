import { type Finding, fingerprintOf, KINDS } from '../audit'
import type { Snapshot } from '../audit/snapshot'
import { instanceGuards } from '../change'
import { tablesOf } from '../ledger/tables'
import { keyOf, type Line, sameValue } from '../rows'
import { applyPart } from './apply'
import { lockOf, locksOf } from './lock'
import { type HealPart, partOf } from './part'
import type { HealResult } from './plan-words'
import type { AuditBaseline } from './predicted-findings'

// An undo whose rows were written again since the repair. It restores the same values, but the present rows differ, so
// the lines are recomputed and reviewed again. It must not harm later writes: any finding that the undo adds must be
// about the object of the repair.

/** `undo` is the reversed repair; the result names the rows as they are in the snapshot. */
export function rebaseUndo(reversed: HealPart, { snapshot, findings, audit }: AuditBaseline): HealResult {
  const undo = guardedNow(reversed, snapshot)
  const tables = tablesOf(snapshot)
  const lines: Line[] = []
  for (const line of undo.lines) {
    const rows = tables.get(keyOf(line)) ?? []
    if (rows.length > 1) return { ok: false, why: `${keyOf(line)} is ambiguous. Audit again first.` }
    const now = rows[0]?.after ?? null
    if (sameValue(now, line.after)) continue
    const why = sameValue(now, line.before) ? line.why : 'Written again since the repair.'
    lines.push({ ...line, before: now, why } as Line)
  }
  if (lines.length === undo.lines.length && lines.every(({ before }, n) => sameValue(before, undo.lines[n]!.before)))
    return { ok: true, part: undo }
  if (lines.length === 0) return { ok: false, why: 'The rows that it would restore already exist.' }
  const part = partOf({ ...undo, lines })
  const applied = applyPart(snapshot, part)
  if (!applied.ok) return { ok: false, why: `A row that it needs no longer exists: ${applied.conflict.id}.` }
  const known = new Set(findings.map(fingerprintOf))
  const critical = audit(applied.snapshot).find((finding) => !known.has(fingerprintOf(finding)) && !isOf(finding, undo))
  if (critical === undefined) return { ok: true, part }
  return { ok: false, why: `Undoing it now would break something else: ${KINDS[critical.kind].title.toLowerCase()}.` }
}

/** Relies on its instances and its migration as they are now, and is locked as a repair of them would be. */
function guardedNow(undo: HealPart, snapshot: Snapshot): HealPart {
  const ids = instanceGuards(undo.guards).map(({ id }) => id)
  const [instance = null, ...furtherInstances] = snapshot.instances.flatMap(({ id, generation }) =>
    ids.includes(id) ? [{ id, generation }] : [],
  )
  const migration = snapshot.migrations.find(({ id }) => id === undo.guards.migration?.id)
  const guards = {
    ...{ providers: undo.guards.providers, instance, group: null },
    ...(furtherInstances.length > 0 && { furtherInstances }),
    migration: migration ? { id: migration.id, generation: migration.generation, fence: null } : null,
  }
  return partOf({ ...undo, guards, locked: lockOf(undo.finding, ids, locksOf(snapshot)) })
}

/** The subjects of the repair: an undo restores what was wrong with them. */
function subjectsOf({ finding, lines }: HealPart): ReadonlySet<string> {
  const ids = lines.flatMap((line) => {
    if (line.row === 'claim') return [line.before, line.after].flatMap((claim) => claim?.instance ?? [])
    if (line.row === 'allocation') return [line.key.consumer]
    return line.row === 'instance' || line.row === 'consumer' ? [line.key.id] : []
  })
  return new Set<string>([...ids, ...finding.consumers, ...(finding.instance === null ? [] : [finding.instance])])
}

function isOf(finding: Finding, undo: HealPart): boolean {
  if (fingerprintOf(finding) === undo.fingerprint) return true
  const subjects = subjectsOf(undo)
  if (finding.instance !== null) return subjects.has(finding.instance)
  return finding.consumers.length > 0 && finding.consumers.every((each) => subjects.has(each))
}
