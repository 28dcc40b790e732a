import { z } from 'zod'
import { planLayout } from '../../engine/layout'
import { markChange, rolloutChange } from '../../engine/layout/change'
import { marksOf } from '../../engine/layout/dry-run'
import { layoutStateOf } from '../../engine/layout/marker'
import { commanded, newRollout, ROLLOUT_COMMANDS, type Rollout } from '../../engine/layout/rollout'
import { type HostId, parseHostId } from '../../engine/words/ids'
import { readHost } from '../../store/host/read'
import { childId } from '../../store/layout/ids'
import { readLastRollout, readMarker, readMarkers, readRollout } from '../../store/layout/read'
import { type ReshapeResult, reshapeHost } from '../../store/layout/reshape'
import { namesOf } from '../names/read'
import { permitTargetsOf } from '../permit/permits'
import { type Permit, permitOn, type Rights, touchedHost } from '../permit/rights'
import { commitWithRetry } from '../procedure/commit'
import { hostId, object, oneOf, reason } from '../procedure/inputs'
import {
  actorOf,
  attributionOf,
  type CallerContext,
  operator,
  proposer,
  router,
  support,
  viewer,
} from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import {
  type LayoutPlanView,
  type LayoutRollout,
  type LayoutRow,
  type LayoutState,
  layoutRow,
  lineViews,
  rolloutObjection,
  rolloutView,
  treeView,
} from './view'

const HOSTS_MAX = 5_000 // as many ids as the largest accepted body holds
const HOSTS = `expected 1 to ${HOSTS_MAX} ids of hosts, or all`
const someHosts = z.union([z.literal('all'), z.array(hostId).min(1, HOSTS).max(HOSTS_MAX, HOSTS)], { error: HOSTS })
const rolloutId = z
  .string({ error: 'expected the id of a rollout' })
  .refine((id) => parseHostId(id.slice(0, 37)) !== null, {
    error: 'expected the id of a rollout, a lower-case uuid',
  })

export const layoutRouter = router({
  list: viewer.query(async ({ ctx }): Promise<{ rows: readonly LayoutRow[]; wave: LayoutRollout | null }> => {
    const { services, caller } = ctx
    const [markers, rollout] = await Promise.all([readMarkers(services.database), readLastRollout(services.database)])
    const rows = services.fleet.hosts().map((host) => layoutRow(host, markers.get(host.id) ?? null, rollout))
    return {
      rows,
      wave: rollout && rolloutView(rollout, await namesOf(services, []), rolloutPermit(services, rollout, caller)),
    }
  }),

  plan: support.input(object({ host: hostId })).query(({ ctx, input }): Promise<LayoutPlanView> => {
    return planView(ctx.services, input.host, ctx.caller)
  }),

  /** Plans every host and changes nothing but the markers. */
  dryRun: proposer.everywhere.mutation(({ ctx }): Promise<{ planned: number; blocked: number }> => dryRun(ctx)),

  /** One host immediately (tRPC reserves the word apply). */
  convert: operator
    .on(object({ host: hostId, reason }), ({ host }) => [{ of: 'host', id: host }])
    .mutation(({ ctx, input }): Promise<{ state: LayoutState; blockedBy: string | null }> => apply(ctx, input)),

  startRollout: operator
    .on(object({ hosts: someHosts, reason }), ({ hosts }) =>
      hosts === 'all' ? [{ of: 'fleet', what: 'a rollout on all hosts' }] : hosts.map((id) => ({ of: 'host', id })),
    )
    .mutation(({ ctx, input }): Promise<{ wave: string }> => startRollout(ctx, input)),

  control: operator
    .on(object({ wave: rolloutId, do: oneOf(ROLLOUT_COMMANDS) }), ({ wave }) => [{ of: 'rollout', id: wave }])
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      const { services } = ctx
      const about = { what: `${input.do} rollout`, where: null }
      return commitWithRetry(services, async () => {
        const rollout = (await readRollout(services.database, input.wave)) ?? refuseUnknown('rollout', input.wave)
        const after = commanded(rollout, input.do)
        if (!('id' in after)) refuse('not-permitted', { ...about, need: input.do, have: after.why })
        const at = services.now()
        return { change: rolloutChange(rollout, after, { actor: actorOf(ctx), at }), about, answer: { acceptedAt: at } }
      })
    }),
})

