import { randomUUID } from 'node:crypto'
import { fingerprintOf } from '../engine/audit'
import { type Actor, type Change, type Conflict, instanceGuards } from '../engine/change'
import {
  changeOfPart,
  type HealPart,
  hostsOf,
  type StoredPart as PartText,
  restoredPart,
  undoPart,
} from '../engine/heal/part'
import { planHeal } from '../engine/heal/plan'
import { briefOf, type FindingBrief, predictFindings } from '../engine/heal/predicted-findings'
import { rebaseUndo } from '../engine/heal/rebase-undo'
import type { HostId, InstanceId } from '../engine/words/ids'
import type { Projection } from '../fleet/projection'
import type { CommitResult } from '../store/commit/commit'
import type { Database } from '../store/database/database'
import { readFindings, readOpenFindings, type StoredFinding } from '../store/finding/list'
import {
  commitPart,
  noteVerified,
  type PartResult,
  type PartState,
  type PlanState,
  putPlan,
  readPlan,
  type StoredPart,
  settlePlan,
} from '../store/heal/plan'
import type { AuditService, FindingBody } from './auditing'
import { healOptions } from './heal-options'
import { changedLines } from './plan-difference'

// From findings to a reviewable plan, and from chosen parts of it to rows: exactly as shown, or not at all.

export interface HealingParts {
  readonly database: Database
  readonly fleet: Pick<Projection, 'commit'>
  readonly auditing: AuditService
  now(): number
}

export type HealPlanResult =
  | { readonly ok: true; readonly plan: string }
  /** Why there is nothing to plan: the finding is gone, or no change of rows repairs it. */
  | { readonly ok: false; readonly why: string }

export interface HealRequest {
  readonly plan: string
  /** Numbers of the parts to apply. */
  readonly parts: readonly number[]
  readonly actor: Actor
}

export interface HealApplyResult {
  /** State of the plan, or of the one that replaced it with the same lines. */
  readonly state: PlanState
  /** Parts that were written now. */
  readonly applied: number
  readonly conflicts: readonly Conflict[]
  /** The new plan for the parts whose rows were not as shown. */
  readonly replacedBy: string | null
  /** Why there is none although rows were not as shown; else null. */
  readonly whyNotReplaced: string | null
  /** New findings of the audit that followed. */
  readonly found: readonly FindingBrief[]
}

export interface HealService {
  plan(findings: readonly string[], by: string): Promise<HealPlanResult>
  /** Parts applied before are left alone, so applying is idempotent. */
  apply(ask: HealRequest): Promise<HealApplyResult>
  /** A plan that reverses what was applied of this one. */
  undo(plan: string, by: string): Promise<HealPlanResult>
}

const GONE = 'It no longer exists.'

export function makeHealing(parts: HealingParts): HealService {
  return {
    plan: (findings, by) => planNew(parts, { findings, by, replaces: null }),
    apply: (ask) => applyAsShown(parts, ask),
    undo: (plan, by) => planUndo(parts, plan, by),
  }
}

interface HealPlanInput {
  readonly findings: readonly string[]
  readonly by: string
  /** The plan that this one replaces, with its parts. */
  readonly replaces: { readonly plan: string; readonly parts: readonly StoredPart[] } | null
}

async function planNew(parts: HealingParts, { findings, by, replaces }: HealPlanInput): Promise<HealPlanResult> {
  const rows = await readFindings<FindingBody>(parts.database, findings)
  const idOf = new Map(rows.map(({ id, fingerprint }) => [fingerprint, id]))
  const { judged, planned } = await plannedOf(parts, rows)
  if (planned.length === 0) return { ok: false, why: GONE }
  const made = planned.flatMap(({ healing }) => (healing.ok ? [healing.part] : []))
  if (made.length === 0) {
    const why = planned.flatMap(({ healing }) => (healing.ok ? [] : [healing.why]))
    return { ok: false, why: why[0] ?? GONE }
  }
  const plan = randomUUID()
  const before = new Map((replaces?.parts ?? []).map((part) => [part.finding, part.part as PartText]))
  await putPlan(parts.database, {
    ...{ id: plan, madeBy: by, at: parts.now(), undoOf: null, replaces: replaces?.plan ?? null },
    foreseen: predictFindings(
      made.filter(({ locked }) => locked === null),
      judged,
    ),
    parts: made.map((part, index) => {
      const finding = idOf.get(part.fingerprint) ?? ''
      const old = before.get(finding)
      return { n: index + 1, finding, part, changed: old ? changedLines(old.lines, part.lines) : [] }
    }),
  })
  return { ok: true, plan }
}

/**
 * The repairs of findings that still exist. The cache may be behind on an instance whose last writes had no event, so
 * the instances that a repair turns out to touch are read again too: their generations guard it.
 */
