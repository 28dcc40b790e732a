import type { Change, Conflict } from '../../engine/change'
import type { FindingBrief } from '../../engine/heal/predicted-findings'
import { timeText } from '../commit/change-row'
import { type CommitResult, commitOn, untilNoDeadlock } from '../commit/commit'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { partOf, planOf } from '../decode/heal'

// Repairs as planned, shown, applied and undone. A part's rows and its state are one transaction: "applied" is
// reliable, and a part is never applied twice.

export type PlanState = 'draft' | 'applied' | 'partly-applied' | 'changed' | 'undone'
export type PartState = 'open' | 'applied' | 'changed' | 'undone' | 'left-out'

export interface StoredPart {
  readonly n: number
  readonly finding: string
  /** As stored; must be validated again before use. */
  readonly part: unknown
  /** Indexes of lines that differ from the replaced plan. */
  readonly changed: readonly number[]
  readonly state: PartState
  readonly appliedAt: number | null
  readonly conflict: Conflict | null
}

export interface PlanRow {
  readonly id: string
  readonly state: PlanState
  readonly madeAt: number
  readonly madeBy: string
  readonly reason: string | null
  readonly undoOf: string | null
  readonly undoneBy: string | null
  readonly replacedBy: string | null
  /** Findings that it leaves or causes, as predicted by the plan; null: unknown. */
  readonly foreseen: readonly FindingBrief[] | null
  readonly verified: {
    readonly at: number
    readonly left: number
    /** New findings in the audit after the repair. */
    readonly found: readonly FindingBrief[]
  } | null
  readonly parts: number
  readonly applied: number
}

export interface NewPlan {
  readonly id: string
  readonly madeBy: string
  readonly at: number
  readonly undoOf: string | null
  /** The replaced plan. */
  readonly replaces: string | null
  readonly foreseen: readonly FindingBrief[] | null
  readonly parts: readonly Pick<StoredPart, 'n' | 'finding' | 'part' | 'changed'>[]
}

export function putPlan(database: Database, plan: NewPlan): Promise<void> {
  return inTransaction(database, async (client) => {
    await client.query(
      `insert into heal_plan (id, state, made_at, made_by, undo_of, foreseen) values ($1, 'draft', $2, $3, $4, $5)`,
      [plan.id, timeText(plan.at), plan.madeBy, plan.undoOf, plan.foreseen && JSON.stringify(plan.foreseen)],
    )
    await client.query(
      `insert into heal_part (plan_id, n, finding_id, part, changed, state)
        select $1, n, finding, part, coalesce(changed, '{}'), 'open' from jsonb_to_recordset($2::jsonb)
          as r(n int, finding uuid, part jsonb, changed int[])`,
      [plan.id, JSON.stringify(plan.parts)],
    )
    if (plan.replaces)
      await client.query('update heal_plan set replaced_by = $2 where id = $1', [plan.replaces, plan.id])
    if (plan.undoOf) await client.query('update heal_plan set undone_by = $2 where id = $1', [plan.undoOf, plan.id])
  })
}

const PLAN = `p.id, p.state, ms(p.made_at)::float8 as "madeAt", p.made_by as "madeBy", p.reason, p.undo_of as "undoOf",
  p.undone_by as "undoneBy", p.replaced_by as "replacedBy",
  case when p.verified_at is not null then json_build_object('at', ms(p.verified_at), 'left', p.verified_left,
    'found', coalesce(p.found, '[]')) end as verified, p.foreseen,
  (select count(*)::int from heal_part x where x.plan_id = p.id) as parts,
  (select count(*)::int from heal_part x where x.plan_id = p.id and x.state = 'applied') as applied`

export async function readPlan(
  { pool }: Database,
  id: string,
): Promise<{ readonly plan: PlanRow; readonly parts: readonly StoredPart[] } | null> {
  const [plans, parts] = await Promise.all([
    pool.query<PlanRow>(`select ${PLAN} from heal_plan p where p.id = $1`, [id]),
    pool.query<StoredPart>(
      `select n, finding_id as finding, part, changed, state, ms(applied_at)::float8 as "appliedAt", conflict
       from heal_part where plan_id = $1 order by n`,
      [id],
    ),
  ])
  const [plan] = plans.rows
  return plan ? { plan: planOf(plan), parts: parts.rows.map(partOf) } : null
}

