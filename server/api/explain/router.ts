import type { z } from 'zod'
import type { Demand, Flavor, Image } from '../../engine/demand'
import { type FunnelHost, type FunnelStep, funnelOf } from '../../engine/explain/funnel'
import type { Remedy } from '../../engine/explain/remedy'
import { OPERATIONS } from '../../engine/migration/state'
import { needsPlaces } from '../../engine/placing'
import { NO_NEED, type Tree } from '../../engine/resources/forest'
import { instancesByAmounts } from '../../engine/resources/instances-by-amounts'
import { findFlavor, findImage } from '../catalog/lookup'
import { shapeInput } from '../catalog/shape-input'
import type { ClaimTotals } from '../claim/view'
import { silenceOf, unansweringHosts } from '../host/fleet-now'
import type { PlanView } from '../migration/start-router'
import type { Ref } from '../names/names'
import type { Permit } from '../permit/rights'
import { maySomewhere } from '../permit/rights'
import type { Ms } from '../plain'
import { groupId, hostId, instanceId, line, object, oneOf } from '../procedure/inputs'
import { router, support, viewer } from '../procedure/procedure'
import { sharedWithHosts } from '../provider/router'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { type FixView, fixesOf, knownFix } from './fix'
import { axesFor, type LargestView, largestOfShape, type ShapeAxis } from './largest'
import { type ExplainRequest, requestForMigration, requestForShape } from './question'
import { type SummaryView, summaryView } from './summary'
import {
  countsOf,
  evaluateHosts,
  type HostEvaluation,
  heldOfDemand,
  planMapping,
  type RuleInShort,
  type VerdictSummary,
  verdictsInShort,
  verdictsOf,
} from './verdicts'

// The page behind "No valid host" (S11) and "why not there" (S3): one demand, the whole fleet, totals first.

/** The matrix shows rules, not where they apply. */
export type ExplainReason = Omit<RuleInShort, 'where'>

export interface ExplainHost extends Omit<VerdictSummary, 'reasons' | 'free'> {
  readonly reasons: readonly ExplainReason[]
  /** Known at once unless instances must leave: which ones, `explain.nearest` says. */
  readonly fix: FixView | null
}

export interface ExplainView {
  readonly permit: Permit
  readonly demand: ClaimTotals
  /** The demand, spelled out: the flavor of that name, or the custom shape. */
  readonly shape: Flavor
  readonly counts: {
    readonly hosts: number
    readonly ok: number
    readonly warning: number
    readonly refused: number
    /** Of those that fit, hosts that do not answer, or never did; a migration there waits for the host. */
    readonly unanswered: number
  }
  readonly summary: SummaryView
  readonly funnel: readonly FunnelStep[]
  /** The axes that `explain.nearest` searches. */
  readonly axes: readonly ShapeAxis[]
  /** Nova manages provider trees, too, which `explain.trees` checks. */
  readonly hasTrees: boolean
  /** As `MigrationVerdictsView.hosts`; null for users who may not see hosts. */
  readonly hosts: readonly ExplainHost[] | null
  readonly tookMs: number
  readonly at: Ms
  readonly seq: string
}

/** The nearest alternatives: shapes that fit, and changes after which hosts accept this one. */
export interface ExplainNearestView {
  readonly largest: readonly LargestView[]
  /**
   * By host, for the first sixty hosts that instances must leave; for any other, request `explain.host`. Null for users who
   * may not see hosts.
   */
  readonly fixes: { readonly [host: string]: FixView } | null
}

export interface ExplainHostView extends PlanView {
  readonly fix: FixView | null
}

const explainShape = {
  flavor: line('the name of a flavor').optional(),
  shape: shapeInput.optional(),
  image: line('the name of an image').optional(),
  zone: line('a zone').optional(),
  group: groupId.optional(),
  instance: instanceId.optional(),
  operation: oneOf(OPERATIONS).optional(),
}
const explainInput = object(explainShape)

export const explainRouter = router({
  /** Every user may see how many hosts refuse and by which rule; only investigators see which hosts. */
  get: viewer.input(explainInput).query(async ({ ctx, input }): Promise<ExplainView> => {
    const { services, caller } = ctx
    const began = performance.now()
    const seq = String(services.feed.head)
    const request = await explainRequestOf(services, input)
    const verdicts = evaluateHosts(request)
    const seesHosts = maySomewhere(caller, 'investigate')
    const hosts = seesHosts ? await inShort(services, request, verdicts) : null
    return {
      permit: request.permit,
      demand: heldOfDemand(request.question.demand),
      shape: request.spec.flavor,
      counts: { hosts: verdicts.length, ...countsOf(verdicts), unanswered: await unansweredAmong(services, verdicts) },
      summary: await summaryView(services, verdicts),
      funnel: funnelOf(verdicts.map(inFunnel)),
      axes: axesFor(request),
      hasTrees: (await treesOfNova(services)).length > 0,
      hosts,
      tookMs: Math.round(performance.now() - began),
      ...{ at: services.now(), seq },
    }
  }),

  /** A separate request, because it takes several times as many decisions: the verdicts do not wait for it. */
  nearest: viewer.input(explainInput).query(async ({ ctx, input, signal }): Promise<ExplainNearestView> => {
    const { services, caller } = ctx
    const request = { ...(await explainRequestOf(services, input)), signal }
    const seesHosts = maySomewhere(caller, 'investigate')
    const fixes = seesHosts ? Object.fromEntries(await fixesOf(services, request, firstToEmpty(request))) : null
    return { largest: await largestOfShape(request, seesHosts), fixes }
  }),

  /** The same shape and the trees that Nova keeps. */
  trees: viewer.input(explainInput).query(async ({ ctx, input }): Promise<ExplainTreesView> => {
    const { question } = await explainRequestOf(ctx.services, input)
    return treesFor(ctx.services, question.demand)
  }),

  /** One host in full: every reason with its nearest fix, or the claim that would be made. */
  host: support
    .input(object({ ...explainShape, host: hostId }))
    .query(async ({ ctx, input }): Promise<ExplainHostView> => {
      const { services } = ctx
      const host = services.fleet.host(input.host) ?? refuseUnknown('host', input.host)
      const { host: _host, ...question } = input
      const whole = await explainRequestOf(services, question)
      const request = { ...whole, hosts: whole.hosts.filter((each) => each.id === host.id) }
      const [verdict] = await verdictsOf(services, request)
      if (!verdict) {
        const have = 'this operation stays on its host'
        refuse('not-permitted', { need: 'the host it is on', have, what: `Ask ${host.name}` })
      }
      const [fixes, silence] = await Promise.all([fixesOf(services, request, [host.id]), silenceOf(services, host)])
      return { verdict, fix: fixes.get(host.id) ?? null, mapping: planMapping(request, host), silence }
    }),
})