async function plannedOf(parts: HealingParts, rows: readonly StoredFinding[]) {
  const prints = new Set(rows.map(({ fingerprint }) => fingerprint))
  const { hosts, instances } = subjectsOf(rows)
  const read = new Set(instances)
  for (let rounds = 1; ; rounds++) {
    const judged = await parts.auditing.judge({ hosts, instances: [...read] })
    const there = judged.findings.filter((finding) => prints.has(fingerprintOf(finding)))
    const planned = planHeal(there, judged.snapshot, healOptions(judged.demandFor))
    const unread = planned
      .flatMap(({ healing }) => (healing.ok ? instancesOf(healing.part) : []))
      .filter((id) => !read.has(id))
    if (unread.length === 0 || rounds === MAX_ROUNDS) return { judged, planned }
    for (const id of unread) read.add(id)
  }
}

const MAX_ROUNDS = 3 // a repair rarely touches other instances once their rows are read again

const instancesOf = ({ guards }: Pick<PartText, 'guards'>): readonly InstanceId[] =>
  instanceGuards(guards).map(({ id }) => id)

/** Also the instance of a finding whose repair writes none of its rows. */
const touchedBy = (part: Pick<PartText, 'finding' | 'guards'>): readonly InstanceId[] =>
  [part.finding.instance ?? [], instancesOf(part)].flat()

function subjectsOf(rows: readonly StoredFinding[]): { hosts: HostId[]; instances: InstanceId[] } {
  const ids = (values: readonly (string | null)[]) => [...new Set(values.filter((id) => id !== null))]
  return {
    hosts: ids(rows.map(({ host }) => host)) as HostId[],
    instances: ids(rows.map(({ instance }) => instance)) as InstanceId[],
  }
}

async function planUndo(parts: HealingParts, id: string, by: string): Promise<HealPlanResult> {
  const found = await readPlan(parts.database, id)
  if (!found) return { ok: false, why: 'Repair not found.' }
  const begun = found.plan.undoneBy === null ? null : await readPlan(parts.database, found.plan.undoneBy)
  if (begun?.plan.state === 'draft') return { ok: true, plan: begun.plan.id }
  const applied = found.parts.filter(({ state }) => state === 'applied')
  if (applied.length === 0) return { ok: false, why: 'Nothing of it was applied, so there is nothing to undo.' }
  const backwards = applied.map((each) => ({ ...each, part: undoPart(restored(id, each)) }))
  return putUndo(parts, { undoOf: id, replaces: null, by, undos: backwards })
}

/** A part from its table. One that no planner could have made was written by another program. */
function restored(plan: string, { n, part }: Pick<StoredPart, 'n' | 'part'>): HealPart {
  const made = restoredPart(part as PartText)
  if (!made) throw new Error(`Part ${n} of repair ${plan} names rows that no repair may write.`)
  return made
}

/**
 * A row that was written meanwhile, for example by a retried migration, makes a new plan. It often writes what was
 * shown, and then needs no second review.
 */
async function applyAsShown(parts: HealingParts, ask: HealRequest): Promise<HealApplyResult> {
  const first = await apply(parts, ask)
  if (first.replacedBy === null) return first
  const [shown, anew] = await Promise.all([ask.plan, first.replacedBy].map((id) => readPlan(parts.database, id)))
  const same = anew?.parts.filter((part) => shown?.parts.some((old) => writesTheSame(old, part))) ?? []
  if (!anew || same.length === 0) return first
  const then = await apply(parts, { ...ask, plan: anew.plan.id, parts: same.map(({ n }) => n) })
  const isDone = then.applied === anew.parts.length
  return {
    state: isDone ? then.state : first.state,
    applied: first.applied + then.applied,
    conflicts: isDone ? [] : first.conflicts,
    replacedBy: isDone ? null : (then.replacedBy ?? first.replacedBy),
    whyNotReplaced: then.whyNotReplaced,
    found: [...first.found, ...then.found],
  }
}

function writesTheSame(old: StoredPart, part: StoredPart): boolean {
  const [before, now] = [old.part as PartText, part.part as PartText]
  return old.finding === part.finding && part.changed.length === 0 && before.lines.length === now.lines.length
}

