import type { ClaimPlan } from '../claim'
import type { Operation } from '../migration/state'
import type { HostId, InstanceId } from '../words/ids'
import type { DrainGuest } from './ask'
import { afterMove, type Board, placeOf } from './board'
import type { Desk, Option } from './desk'

/** One move of a plan in the making. */
export interface Step {
  readonly guest: InstanceId
  readonly from: HostId
  readonly to: HostId
  readonly method: Operation
  readonly plan: ClaimPlan
  /** Hosts that would have taken it then. */
  readonly fits: number
}

/** How far a search came: the moves in order, and where everybody stands after them. */
export interface Course {
  readonly board: Board
  readonly steps: readonly Step[]
}

interface Way {
  readonly option: Option
  readonly fits: number
}

/** `fits`: how many hosts would have taken it. */
export function went(course: Course, guest: DrainGuest, { option, fits }: Way): Course {
  const id = guest.instance.id
  const from = placeOf(course.board, id)
  if (from === null) return course
  const step: Step = { guest: id, from, to: option.host.id, method: option.method, plan: option.plan, fits }
  return { board: afterMove(course.board, id, option.plan), steps: [...course.steps, step] }
}

/** Guests that should leave and still stand on the host. */
export function still(desk: Desk, board: Board): readonly DrainGuest[] {
  return desk.leaving.filter((guest) => placeOf(board, guest.instance.id) === desk.ask.host)
}
