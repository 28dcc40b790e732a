import type { HealApplyResult } from '../../audit/healing'
import type { Actor } from '../../engine/change'
import type { StoredPart as PartText } from '../../engine/heal/part'
import { type PlanRow, readPlan, type StoredPart } from '../../store/heal/plan'
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

export async function applyHeal(services: ApiServices, action: RepairRequest): Promise<HealApplyResult> {
  checkParts(await planOr404(services, action.plan), action.parts)
  return services.audit.healing.apply(action)
}