async function apply(parts: HealingParts, { plan: id, parts: chosen, actor }: HealRequest): Promise<HealApplyResult> {
  const { database } = parts
  const found = await readPlan(database, id)
  if (!found) throw new Error(`There is no repair ${id}.`)
  const wanted = found.parts.filter(({ n }) => chosen.includes(n))
  const known = new Set((await readOpenFindings(database)).map(({ fingerprint }) => fingerprint))
  const conflicts: Conflict[] = []
  const changed: StoredPart[] = []
  let applied = 0
  for (const each of wanted) {
    const part = restoredPart(each.part as PartText)
    if (part === null) {
      conflicts.push({ on: 'row', id: `part ${each.n}`, expected: 'rows that a repair may write', found: 'others' })
      continue
    }
    const change = changeOfPart(part, { actor, at: parts.now(), plan: id })
    if (change === null) continue
    const committed = await commitRepair(parts, { plan: id, n: each.n, change })
    if (committed.ok) applied += 1
    else if ('conflict' in committed) {
      conflicts.push(committed.conflict)
      changed.push(each)
    }
  }
  const state = await settlePlan(database, { plan: id, chosen, reason: actor.reason ?? '' })
  const anew = await replaced(parts, { id, undoOf: found.plan.undoOf, changed, by: actor.who })
  const next = applied > 0 ? await verify(parts, { plan: id, applied: wanted, known }) : []
  const [replacedBy, whyNotReplaced] = anew?.ok ? [anew.plan, null] : [null, anew?.why ?? null]
  return { state, applied, conflicts, replacedBy, whyNotReplaced, found: next }
}

async function commitRepair(
  parts: HealingParts,
  ask: { plan: string; n: number; change: Change },
): Promise<PartResult> {
  let was: PartState | null = null
  const committed = await parts.fleet.commit(ask.change, async (change): Promise<CommitResult> => {
    const answer = await commitPart(parts.database, { ...ask, change })
    if (!('was' in answer)) return answer
    was = answer.was
    return { ok: false, conflict: { on: 'row', id: `part ${ask.n}`, expected: 'open', found: answer.was } }
  })
  return was === null ? committed : { ok: false, was }
}

interface StalePlan {
  readonly id: string
  readonly undoOf: string | null
  readonly changed: readonly StoredPart[]
  readonly by: string
}

/** After a concurrent write: a repair is planned again from what is still wrong, an undo from what it undoes. */
async function replaced(parts: HealingParts, { id, undoOf, changed, by }: StalePlan): Promise<HealPlanResult | null> {
  if (changed.length === 0) return null
  if (undoOf !== null) {
    const undos = changed.map((each) => ({ ...each, part: restored(id, each) }))
    return putUndo(parts, { undoOf, replaces: id, by, undos })
  }
  const findings = changed.map(({ finding }) => finding)
  return planNew(parts, { findings, by, replaces: { plan: id, parts: changed } })
}

interface UndoRequest {
  readonly undoOf: string
  readonly replaces: string | null
  readonly by: string
  readonly undos: readonly (Pick<StoredPart, 'n' | 'finding'> & { readonly part: HealPart })[]
}

/** Covers the parts that can be undone in the present rows; lines that differ from what the repair left are marked. */
async function putUndo(parts: HealingParts, { undoOf, replaces, by, undos }: UndoRequest): Promise<HealPlanResult> {
  const baseline = await parts.auditing.judge({
    hosts: undos.flatMap(({ part }) => hostsOf(part.lines)),
    instances: undos.flatMap(({ part }) => touchedBy(part)),
  })
  const made = undos.map((each) => ({ ...each, anew: rebaseUndo(each.part, baseline) }))
  const planned = made.flatMap(({ n, finding, part, anew }) =>
    anew.ok ? [{ n, finding, part: anew.part, changed: changedLines(part.lines, anew.part.lines) }] : [],
  )
  const why = made.flatMap(({ anew }) => (anew.ok ? [] : [anew.why]))
  if (planned.length === 0) return { ok: false, why: why[0] ?? GONE }
  const plan = randomUUID()
  await putPlan(parts.database, {
    id: plan,
    madeBy: by,
    at: parts.now(),
    undoOf,
    replaces,
    foreseen: null,
    parts: planned,
  })
  return { ok: true, plan }
}

interface VerifyRequest {
  readonly plan: string
  readonly applied: readonly StoredPart[]
  /** Fingerprints of the findings open before. */
  readonly known: ReadonlySet<string>
}

/** Audits the touched objects, and reports remaining and new findings. */
async function verify(parts: HealingParts, { plan, applied, known }: VerifyRequest): Promise<readonly FindingBrief[]> {
  const bodies = applied.map(({ part }) => part as PartText)
  const instances = [...new Set(bodies.flatMap(touchedBy))]
  const hosts = bodies.flatMap(({ lines }) => hostsOf(lines))
  const { findings, at } = await parts.auditing.audit({ hosts, instances })
  const prints = new Set(bodies.map(({ fingerprint }) => fingerprint))
  const about = new Set<string>(bodies.flatMap(({ finding }) => finding.instance ?? []))
  const left = findings.filter((each) => prints.has(each.fingerprint) || about.has(each.instance ?? '')).length
  const touched = new Set<string>([...instances, ...hosts])
  const found = findings.flatMap(({ fingerprint, host, instance, body }) => {
    const isAbout = touched.has(host ?? '') || touched.has(instance ?? '')
    return isAbout && !known.has(fingerprint) ? [briefOf(body.finding, true)] : []
  })
  await noteVerified(parts.database, plan, { at, left, found })
  return found
}
