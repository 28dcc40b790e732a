import { type ClaimPlan, decide } from '../engine/claim'
import { type Demand, demandOf } from '../engine/demand'
import type { Host } from '../engine/host'
import { loadsSource } from '../engine/migration/operations'
import { type MigrationQuestion, type MigrationQuestionResult, questionOf } from '../engine/migration/question'
import { choose, inRankOrder } from '../engine/scheduler'
import { preparedOf } from '../engine/topology/numa'
import type { HostId } from '../engine/words/ids'
import type { HostRefusals, Refusal } from '../engine/words/refusal'
import type { ActionGenerator, StepAction } from './actions'
import { ask, type Effect, type InFlight, type MigrationView } from './effects'
import type { TickOptions } from './options'

// The action of `claim`: wait for a slot, choose a host, plan on a fresh snapshot of it. The plan is committed with the
// tick; on a conflict, the next action plans again on the current records.

export function* claimAction(view: MigrationView, options: TickOptions): ActionGenerator {
  const { migration: m, instance } = view
  const result = demandOf(m.newFlavor, m.newImage, { ...options.demand, zone: instance.zone })
  if (!result.ok) return refused([{ host: '', refusals: result.refusals }])
  const answer = questionFor(view, result.demand)
  if (!answer.ok) return refused([{ host: m.source ?? '', refusals: [answer.refusal] }])
  const moving = yield* ask('inFlight', { migration: m.id })
  if (isFull(view, moving, options)) return queued(moving)
  if (m.keepsClaim && m.source !== null) return yield* claimed(m.source, null)
  const search: HostSearch = { question: answer.question, view, options }
  if (m.requestedTarget !== null) return yield* takeHost(search, m.requestedTarget)
  return yield* chooseHost(search, moving)
}

function questionFor(
  { migration: m, instance, source, group }: MigrationView,
  demand: Demand,
): MigrationQuestionResult {
  return questionOf({ operation: m.operation, instance, source, demand, group, storage: m.storage })
}

interface HostSearch {
  readonly question: MigrationQuestion
  readonly view: MigrationView
  readonly options: TickOptions
}

function* takeHost(search: HostSearch, wanted: HostId): ActionGenerator {
  const found = yield* planOn(search, wanted)
  if (found.is === 'planned') return yield* claimed(wanted, found)
  return found.is === 'busy' ? queued(found.moving) : refused([{ host: wanted, refusals: found.refusals }])
}

// The ranking may use stale snapshots; the plan never does. A host that took another claim meanwhile is checked again,
// and when it refuses, the next in rank is checked.
function* chooseHost(search: HostSearch, moving: InFlight): ActionGenerator {
  const { question, options } = search
  const hosts = yield* ask('hosts', {})
  const isBusy = (host: Host) => isBusyWith(moving, host.id, options)
  const ranking = { policy: options.policy }
  const fits = (host: Host) => decide({ ...question, host, prepared: preparedOf(host), verdictOnly: true }).ok
  const free = hosts.filter((each) => !isBusy(each))
  const refusals: HostRefusals[] = []
  let busy = false
  for (const host of silentLast(inRankOrder({ ...question, verdictOnly: true }, free, ranking), options)) {
    if (!fits(host)) continue
    const found = yield* planOn(search, host.id)
    if (found.is === 'planned') return yield* claimed(host.id, found)
    if (found.is === 'busy') busy = true
    else refusals.push({ host: host.id, refusals: found.refusals })
  }
  // A host whose incoming slots are taken might fit: that is a reason to queue, not to fail.
  if (busy || hosts.some((host) => isBusy(host) && fits(host))) return queued(moving)
  // The reasons of a whole fleet are most of the work, and only a migration that fits nowhere needs them.
  return refused([...refusals, ...choose(question, hosts, ranking).refusals])
}

/** These hosts are not marked as down, so they may be chosen, but a migration there waits until they answer. */
function silentLast(hosts: readonly Host[], { silentHosts }: TickOptions): readonly Host[] {
  if (!silentHosts?.size) return hosts
  return [...hosts.filter(({ id }) => !silentHosts.has(id)), ...hosts.filter(({ id }) => silentHosts.has(id))]
}

type PlanResult =
  /** `view`: what the plan was decided on. */
  | { readonly is: 'planned'; readonly plan: ClaimPlan; readonly view: MigrationView }
  | { readonly is: 'busy'; readonly moving: InFlight }
  | { readonly is: 'refused'; readonly refusals: readonly Refusal[] }

// No await from here to the commit, so that this server's next claim sees this one and the two do not race.
function* planOn({ question, view, options }: HostSearch, id: HostId): Generator<Effect, PlanResult, unknown> {
  const { id: migration, source: from } = view.migration
  const { source, target, inFlight } = yield* ask('candidate', { migration, source: from, target: id })
  if (target === null) {
    return { is: 'refused', refusals: [{ kind: 'unknown', where: {}, need: id, have: 'no such host' }] }
  }
  const now = { ...view, source }
  const result = questionFor(now, question.demand)
  if (!result.ok) return { is: 'refused', refusals: [result.refusal] }
  const verdict = decide({ ...result.question, host: target })
  if (!verdict.ok) return { is: 'refused', refusals: verdict.refusals }
  const busy = isFull(view, inFlight, options) || isBusyWith(inFlight, id, options)
  return busy ? { is: 'busy', moving: inFlight } : { is: 'planned', plan: verdict.plan, view: now }
}

const isBusyWith = (moving: InFlight, target: HostId, { limits }: TickOptions) =>
  (moving.byTarget.get(target) ?? 0) >= limits.perTarget

type PlannedClaim = Extract<PlanResult, { is: 'planned' }>

function* claimed(target: HostId, planned: PlannedClaim | null): ActionGenerator {
  if (planned === null) return { kind: 'fact', fact: { is: 'claimed', target }, claim: null }
  const { plan, view } = planned
  const claim = { id: yield* ask('newClaimId', {}), plan }
  return {
    kind: 'fact',
    fact: { is: 'claimed', target, keptAmounts: plan.keptAmounts, storage: plan.storage },
    claim,
    view,
  }
}

const MAX_STORED_HOSTS = 32 // stored with the migration permanently; the explain page evaluates the whole fleet again

/** For a large fleet only the hosts closest to a fit are stored: those with the fewest reasons. */
function refused(hosts: readonly HostRefusals[]): StepAction {
  const nearest = [...hosts].sort((a, b) => a.refusals.length - b.refusals.length).slice(0, MAX_STORED_HOSTS)
  return { kind: 'fact', fact: { is: 'refused', hosts: nearest, asked: hosts.length }, claim: null }
}

const queued = (moving: InFlight): StepAction => ({
  kind: 'fact',
  fact: { is: 'no-slot', place: moving.queuedBefore + 1 },
  claim: null,
})

function isFull({ migration: m }: MigrationView, moving: InFlight, { limits }: TickOptions): boolean {
  const fromSource = m.source === null || !loadsSource(m.operation) ? 0 : (moving.bySource.get(m.source) ?? 0)
  const toTarget = m.requestedTarget === null ? 0 : (moving.byTarget.get(m.requestedTarget) ?? 0)
  return moving.fleet >= limits.fleet || fromSource >= limits.perSource || toTarget >= limits.perTarget
}
