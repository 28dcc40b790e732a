import { type ClaimPlan, decide } from '../engine/claim'
import { demandOf } from '../engine/demand'
import type { Host } from '../engine/host'
import { loadsSource } from '../engine/migration/operations'
import { type MoveQuestion, questionOf } from '../engine/migration/question'
import { choose } from '../engine/scheduler'
import type { HostId } from '../engine/words/ids'
import type { HostRefusals, Refusal } from '../engine/words/refusal'
import type { Act, Acting } from './acts'
import { ask, type Effect, type InFlight, type MigrationView } from './effects'
import type { TurnOptions } from './options'

// The act of `claim`: wait for a slot, find a host, plan on a fresh snapshot of it. The plan lands with the commit of
// the turn; when somebody was faster the commit answers a conflict, and the next act plans again on what is true then.

export function* claimAct(view: MigrationView, options: TurnOptions): Acting {
  const { migration: m, instance } = view
  const asked = demandOf(m.newFlavor, m.newImage, { ...options.demand, zone: instance.zone })
  if (!asked.ok) return refused([{ host: '', refusals: asked.refusals }])
  const { source, group } = view
  const move = questionOf({ operation: m.operation, instance, source, demand: asked.demand, group, storage: m.storage })
  if (!move.ok) return refused([{ host: m.source ?? '', refusals: [move.refusal] }])
  const moving = yield* ask('inFlight', { migration: m.id })
  if (isFull(view, moving, options)) return queued(moving)
  if (m.keepsClaim && m.source !== null) return yield* claimed(m.source, null)
  const looking: Looking = { question: move.question, view, options }
  if (m.requestedTarget !== null) return yield* takeHost(looking, m.requestedTarget)
  return yield* chooseHost(looking, moving)
}

interface Looking {
  readonly question: MoveQuestion
  readonly view: MigrationView
  readonly options: TurnOptions
}

function* takeHost(looking: Looking, wanted: HostId): Acting {
  const found = yield* planOn(looking, wanted)
  if (found.is === 'planned') return yield* claimed(wanted, found.plan)
  return found.is === 'busy' ? queued(found.moving) : refused([{ host: wanted, refusals: found.refusals }])
}

// The ranking may be made on old snapshots; the plan never is. A host that took another claim meanwhile is asked
// again as it is now, and when it refuses, the next in rank is asked.
function* chooseHost(looking: Looking, moving: InFlight): Acting {
  const { question, options } = looking
  const hosts = yield* ask('hosts', {})
  const isBusy = (host: Host) => isBusyWith(moving, host.id, options)
  const ranking = { policy: options.policy }
  const fitting = (among: readonly Host[]) => choose({ ...question, onlyWhether: true }, among, ranking).plans
  const refusals: HostRefusals[] = []
  let busy = false
  for (const { host } of silentLast(fitting(hosts.filter((each) => !isBusy(each))), options)) {
    const found = yield* planOn(looking, host.id)
    if (found.is === 'planned') return yield* claimed(host.id, found.plan)
    if (found.is === 'busy') busy = true
    else refusals.push({ host: host.id, refusals: found.refusals })
  }
  // A host whose incoming slots are taken might fit: that is a reason to wait in the queue, not to fail.
  if (busy || fitting(hosts.filter(isBusy)).length > 0) return queued(moving)
  // The reasons of a whole fleet are most of the work, and only a move that nobody takes has a use for them.
  return refused([...refusals, ...choose(question, hosts, ranking).refusals])
}

/** Nobody has stated that they are down, so they may be taken; but a move that goes there waits until they answer. */
function silentLast(plans: readonly Ranked[], { silent }: TurnOptions): readonly Ranked[] {
  if (!silent?.size) return plans
  return [...plans.filter(({ host }) => !silent.has(host.id)), ...plans.filter(({ host }) => silent.has(host.id))]
}

type Ranked = ReturnType<typeof choose>['plans'][number]

type PlanResult =
  | { readonly is: 'planned'; readonly plan: ClaimPlan }
  | { readonly is: 'busy'; readonly moving: InFlight }
  | { readonly is: 'refused'; readonly refusals: readonly Refusal[] }

// Slots are counted after the snapshot was read: whoever takes one later raises the generation the plan relies on.
function* planOn({ question, view, options }: Looking, id: HostId): Generator<Effect, PlanResult, unknown> {
  const host = yield* ask('host', { host: id })
  if (host === null) {
    return { is: 'refused', refusals: [{ kind: 'unknown', where: {}, need: id, have: 'no such host' }] }
  }
  const verdict = decide({ ...question, host })
  if (!verdict.ok) return { is: 'refused', refusals: verdict.refusals }
  const moving = yield* ask('inFlight', { migration: view.migration.id })
  const busy = isFull(view, moving, options) || isBusyWith(moving, id, options)
  return busy ? { is: 'busy', moving } : { is: 'planned', plan: verdict.plan }
}

const isBusyWith = (moving: InFlight, target: HostId, { limits }: TurnOptions) =>
  (moving.byTarget.get(target) ?? 0) >= limits.perTarget

function* claimed(target: HostId, plan: ClaimPlan | null): Acting {
  const claim = plan === null ? null : { id: yield* ask('newClaimId', {}), plan }
  const fact = plan === null ? {} : { kept: plan.kept, storage: plan.storage }
  return { kind: 'fact', fact: { is: 'claimed', target, ...fact }, claim }
}

const TOLD_HOSTS = 32 // kept with the migration for good; the explain page asks the whole fleet anew

/** Of a large fleet only the hosts nearest to a yes are told: those with the fewest reasons. */
function refused(hosts: readonly HostRefusals[]): Act {
  const nearest = [...hosts].sort((a, b) => a.refusals.length - b.refusals.length).slice(0, TOLD_HOSTS)
  return { kind: 'fact', fact: { is: 'refused', hosts: nearest, asked: hosts.length }, claim: null }
}

const queued = (moving: InFlight): Act => ({
  kind: 'fact',
  fact: { is: 'no-slot', place: moving.queuedBefore + 1 },
  claim: null,
})

function isFull({ migration: m }: MigrationView, moving: InFlight, { limits }: TurnOptions): boolean {
  const fromSource = m.source === null || !loadsSource(m.operation) ? 0 : (moving.bySource.get(m.source) ?? 0)
  const toTarget = m.requestedTarget === null ? 0 : (moving.byTarget.get(m.requestedTarget) ?? 0)
  return moving.fleet >= limits.fleet || fromSource >= limits.perSource || toTarget >= limits.perTarget
}
