import { listSessions } from '../../store/user/sessions'
import type { Ms } from '../plain'
import type { CallerContext } from '../procedure/procedure'

/** An open session of a user. A time is null if its row has no valid one. */
export interface OpenSessionView {
  readonly id: string
  readonly createdAt: Ms | null
  /** Time of its last extension, which happens once a day of use. */
  readonly seenAt: Ms | null
  readonly expiresAt: Ms | null
  readonly address: string | null
  readonly userAgent: string | null
  /** The session of this request. */
  readonly isThis: boolean
}

export async function sessionsOf(
  { services, caller }: CallerContext,
  user: { readonly id: string },
): Promise<readonly OpenSessionView[]> {
  const sessions = await listSessions(services.database, user.id)
  return sessions.map((row) => ({ ...row, isThis: row.id === caller.session }))
}