/** Newest first. */
export async function listPlans({ pool }: Database, limit: number): Promise<PlanRow[]> {
  return (
    await pool.query<PlanRow>(`select ${PLAN} from heal_plan p order by p.made_at desc, p.id limit $1`, [limit])
  ).rows.map(planOf)
}

/** Plans that touched any of these findings, newest first. */
export async function readPlansOf({ pool }: Database, findings: readonly string[]): Promise<PlanRow[]> {
  const { rows } = await pool.query<PlanRow>(
    `select ${PLAN} from heal_plan p
     where p.id in (select plan_id from heal_part where finding_id = any($1::uuid[])) order by p.made_at desc, p.id`,
    [findings],
  )
  return rows.map(planOf)
}

export interface PartCommit {
  readonly plan: string
  readonly n: number
  readonly change: Change
}

/** `was`: the part was already settled, so nothing was written. */
export type PartResult = CommitResult | { readonly ok: false; readonly was: PartState }

/**
 * Writes the part's rows, its state and that of the plan, or, when a row was not as shown, only the states: the next part
 * may never come.
 */
export function commitPart(database: Database, { plan, n, change }: PartCommit): Promise<PartResult> {
  return untilNoDeadlock(() =>
    inTransaction(database, async (client): Promise<PartResult> => {
      const { rows } = await client.query<{ state: PartState }>(
        'select state from heal_part where plan_id = $1 and n = $2 for update',
        [plan, n],
      )
      const was = rows[0]?.state
      if (was === undefined) throw new Error(`There is no part ${n} of repair ${plan}.`)
      if (was !== 'open' && was !== 'left-out') return { ok: false, was }
      const committed = await commitOn(client, change)
      if (!committed.ok) {
        await client.query(`update heal_part set state = 'changed', conflict = $3 where plan_id = $1 and n = $2`, [
          ...[plan, n, JSON.stringify(committed.conflict)],
        ])
        await client.query(SETTLE, [plan])
        return committed
      }
      await client.query(`update heal_part set state = 'applied', applied_at = $3 where plan_id = $1 and n = $2`, [
        ...[plan, n, timeText(change.at)],
      ])
      await client.query(
        `update heal_part set state = 'undone'
         where n = $2 and plan_id = (select undo_of from heal_plan where id = $1) and state = 'applied'`,
        [plan, n],
      )
      await client.query(SETTLE, [plan])
      return committed
    }),
  )
}

const SETTLED = `case
  when not exists (select 1 from heal_part x where x.plan_id = p.id and x.state in ('applied', 'undone')) then
    case when exists (select 1 from heal_part x where x.plan_id = p.id and x.state = 'changed') then 'changed' else 'draft' end
  when not exists (select 1 from heal_part x where x.plan_id = p.id and x.state = 'applied') then 'undone'
  when exists (select 1 from heal_part x where x.plan_id = p.id and x.state <> 'applied') then 'partly-applied'
  else 'applied' end`

/** This plan and the one it undoes. */
const CONCERNED = 'p.id = $1 or p.id = (select undo_of from heal_plan where id = $1)'

const SETTLE = `update heal_plan p set state = ${SETTLED} where ${CONCERNED}`

/**
 * After parts were committed: unchosen parts are marked as left out, and the plan (and the one it undoes) gets its
 * state.
 */
export async function settlePlan(
  { pool }: Database,
  { plan, chosen, reason }: { readonly plan: string; readonly chosen: readonly number[]; readonly reason: string },
): Promise<PlanState> {
  await pool.query(
    `update heal_part set state = 'left-out' where plan_id = $1 and state = 'open' and n <> all($2::int[])`,
    [plan, chosen],
  )
  const { rows } = await pool.query<{ id: string; state: PlanState }>(
    `update heal_plan p set state = ${SETTLED}, reason = case when p.id = $1 then $2 else p.reason end
     where ${CONCERNED} returning id, state`,
    [plan, reason],
  )
  const settled = rows.find(({ id }) => id === plan)
  if (!settled) throw new Error(`There is no repair ${plan}.`)
  return settled.state
}

export async function noteVerified(
  { pool }: Database,
  plan: string,
  { at, left, found }: NonNullable<PlanRow['verified']>,
): Promise<void> {
  await pool.query('update heal_plan set verified_at = $2, verified_left = $3, found = $4 where id = $1', [
    ...[plan, timeText(at), left, JSON.stringify(found)],
  ])
}