const rolloutPermit = ({ fleet }: ApiServices, { hosts }: Rollout, rights: Rights): Permit =>
  permitOn(
    rights,
    'operate',
    permitTargetsOf((id) => fleet.host(id), hosts, 'the rollout'),
  )

async function planView(services: ApiServices, id: HostId, rights: Rights): Promise<LayoutPlanView> {
  const host = services.fleet.host(id) ?? refuseUnknown('host', id)
  const [marker, rollout, names] = await Promise.all([
    readMarker(services.database, id),
    readLastRollout(services.database),
    namesOf(
      services,
      host.holdings.map(({ consumer }) => consumer),
    ),
  ])
  const answer = planLayout(host, childId)
  const plan = answer.ok ? answer.plan : null
  const blockedBy = answer.ok ? null : answer.blockedBy
  const mine = permitOn(rights, 'operate', [touchedHost(host)])
  const permit: Permit = !mine.ok || blockedBy === null ? mine : { ok: false, why: blockedBy }
  return {
    ...{ host: { id, name: host.name }, state: layoutStateOf(host, marker, rollout), blockedBy, permit },
    before: treeView(host),
    after: plan && treeView(plan.after),
    lines: plan ? lineViews(plan.lines, [host, plan.after], names) : [],
    movedAllocations: plan?.lines.filter(({ row, after }) => row === 'allocation' && after === null).length ?? 0,
  }
}

/** Plans every flat host and stores the result on its marker; the records are not changed. */
function dryRun(ctx: CallerContext): Promise<{ planned: number; blocked: number }> {
  const { services } = ctx
  return commitWithRetry(services, async () => {
    const markers = await readMarkers(services.database)
    const marks = marksOf(services.fleet.hosts(), markers, childId)
    const planned = marks.filter(({ state }) => state === 'planned').length
    return {
      change: markChange(marks, attributionOf(ctx)),
      about: { what: 'Plan the layout of every host', where: null },
      answer: { planned, blocked: marks.length - planned },
    }
  })
}

const TRIES = 5

interface ApplyInput {
  readonly host: HostId
  readonly reason: string
}

async function apply(ctx: CallerContext, input: ApplyInput): Promise<{ state: LayoutState; blockedBy: string | null }> {
  const { services } = ctx
  const { database, commit } = services
  const { name } = (await readHost(database, input.host)) ?? refuseUnknown('host', input.host)
  let reshaped: ReshapeResult = { did: 'conflict' }
  for (let attempt = 0; reshaped.did === 'conflict'; attempt++) {
    if (attempt === TRIES) {
      const need = `${name} as it was planned`
      refuse('changed-meanwhile', { need, have: 'claims that came first', what: `Convert ${name}`, where: name })
    }
    reshaped = await reshapeHost({ database, commit, attribution: attributionOf(ctx, input.reason) }, input.host)
  }
  const host = (await readHost(database, input.host)) ?? refuseUnknown('host', input.host)
  const state = layoutStateOf(host, await readMarker(database, input.host), null)
  return { state, blockedBy: 'why' in reshaped ? reshaped.why : null }
}

interface RolloutInput {
  readonly hosts: readonly HostId[] | 'all'
  readonly reason: string
}

function startRollout(ctx: CallerContext, input: RolloutInput): Promise<{ wave: string }> {
  const { services } = ctx
  const about = { what: 'Start rollout', where: null }
  return commitWithRetry(services, async () => {
    const objection = rolloutObjection(await readLastRollout(services.database))
    if (objection !== null) refuse('not-permitted', { ...about, need: 'no other rollout', have: objection })
    const known = services.fleet.hosts()
    const wanted = input.hosts === 'all' ? known.map(({ id }) => id) : [...new Set(input.hosts)]
    const unknown = wanted.find((id) => services.fleet.host(id) === null)
    if (unknown !== undefined) refuseUnknown('host', unknown)
    const [id, at] = [services.newId(), services.now()]
    const rollout = newRollout({ id, hosts: wanted, by: ctx.caller.username, reason: input.reason, at })
    const change = rolloutChange(null, rollout, { actor: actorOf(ctx, input.reason), at })
    return { change, about, answer: { wave: id } }
  })
}
