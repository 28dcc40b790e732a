import type { Change } from '../engine/books'
import { HOST_TRUTHS, type Host, type HostAdmission, type HostTruth, isDead } from '../engine/host'
import type { HostId } from '../engine/words/ids'
import { readClaimTimes } from '../store/claim-times'
import { readHost } from '../store/host-read'
import { landed } from './commit'
import type { ClaimView, HostAction, HostConsequences, HostDetail, HostMapView, HostRow, Page } from './contract'
import { fleetNow, hostNotes, instancesIn } from './fleet-now'
import { filterHosts, HOST_SORTS, sortHosts } from './host-list'
import { hostId, object, oneOf, paged, query, reason, someOf, zones } from './inputs'
import { namesOf } from './names'
import { HOST_ACTIONS, hostObjection, isFateful, permitFor } from './permits'
import { refuse, refuseUnknown } from './refused'
import type { ApiServices } from './services'
import { actorOf, type CallerContext, operator, router, support, viewer } from './trpc'
import { claimView, moveRef } from './views/claim'
import { hostDetail, hostRow, instancesOn, NO_NOTES, NO_TRAFFIC } from './views/host'
import { hostMapView } from './views/map'

const ADMISSIONS = ['open', 'disabled', 'quarantined'] as const satisfies HostAdmission[]
const byId = object({ id: hostId })
const listInput = object({
  q: query.optional(),
  truth: someOf(HOST_TRUTHS),
  admission: someOf(ADMISSIONS),
  zone: zones,
  ...paged(HOST_SORTS),
})

export const hostRouter = router({
  list: viewer.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<Page<HostRow>> => {
    const { services, caller } = ctx
    const now = await fleetNow(services)
    const found = filterHosts(services.fleet.hosts(), input)
    const notes = await hostNotes(services)
    const rows = found.map((host) =>
      hostRow(host, {
        role: caller.role,
        notes: notes.get(host.id) ?? NO_NOTES,
        traffic: now.traffic.get(host.id) ?? NO_TRAFFIC,
      }),
    )
    const sorted = sortHosts(rows, input)
    return { rows: sorted.slice(input.offset, input.offset + input.limit), total: rows.length, seq: now.seq }
  }),

  zones: viewer.query(({ ctx }): readonly string[] => {
    const named = ctx.services.fleet.hosts().flatMap((host) => (host.zone === null ? [] : [host.zone]))
    return [...new Set(named)].sort()
  }),

  byId: viewer.input(byId).query(async ({ ctx, input }): Promise<HostDetail> => {
    const { services, caller } = ctx
    const host = hostOr404(services, input.id)
    const [now, notes, names, simulator] = await Promise.all([
      fleetNow(services),
      hostNotes(services, [host.id]),
      namesOf(services, host.remains),
      host.driver === 'simulated' ? (services.simulator?.host(host.id) ?? null) : null,
    ])
    return hostDetail(host, {
      role: caller.role,
      notes: notes.get(host.id) ?? NO_NOTES,
      traffic: now.traffic.get(host.id) ?? NO_TRAFFIC,
      ...{ names, simulator },
    })
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
      const host = hostOr404(services, input.id)
      const { active } = await fleetNow(services)
      const moves = [...active.values()]
      const touched = moves.filter(({ source, target }) => source === host.id || target === host.id)
      const waiting = moves.filter(({ waiting: w }) => w?.for === 'host' && w.host === host.id)
      const mine = permitFor(caller.role, 'steer')
      const why = hostObjection(host, input.action)
      return {
        action: input.action,
        permit: !mine.ok || why === null ? mine : { ok: false, why },
        instances: instancesOn(host),
        movesThatGoOn: goesOn(input.action) ? waiting.map(moveRef) : [],
        movesTouched: touched.length,
        needsTypedName: isFateful(input.action),
        needsReason: needsReason(input.action),
      }
    }),

  setTruth: operator
    .input(object({ id: hostId, truth: oneOf(HOST_TRUTHS), reason: reason.optional() }))
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      return setHost(ctx, { id: input.id, action: input.truth, reason: input.reason })
    }),

  setAdmission: operator
    .input(object({ id: hostId, admission: oneOf(['open', 'disabled']), reason: reason.optional() }))
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      const action = input.admission === 'open' ? 'enable' : 'disable'
      return setHost(ctx, { id: input.id, action, reason: input.reason })
    }),
})

function hostOr404({ fleet }: Pick<ApiServices, 'fleet'>, id: HostId): Host {
  return fleet.host(id) ?? refuseUnknown('host', id)
}

/** A silent host holds its moves up; any other truth lets them go on, one way or the other. */
const goesOn = (action: HostAction): boolean => action === 'up' || action === 'fenced' || action === 'gone'
const needsReason = (action: HostAction): boolean => action !== 'up' && action !== 'enable'

interface HostWish {
  readonly id: HostId
  readonly action: HostAction
  readonly reason: string | undefined
}

async function setHost(ctx: CallerContext, { id, action, reason: why }: HostWish): Promise<{ acceptedAt: number }> {
  const { services } = ctx
  const about = (host: Host) => ({ what: `State ${host.name} ${action}`, where: host.name })
  return landed(services, async () => {
    const host = (await readHost(services.database, id)) ?? refuseUnknown('host', id)
    const objection = hostObjection(host, action)
    if (objection !== null) refuse({ kind: 'not-permitted', where: {}, need: action, have: objection }, about(host))
    if (needsReason(action) && why === undefined) {
      refuse(
        { kind: 'bad-input', where: {}, need: 'expected a reason: it is kept with the host', have: 'reason' },
        about(host),
      )
    }
    const at = services.now()
    return {
      change: hostChange(host, action, { actor: actorOf(ctx, why), at }),
      about: about(host),
      answer: { acceptedAt: at },
    }
  })
}

function hostChange(host: Host, action: HostAction, moment: Pick<Change, 'actor' | 'at'>): Change {
  const root = host.providers[0]
  const set = hostSet(host, action)
  return {
    // Whoever stated something else since must not be overwritten unseen.
    guards: {
      providers: root ? [{ provider: root.id, generation: root.generation }] : [],
      ...{ instance: null, migration: null, group: null },
    },
    writes: [{ do: 'set-host', id: host.id, set: { ...set, reason: moment.actor.reason ?? '' } }],
    event: {
      kind: set.truth === undefined ? 'host.admission' : 'host.truth',
      hosts: [host.id],
      ...{ instance: null, migration: null },
      data: { ...set, was: { truth: host.truth, admission: host.admission } },
    },
    ...moment,
  }
}

/** A host that comes back from the dead takes nothing until it is cleaned (I11). */
function hostSet(host: Host, action: HostAction): { truth?: HostTruth; admission?: HostAdmission } {
  if (action === 'enable') return { admission: 'open' }
  if (action === 'disable') return { admission: 'disabled' }
  const returns = action === 'up' && isDead(host.truth) && host.remains.length > 0
  return returns ? { truth: action, admission: 'quarantined' } : { truth: action }
}
