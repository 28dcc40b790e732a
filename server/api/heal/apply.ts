import type { HealApplyResult } from '../../audit/healing'
import type { Actor } from '../../engine/change'
import type { StoredPart as PartText } from '../../engine/heal/part'
import type { Refusal } from '../../engine/words/refusal'
import { type PartState, type PlanRow, readPlan, type StoredPart } from '../../store/heal/plan'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'

// Applies a repair for a user who may: directly, or after a second person's approval.

export interface RepairRequest {
  readonly plan: string
  readonly parts: readonly number[]
  readonly actor: Actor
}

export interface FoundPlan {
  readonly plan: PlanRow
  readonly parts: readonly StoredPart[]
}

export async function planOr404({ database }: Pick<ApiServices, 'database'>, id: string): Promise<FoundPlan> {
  return (await readPlan(database, id)) ?? refuseUnknown('repair', id)
}

/** Throws when a part is not of this plan or is locked. */
export function checkParts({ parts }: FoundPlan, chosen: readonly number[]): void {
  const about = { what: 'Apply the repair' }
  for (const n of chosen) {
    const part = parts.find((each) => each.n === n)
    if (!part) {
      refuse('bad-input', { ...about, need: 'expected numbers of parts of this repair', have: 'parts' })
    }
    const { locked, title } = part.part as PartText
    if (locked !== null) {
      refuse('not-permitted', { ...about, need: title, have: locked, where: `part ${n}` })
    }
  }
}

/**
 * Refused if nothing of it is written: an approval of it must not be shown as carried out. Otherwise returns why a part
 * was not, or null.
 */
export async function applyApproved(services: ApiServices, action: RepairRequest): Promise<Refusal | null> {
  const { applied, conflicts, whyNotReplaced } = await applyHeal(services, action)
  if (applied > 0) {
    const have = `${applied} of ${action.parts.length} parts were: others have changed rows`
    const inPart = { kind: 'changed-meanwhile', where: {}, need: 'all parts to be written', have } as const
    return conflicts.length === 0 ? null : inPart
  }
  const { parts } = await planOr404(services, action.plan)
  // By a server that was stopped before it noted the approval as carried out.
  if (parts.some(({ n, state }) => action.parts.includes(n) && WRITTEN.has(state))) return null
  const have = whyNotReplaced ?? 'others: a new plan replaced this repair'
  const about = { what: 'Apply the repair', notChanged: 'Nothing was written.', next: 'Review the new plan.' }
  return refuse('changed-meanwhile', { ...about, need: 'the rows as they were shown', have })
}

const WRITTEN: ReadonlySet<PartState> = new Set(['applied', 'undone'])

export async function applyHeal(services: ApiServices, action: RepairRequest): Promise<HealApplyResult> {
  checkParts(await planOr404(services, action.plan), action.parts)
  return services.audit.healing.apply(action)
}
