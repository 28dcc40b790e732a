import type { Actor } from '../../engine/change'
import { type Host, type HostScheduling, type HostStatus, isDead } from '../../engine/host'
import { hostChange } from '../../engine/host-change'
import type { HostId } from '../../engine/words/ids'
import { readHost } from '../../store/host/read'
import { type HostAction, hostObjection, type PermitHost } from '../permit/permits'
import { commitWithRetry } from '../procedure/commit'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { hostWithKind } from './fleet-now'

// Sets the status or scheduling of a host: the one way for it, with or without a second person's approval.

export interface HostStatusChange {
  readonly id: HostId
  readonly action: HostAction
  readonly actor: Actor
  /** The approver and the proposal, when two-person approval was needed. */
  readonly approved?: { readonly proposal: string; readonly proposedBy: string; readonly approvedBy: string }
}

/** Migrations wait for a silent host; with one of these statuses they continue or roll back. */
export const resumesMigrations = (action: HostAction): boolean =>
  action === 'up' || action === 'fenced' || action === 'lost'
export const needsReason = (action: HostAction): boolean => action !== 'up' && action !== 'enable'

/** Throws the refusal, or returns when the change was accepted. */
export async function setHostStatus(
  services: ApiServices,
  statement: HostStatusChange,
): Promise<{ acceptedAt: number }> {
  const { id, action, actor, approved } = statement
  return commitWithRetry(services, async () => {
    const host = (await readHost(services.database, id)) ?? refuseUnknown('host', id)
    checkStatusChange(await hostWithKind(services, host), action, actor.reason)
    const at = services.now()
    const change = hostChange(host, { set: hostSet(host, action), evidence: approved ?? {}, actor, at })
    return { change, about: aboutHost(host, action), answer: { acceptedAt: at } }
  })
}

const aboutHost = (host: Host, action: HostAction) => ({
  what: `Change host ${host.name} (${action})`,
  where: host.name,
})

/** Throws when it makes no sense now, or lacks the reason that is kept with the host. */
export function checkStatusChange(host: Host & PermitHost, action: HostAction, reason: string | null): void {
  const about = aboutHost(host, action)
  const objection = hostObjection(host, action)
  if (objection !== null) refuse('not-permitted', { ...about, need: action, have: objection })
  if (needsReason(action) && reason === null) {
    refuse('bad-input', { ...about, need: 'expected a reason; it is kept with the host', have: 'reason' })
  }
}

/** A host that returns from being fenced or lost takes nothing until it is cleaned (I11). */
function hostSet(host: Host, action: HostAction): { status?: HostStatus; scheduling?: HostScheduling } {
  if (action === 'enable') return { scheduling: 'enabled' }
  if (action === 'disable') return { scheduling: 'disabled' }
  const returns = action === 'up' && isDead(host.status) && host.leftovers.length > 0
  return returns ? { status: action, scheduling: 'quarantined' } : { status: action }
}
