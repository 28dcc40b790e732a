import type { Actor } from '../../engine/change'
import type { Host } from '../../engine/host'
import type { HostId } from '../../engine/words/ids'
import { type FencingApproval, startFencing } from '../../store/fencing/fencing'
import { readHost } from '../../store/host/read'
import { notesOf } from '../host/fleet-now'
import { setHostStatus } from '../host/state'
import { contactOf } from '../host/view'
import { type Permit, permitOn, type Rights, touchedHost } from '../permit/rights'
import { hostId, object, reason } from '../procedure/inputs'
import { actorOf, operator } from '../procedure/procedure'
import { needsApproval, propose } from '../proposal/propose'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import type { FencingMethodView } from './service'

// Requests to power a host off by a BMC or command. The API stores the request and returns; the runner reports
// progress.

export interface FenceRequest {
  readonly host: HostId
  readonly actor: Actor
  readonly approved: FencingApproval | null
}

/** `proposal`: it needs a second person's approval; nothing is powered off yet. */
export const fenceHost = operator
  .on(object({ id: hostId, reason }), ({ id }) => [{ of: 'host', id }])
  .mutation(async ({ ctx, input }): Promise<{ acceptedAt: number; proposal?: string }> => {
    const { services } = ctx
    const request = { host: input.id, actor: actorOf(ctx, input.reason), approved: null }
    if (!(await needsApproval(services, 'fenced'))) return requestFencing(services, request)
    await checkedFencing(services, input.id)
    return {
      acceptedAt: services.now(),
      proposal: await propose(ctx, { kind: 'fencing', host: input.id, actor: request.actor }),
    }
  })

/** A host that is recorded up is marked as down first: nothing more is to start there. */
export async function requestFencing(services: ApiServices, request: FenceRequest): Promise<{ acceptedAt: number }> {
  const { actor, approved } = request
  const { host, method, about } = await checkedFencing(services, request.host)
  if (host.status === 'up') {
    await setHostStatus(services, { id: host.id, action: 'down', actor, ...(approved && { approved }) })
  }
  const at = services.now()
  const fencing = {
    id: services.newId(),
    host: host.id,
    method: method.kind,
    approved,
    deadlineAt: at + method.deadlineMs,
  }
  if (!(await startFencing(services.database, { ...fencing, actor, at })))
    refuse('not-permitted', { ...about, need: about.what, have: 'The host is being fenced already.' })
  services.fencing.wake()
  return { acceptedAt: at }
}

async function checkedFencing(services: ApiServices, id: HostId) {
  const host = (await readHost(services.database, id)) ?? refuseUnknown('host', id)
  const about = { what: `Fence ${host.name}`, where: host.name, notChanged: 'Nothing was powered off.' }
  const method = services.fencing.methodOf(host)
  const objection = fencingObjection(host, method, await isUpAndAnswers(services, host))
  if (objection === null && method !== null) return { host, method, about }
  return refuse('not-permitted', { ...about, need: about.what, have: objection ?? '' })
}

/** One that is recorded down may be fenced although it still answers. */
async function isUpAndAnswers(services: ApiServices, host: Host): Promise<boolean> {
  if (host.status !== 'up') return false
  return contactOf(host, await notesOf(services, host)) === 'answering'
}

/** Why it makes no sense now; null when it does. */
function fencingObjection(
  { name, status }: Pick<Host, 'name' | 'status'>,
  method: FencingMethodView | null,
  isAnswering: boolean,
): string | null {
  if (method === null) return `No way to fence ${name} is configured.`
  if (isAnswering) return `${name} is up and answers: its instances run there. Drain it, or mark it as down first.`
  return status === 'lost' ? 'A permanently lost host never returns.' : null
}

/** Whether it may be fenced now. */
export async function fencingPermit(services: ApiServices, host: Host, rights: Rights): Promise<Permit> {
  const mine = permitOn(rights, 'operate', [touchedHost(host)])
  if (!mine.ok) return mine
  const why = fencingObjection(host, services.fencing.methodOf(host), await isUpAndAnswers(services, host))
  return why === null ? mine : { ok: false, why }
}
