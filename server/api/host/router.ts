import { HOST_LIST } from '@/lists/host'
import { HOST_SCHEDULING, HOST_STATUSES, type Host, type HostStatus } from '../../engine/host'
import type { HostId } from '../../engine/words/ids'
import { readClaimTimes } from '../../store/claim/times'
import { readHost } from '../../store/host/read'
import { type ClaimView, claimView, type MigrationRef, migrationRef } from '../claim/view'
import { fenceHost } from '../fencing/fence'
import { namesOf } from '../names/read'
import { HOST_ACTIONS, type HostAction, hostObjection, marksHostDead } from '../permit/permits'
import { type Permit, permitOn, touchedHost } from '../permit/rights'
import type { Ms, Page } from '../plain'
import { hostId, listed, object, oneOf, query, reason, someOf, zones } from '../procedure/inputs'
import { actorOf, type CallerContext, operator, router, support, viewer } from '../procedure/procedure'
import { needsApproval, proposeStatus } from '../proposal/propose'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { fleetNow, hostNotes, hostWithKind, instancesIn, notesOf, rowParts } from './fleet-now'
import { countHosts, filterHosts, type HostCounts, sortHosts, whereHosts } from './list'
import { type HostMapView, hostMapView } from './map'
import { setMemoryPolicy } from './memory'
import { needsReason, resumesMigrations, setHostStatus } from './state'
import {
  contactOf,
  type HostDetail,
  type HostKind,
  type HostRow,
  hostDetail,
  hostKind,
  hostRow,
  instancesOn,
  NO_NOTES,
} from './view'

/** The consequences of setting a status or changing scheduling. */
export interface HostConsequences {
  readonly action: HostAction
  readonly permit: Permit
  readonly instances: number
  readonly movesThatGoOn: readonly MigrationRef[]
  readonly movesTouched: number
  /** Two-person approval applies to it, whoever requests it. */
  readonly asks: boolean
  readonly needsTypedName: boolean
  readonly needsReason: boolean
  /** For a status that contradicts an answering host: time of its last answer. Null if it does not answer. */
  readonly answeredAt: Ms | null
}

const byId = object({ id: hostId })
const listInput = object({
  q: query.optional(),
  status: someOf(HOST_STATUSES),
  scheduling: someOf(HOST_SCHEDULING),
  zone: zones,
  ...listed(HOST_LIST),
})