/** Beyond this number of hosts that instances must leave, a fix is computed only on request for one host. */
const FIXES_AT_ONCE = 60

/** The image assumed for a shape without one. */
const NO_IMAGE: Image = { name: 'none', properties: {} }

type ExplainInput = z.output<typeof explainInput>

async function explainRequestOf(services: ApiServices, ask: ExplainInput): Promise<ExplainRequest> {
  const { flavor, image, zone, group, instance, operation } = ask
  const shape: Flavor | undefined = ask.shape && { name: 'typed', ...ask.shape }
  if (instance !== undefined) {
    return requestForMigration(services, { instance, operation: operation ?? 'live-migrate', flavor, shape, image })
  }
  const wanted = shape ?? (flavor === undefined ? refuseShapeless() : await findFlavor(services, flavor))
  const named = image === undefined ? NO_IMAGE : await findImage(services, image)
  return requestForShape(services, { flavor: wanted, image: named, zone, group })
}

function refuseShapeless(): never {
  const need = 'expected a flavor, a shape, or the instance to migrate'
  return refuse('bad-input', { need, have: 'flavor', what: 'Explain' })
}

async function inShort(
  services: ApiServices,
  request: ExplainRequest,
  all: readonly HostEvaluation[],
): Promise<readonly ExplainHost[]> {
  const verdicts = await verdictsInShort(services, request, all)
  const remedies = new Map<string, Remedy | null>(all.map(({ host, remedy }) => [host.id, remedy]))
  return verdicts.map(({ reasons, free: _free, ...row }) => {
    const fix = knownFix(remedies.get(row.host.id) ?? null)
    return { ...row, fix, reasons: reasons.map(({ where: _where, ...reason }) => reason) }
  })
}

const firstToEmpty = (request: ExplainRequest) =>
  evaluateHosts(request)
    .filter(({ remedy }) => remedy?.kind === 'instances')
    .slice(0, FIXES_AT_ONCE)
    .map(({ host }) => host.id)

async function unansweredAmong(services: ApiServices, verdicts: readonly HostEvaluation[]): Promise<number> {
  const unanswering = await unansweringHosts(services)
  return verdicts.filter(({ host, verdict }) => verdict !== 'refused' && unanswering.has(host.id)).length
}

function inFunnel({ verdict, reasons, remedy }: HostEvaluation): FunnelHost {
  if (verdict !== 'refused') return { reasons: [] }
  const kinds = reasons.map(({ kind }) => kind)
  return remedy?.kind === 'unfixable'
    ? { reasons: kinds, lasting: remedy.refusals.map(({ kind }) => kind) }
    : { reasons: kinds }
}

/** Trees of Placement API clients, and how often the shape fits there by amounts alone. */
interface ExplainTreesView {
  /** All such trees, and those that take at least one. */
  readonly counts: { readonly trees: number; readonly taking: number }
  /** At most fifty trees, those with most capacity for it first. */
  readonly trees: readonly ExplainTree[]
  /** The shape also requests a NUMA topology or devices, of which nothing is known here. */
  readonly needsPlaces: boolean
}

export interface ExplainTree extends Ref {
  readonly more: number
  /** The class that runs out first. */
  readonly limit: string | null
}

const MAX_TREES = 50

/** Trees without a host of Berth. */
async function treesOfNova(services: Pick<ApiServices, 'fleet' | 'forest'>): Promise<readonly Tree[]> {
  const forest = await services.forest.caughtUp()
  const own = new Set<string>(services.fleet.hosts().map(({ id }) => id))
  const shared = sharedWithHosts(services)
  return [...forest.trees(NO_NEED)].filter(({ root: { id } }) => !own.has(id) && !shared.has(id))
}

/** How often a demand fits into each tree without a host of Berth, by amounts alone: nothing more is known of them. */
async function treesFor(services: Pick<ApiServices, 'fleet' | 'forest'>, demand: Demand): Promise<ExplainTreesView> {
  const trees = (await treesOfNova(services)).map(({ root, providers }) => {
    const stocks = providers.map((each) => each.stocks)
    return { id: root.id, name: root.name, ...instancesByAmounts(stocks, demand.amounts) }
  })
  const taking = trees.filter(({ more }) => more > 0).length
  return {
    counts: { trees: trees.length, taking },
    // Equal ones keep the order of the forest, by name.
    trees: trees.toSorted((a, b) => b.more - a.more).slice(0, MAX_TREES),
    needsPlaces: needsPlaces(demand),
  }
}
