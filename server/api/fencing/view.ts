import type { FencingMethodKind, FencingState } from '../../engine/fencing/fencing'
import { type Host, type HostStatus, isDead } from '../../engine/host'
import { type EventRow, listEvents } from '../../store/event/trail-read'
import { type FencingRow, readLatestFencing } from '../../store/fencing/fencing'
import { readSurveys } from '../../store/survey/survey'
import { mayAll, type Permit, type Rights, touchedHost } from '../permit/rights'
import type { Ms } from '../plain'
import { needsApproval } from '../proposal/propose'
import type { ApiServices } from '../services'
import { fencingPermit } from './fence'
import type { FencingMethodView } from './service'

// The evidence that a host is powered off, how certain it is, and the log of its fencing device.

export interface FencingView {
  /**
   * attested: confirmed by an operator only. verified: its BMC or command reported off. contradicted: a survey reached
   * the host after that.
   */
  readonly state: 'none' | 'attested' | 'verified' | 'contradicted'
  readonly by: string | null
  readonly at: Ms | null
  readonly how: string
  /** The reason that was given with it. */
  readonly reason: string | null
  /** How the host can be powered off automatically; null: only an operator can attest it. */
  readonly method: FencingMethodView | null
  /** Whether it may be powered off now. */
  readonly permit: Permit
  /** True when that needs a second person first. */
  readonly asks: boolean
  /** The last request since the host was marked up or down: an earlier one proves nothing now. */
  readonly attempt: FencingAttempt | null
}

export interface FencingAttempt {
  readonly id: string
  readonly method: FencingMethodKind
  readonly state: FencingState
  readonly by: string
  readonly askedAt: Ms
  readonly deadlineAt: Ms
  readonly endedAt: Ms | null
  /** The orders and readings, oldest first. */
  readonly log: readonly { readonly at: Ms; readonly says: string }[]
}

const EVENTS_READ = 500

export async function fencingView(services: ApiServices, host: Host, rights: Rights): Promise<FencingView> {
  const { database } = services
  const [events, [survey], last, permit, asks] = await Promise.all([
    listEvents(database, { host: host.id, progress: false, limit: EVENTS_READ }),
    readSurveys(database, [host.id]),
    readLatestFencing(database, host.id),
    fencingPermit(services, host, rights),
    needsApproval(services, 'fenced'),
  ])
  const aliveAt = Math.max(...(['up', 'down'] as const).map((status) => statedAs(events, status)?.at ?? 0))
  const attempt = last !== null && (last.state === 'running' || last.askedAt >= aliveAt) ? last : null
  const rest = {
    ...{
      method: services.fencing.methodOf(host),
      permit,
      asks: asks && mayAll(rights, 'operate', [touchedHost(host)]),
    },
    attempt: attempt && attemptView(attempt),
  }
  if (!isDead(host.status)) {
    const how = `${host.name} is recorded ${host.status}: it is not attested or verified as powered off.`
    return { ...rest, state: 'none', by: null, at: null, how, reason: null }
  }
  const stated = statedAs(events, host.status)
  const verifiedAt = attempt?.state === 'verified' ? attempt.endedAt : null
  const since = Math.max(stated?.at ?? 0, verifiedAt ?? 0)
  const answeredSince = survey?.answered === true && survey.askedAt > since
  const { who: by = null, at = null, reason = null } = stated ?? {}
  const state = answeredSince ? 'contradicted' : verifiedAt === null ? 'attested' : 'verified'
  return { ...rest, state, by, at, how: stated?.reason ?? `${host.name} is recorded ${host.status}.`, reason }
}

const statedAs = (events: readonly EventRow[], status: HostStatus) =>
  events.find(({ kind, data }) => kind === 'host.status' && data.status === status)

const attemptView = ({ id, method, state, who, askedAt, deadlineAt, endedAt, log }: FencingRow): FencingAttempt => ({
  ...{ id, method, state, by: who, askedAt, deadlineAt, endedAt, log },
})
