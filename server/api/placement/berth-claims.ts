import type { Refused } from '../../store/placement/refused'
import { CODES, conflict, type Problem } from './problem'

// What this door must leave alone: the books of instances and moves that Berth itself carries.

/** An inventory would fall under what Berth's instances hold of it (I1). */
export const claimsInTheWay = ({ class: of, provider }: Refused): Problem =>
  conflict(
    `Inventory for '${of}' on resource provider '${provider}' would be less than what instances hold that Berth drives. Move them away first. Nothing was changed.`,
    CODES.inventoryInUse,
  )

/** A consumer is an instance or a move of Berth's own. */
export const drivenByBerth = ({ consumer }: Refused): Problem =>
  conflict(
    `Consumer ${consumer} is an instance or a migration that Berth drives, and only Berth changes what it holds. Move, resize or delete it in Berth. Nothing was changed.`,
  )