export const hostRouter = router({
  list: viewer.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<Page<HostRow>> => {
    const { seq, rows } = await rowsOf(ctx, filterHosts(ctx.services.fleet.hosts(), input))
    const sorted = sortHosts(whereHosts(rows, input.where), input)
    return { rows: sorted.slice(input.offset, input.offset + input.limit), total: sorted.length, seq }
  }),

  counts: viewer.query(async ({ ctx }): Promise<HostCounts> => {
    const { rows } = await rowsOf(ctx, ctx.services.fleet.hosts())
    return countHosts(rows)
  }),

  /** By host id; simulated hosts are omitted. */
  kinds: viewer.query(async ({ ctx }): Promise<Readonly<Record<string, HostKind>>> => {
    const real = ctx.services.fleet.hosts().filter(({ driver }) => driver !== 'simulated')
    if (real.length === 0) return {}
    const notes = await hostNotes(
      ctx.services,
      real.map(({ id }) => id),
    )
    return Object.fromEntries(
      real.flatMap((host) => {
        const kind = hostKind(host, notes.get(host.id) ?? NO_NOTES)
        return kind ? [[host.id, kind]] : []
      }),
    )
  }),

  zones: viewer.query(({ ctx }): readonly string[] => {
    const named = ctx.services.fleet.hosts().flatMap((host) => (host.zone === null ? [] : [host.zone]))
    return [...new Set(named)].sort()
  }),

  byId: viewer.input(byId).query(async ({ ctx, input }): Promise<HostDetail> => {
    const { services, caller } = ctx
    const host = hostOr404(services, input.id)
    const [{ partsOf }, names, simulator] = await Promise.all([
      rowParts(services, [host.id]),
      namesOf(services, host.leftovers),
      host.driver === 'simulated' ? (services.simulator?.host(host.id) ?? null) : null,
    ])
    return hostDetail(host, { rights: caller, ...partsOf(host), names, simulator })
  }),

  map: viewer.input(byId).query(async ({ ctx, input }): Promise<HostMapView> => {
    const { services } = ctx
    const host = hostOr404(services, input.id)
    const [{ active, seq }, names] = await Promise.all([fleetNow(services), namesOf(services, instancesIn([host]))])
    return hostMapView(host, { names, active, seq })
  }),

  claims: viewer.input(byId).query(async ({ ctx, input }): Promise<readonly ClaimView[]> => {
    const { services } = ctx
    const host = hostOr404(services, input.id)
    const [{ active }, names, since] = await Promise.all([
      fleetNow(services),
      namesOf(services, instancesIn([host])),
      readClaimTimes(services.database, { host: host.id }),
    ])
    return host.holdings.map((holding) => claimView(holding, { host, names, active, since }))
  }),

  consequences: support
    .input(object({ id: hostId, action: oneOf(HOST_ACTIONS) }))
    .query(async ({ ctx, input }): Promise<HostConsequences> => {
      const { services, caller } = ctx
      // From the tables, as the write will be: the fleet in memory may lag.
      const host = (await readHost(services.database, input.id)) ?? refuseUnknown('host', input.id)
      const { active } = await fleetNow(services)
      const migrations = [...active.values()]
      const touched = migrations.filter(({ source, target }) => source === host.id || target === host.id)
      const waiting = migrations.filter(({ waiting: w }) => w?.for === 'host' && w.host === host.id)
      const mine = permitOn(caller, 'operate', [touchedHost(host)])
      const why = hostObjection(await hostWithKind(services, host), input.action)
      return {
        action: input.action,
        permit: !mine.ok || why === null ? mine : { ok: false, why },
        instances: instancesOn(host),
        movesThatGoOn: resumesMigrations(input.action) ? waiting.map(migrationRef) : [],
        movesTouched: touched.length,
        asks: isStatus(input.action) && (await needsApproval(services, input.action)),
        needsTypedName: marksHostDead(input.action),
        needsReason: needsReason(input.action),
        answeredAt: deniesAnswers(input.action) ? await lastAnswerOf(services, host) : null,
      }
    }),

  /** `proposal`: it needs a second person's approval; the status is not changed yet. */
  setStatus: operator
    .on(object({ id: hostId, status: oneOf(HOST_STATUSES), reason: reason.optional() }), ({ id }) => [
      { of: 'host', id },
    ])
    .mutation(async ({ ctx, input }): Promise<{ acceptedAt: number; proposal?: string }> => {
      const { services } = ctx
      const { id, status } = input
      const actor = actorOf(ctx, input.reason)
      if (!(await needsApproval(services, status))) return setHostStatus(services, { id, action: status, actor })
      return { acceptedAt: services.now(), proposal: await proposeStatus(ctx, { host: id, status, actor }) }
    }),

  fence: fenceHost,

  setMemory: setMemoryPolicy,

  setScheduling: operator
    .on(object({ id: hostId, scheduling: oneOf(['enabled', 'disabled']), reason: reason.optional() }), ({ id }) => [
      { of: 'host', id },
    ])
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      const action = input.scheduling === 'enabled' ? 'enable' : 'disable'
      return setHostStatus(ctx.services, { id: input.id, action, actor: actorOf(ctx, input.reason) })
    }),
})

const isStatus = (action: HostAction): action is HostStatus => action !== 'enable' && action !== 'disable'

/** Of the statuses, all but up say that no instance is reachable there. */
const deniesAnswers = (action: HostAction): boolean => action === 'down' || marksHostDead(action)

async function lastAnswerOf(services: ApiServices, host: Host): Promise<Ms | null> {
  const notes = await notesOf(services, host)
  return contactOf(host, notes) === 'answering' ? notes.lastSeenAt : null
}

async function rowsOf({ services, caller }: CallerContext, hosts: readonly Host[]) {
  const { partsOf, now } = await rowParts(services)
  return { rows: hosts.map((host) => hostRow(host, { rights: caller, ...partsOf(host) })), seq: now.seq }
}

function hostOr404({ fleet }: Pick<ApiServices, 'fleet'>, id: HostId): Host {
  return fleet.host(id) ?? refuseUnknown('host', id)
}
