import { type ClaimPlan, decide, type Question, type Verdict } from '../engine/claim'
import { type Demand, demandOf } from '../engine/demand'
import type { Host } from '../engine/host'
import { liveGuestOf } from '../engine/live'
import { operationRow } from '../engine/migration/operations'
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
  const question = questionFor(view, asked.demand)
  if ('refusal' in question) return refused([{ host: m.source ?? '', refusals: [question.refusal] }])
  const moving = yield* ask('inFlight', { migration: m.id })
  if (isFull(view, moving, options)) return queued(moving)
  if (m.keepsClaim && m.source !== null) return yield* claimed(m.source, null)
  if (m.requestedTarget !== null) return yield* takeHost(question, m.requestedTarget)
  return yield* chooseHost(question, moving, options)
}

type Ask = Omit<Question, 'host' | 'prepared'>

function questionFor(view: MigrationView, demand: Demand): Ask | { readonly refusal: Refusal } {
  const { migration: m, instance, source, group } = view
  const row = operationRow(m.operation)
  const live = row.source === 'running' && source !== null ? liveGuestOf(source, instance.id) : null
  if (row.source === 'running' && live === null) {
    return { refusal: { kind: 'wrong-state', where: {}, need: 'a claim at the source', have: 'none' } }
  }
  return {
    demand,
    instance: instance.id,
    group,
    live,
    notHost: row.target === 'other-host' ? m.source : null,
  }
}

function* takeHost(question: Ask, wanted: HostId): Acting {
  const host = yield* ask('host', { host: wanted })
  if (host === null) {
    return refused([{ host: wanted, refusals: [{ kind: 'unknown', where: {}, need: wanted, have: 'no such host' }] }])
  }
  const verdict = decide({ ...question, host })
  return verdict.ok ? yield* claimed(wanted, verdict.plan) : refused([{ host: wanted, refusals: verdict.refusals }])
}

// The ranking may be made on old snapshots; the plan never is. A host that took another claim meanwhile is asked
// again as it is now, and when it refuses, the next in rank is asked.
function* chooseHost(question: Ask, moving: InFlight, options: TurnOptions): Acting {
  const hosts = yield* ask('hosts', {})
  const isBusy = (host: Host) => (moving.byTarget.get(host.id) ?? 0) >= options.limits.perTarget
  const choice = choose(
    question,
    hosts.filter((host) => !isBusy(host)),
    { policy: options.policy },
  )
  const refusals: HostRefusals[] = [...choice.refusals]
  for (const ranked of choice.plans) {
    const verdict = yield* freshVerdict(question, ranked.host.id)
    if (verdict === null) continue
    if (verdict.ok) return yield* claimed(ranked.host.id, verdict.plan)
    refusals.push({ host: ranked.host.id, refusals: verdict.refusals })
  }
  // A host whose incoming slots are taken might fit: that is a reason to wait in the queue, not to fail.
  const later = choose(question, hosts.filter(isBusy), { policy: options.policy })
  return later.plans.length > 0 ? queued(moving) : refused([...refusals, ...later.refusals])
}

function* freshVerdict(question: Ask, id: HostId): Generator<Effect, Verdict | null, unknown> {
  const host = yield* ask('host', { host: id })
  return host === null ? null : decide({ ...question, host })
}

function* claimed(target: HostId, plan: ClaimPlan | null): Acting {
  const claim = plan === null ? null : { id: yield* ask('newClaimId', {}), plan }
  return { kind: 'fact', fact: { is: 'claimed', target }, claim }
}

const refused = (hosts: readonly HostRefusals[]): Act => ({ kind: 'fact', fact: { is: 'refused', hosts }, claim: null })

const queued = (moving: InFlight): Act => ({
  kind: 'fact',
  fact: { is: 'no-slot', place: moving.queuedBefore + 1 },
  claim: null,
})

function isFull({ migration: m }: MigrationView, moving: InFlight, { limits }: TurnOptions): boolean {
  const fromSource = m.source === null ? 0 : (moving.bySource.get(m.source) ?? 0)
  const toTarget = m.requestedTarget === null ? 0 : (moving.byTarget.get(m.requestedTarget) ?? 0)
  return moving.fleet >= limits.fleet || fromSource >= limits.perSource || toTarget >= limits.perTarget
}
