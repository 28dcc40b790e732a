import { randomUUID } from 'node:crypto'
import type { DemandFor } from '../engine/audit/finding'
import { decide } from '../engine/claim'
import type { HealOptions } from '../engine/heal/plan-words'
import type { ClaimId } from '../engine/words/ids'

/** What the repair planner gets from outside: `decide`, and fresh ids. */
export const healOptions = (demandFor: DemandFor): HealOptions => ({
  demandFor,
  decide,
  newClaimId: () => randomUUID() as ClaimId,
})
