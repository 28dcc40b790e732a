import type { InstanceView } from '../conductor/effects'
import type { TickOptions } from '../conductor/options'
import type { Actor, Change, Instance } from '../engine/change'
import { sameDemand } from '../engine/claim'
import { demandOf } from '../engine/demand'
import type { Host } from '../engine/host'
import { shelved, startBuild, startDelete } from '../engine/lifecycle'
import { accept, type InstanceSpec, type MigrationRequest } from '../engine/migration/accept'
import { acceptAction, permissionsOf } from '../engine/migration/machine'
import { operationRow } from '../engine/migration/operations'
import { requestChange } from '../engine/migration/requested-action'
import { type Migration, OPERATIONS, type Operation, REQUESTED_ACTIONS } from '../engine/migration/state'
import { choose } from '../engine/scheduler'
import type { GroupId } from '../engine/words/ids'
import { DEMAND_OPTIONS, FLAVORS, IMAGES } from './hardware'
import { call, type LedgerCoroutine } from './ledger/ledger'
import { freshId, type SimulationState } from './state'

// Users' requests: builds, deletes, migrations of every kind and requested actions at any time, sensible or not. Each
// is one transaction of the API; a refusal or a conflict is a valid result.

export const WORKLOAD_ACTIONS = { build: 10, delete: 2, move: 26, requestAction: 14, shelve: 4, power: 3 } as const
export type WorkloadAction = keyof typeof WORKLOAD_ACTIONS

export interface WorkloadContext {
  readonly state: SimulationState
  readonly options: TickOptions
  readonly maxInstances: number
  readonly group: GroupId | null
}

const PEOPLE: Actor = { who: 'somebody', request: null, reason: null }

export function* workloadAction(of: WorkloadContext, which: WorkloadAction): LedgerCoroutine<string> {
  return yield* ACTIONS[which](of)
}

const ACTIONS: { readonly [A in WorkloadAction]: (of: WorkloadContext) => LedgerCoroutine<string> } = {
  build,
  delete: remove,
  move,
  requestAction,
  shelve,
  power,
}

function* commit(change: Change): LedgerCoroutine<string> {
  const committed = yield* call('commit', { change })
  return committed.ok ? 'ok' : `lost to a write on ${committed.conflict.on}`
}

function* build({ state, options, maxInstances, group }: WorkloadContext): LedgerCoroutine<string> {
  const { instances } = yield* call('snapshot', {})
  if (instances.length >= maxInstances) return 'build: the fleet is full'
  const flavor = state.chance.pick(FLAVORS)!
  const image = state.chance.pick(IMAGES)!
  const result = demandOf(flavor, image, DEMAND_OPTIONS)
  if (!result.ok) return `build ${flavor.name}: bad demand`
  const id = freshId<Instance['id']>(state, 5)
  const member = group !== null && state.chance.permille(500) ? group : null
  const peers = member === null ? null : yield* call('group', { group: member, without: id })
  const hosts = yield* call('hosts', {})
  const question = { demand: result.demand, instance: id, group: peers, live: null, excludedHost: null }
  const best = choose(question, hosts, { policy: options.policy }).plans[0]
  if (best === undefined) return `build ${flavor.name}: no host`
  const instance = { id, name: `vm${state.ids}`, project: 'p', flavor, image, zone: null, group: member }
  const claim = { id: freshId<Parameters<typeof startBuild>[1]['id']>(state, 4), plan: best.plan }
  return `build ${flavor.name} on ${best.host.name}: ${yield* commit(startBuild(instance, claim, attributionOf(state)))}`
}

const attributionOf = (state: SimulationState) => ({ actor: PEOPLE, at: state.now })

function* anyInstance(state: SimulationState): LedgerCoroutine<Instance | undefined> {
  return state.chance.pick((yield* call('snapshot', {})).instances)
}

function* remove({ state }: WorkloadContext): LedgerCoroutine<string> {
  const instance = yield* anyInstance(state)
  const view = instance && (yield* call('instance', { instance: instance.id }))
  if (!view) return 'delete: no instance'
  const deletion = startDelete(view, attributionOf(state))
  return `delete ${view.instance.name}: ${deletion.ok ? yield* commit(deletion.change) : deletion.refusals[0]?.kind}`
}

function* move({ state }: WorkloadContext): LedgerCoroutine<string> {
  const instance = yield* anyInstance(state)
  const view = instance && (yield* call('instance', { instance: instance.id }))
  if (!view) return 'migrate: no instance'
  const request = requestFor(state, view, yield* call('hosts', {}))
  const accepted = accept(view, request, {
    id: freshId(state, 3),
    sameDemand: asksTheSame,
    confirmWindowMs: state.chance.permille(500) ? 20_000 : null,
    actor: PEOPLE,
    at: state.now,
  })
  const what = `${request.operation} ${view.instance.name}`
  if (!accepted.ok) return `${what}: ${accepted.refusals.map((each) => each.kind).join(', ')}`
  return `${what} as ${accepted.migration.id}: ${yield* commit(accepted.change)}`
}

function asksTheSame(old: InstanceSpec, now: InstanceSpec): boolean {
  const a = demandOf(old.flavor, old.image, DEMAND_OPTIONS)
  const b = demandOf(now.flavor, now.image, DEMAND_OPTIONS)
  return a.ok && b.ok && sameDemand(a.demand, b.demand)
}

function requestFor(
  state: SimulationState,
  { instance, host }: InstanceView,
  hosts: readonly Host[],
): MigrationRequest {
  const { chance } = state
  const operation = chance.permille(60) ? chance.pick(OPERATIONS)! : fitting(state, instance, host)
  const { changes } = operationRow(operation)
  const others = FLAVORS.filter((flavor) => flavor.name !== instance.flavor.name)
  return {
    operation,
    target: chance.permille(400) ? chance.pick(hosts)!.id : null,
    newFlavor: changes === 'flavor' ? chance.pick(others)! : null,
    newImage: changes === 'image' ? chance.pick(IMAGES)! : null,
  }
}

// Mostly operations that can start, or nearly every request would be refused. The others test the refusals.
function fitting(state: SimulationState, instance: Instance, host: Host | null): Operation {
  if (instance.vmState === 'shelved') return 'unshelve'
  if (host !== null && (host.status === 'fenced' || host.status === 'lost')) return 'evacuate'
  return state.chance.weighted({
    'live-migrate': 8,
    'cold-migrate': 4,
    resize: 7,
    rebuild: 3,
    evacuate: 1,
    unshelve: 0,
  })
}

function* requestAction({ state }: WorkloadContext): LedgerCoroutine<string> {
  const { migrations } = yield* call('snapshot', {})
  const active = migrations.filter((each) => each.step !== 'ended')
  const picked = state.chance.pick(active)
  if (picked === undefined) return 'requested action: no active migration'
  const often = state.chance.permille(300) // otherwise nearly every migration would end aborted
  const open = permissionsOf(picked).filter((each) => each.allowed && (often || each.requestedAction !== 'abort'))
  const requested = state.chance.permille(900)
    ? state.chance.pick(open)?.requestedAction
    : state.chance.pick(REQUESTED_ACTIONS)
  return requested === undefined
    ? 'requested action: none permitted'
    : yield* requestActionFor(state, picked, requested)
}

/** Does exactly what the API does: writes one row, guarded by its generation, no matter who holds the lease. */
export function* requestActionFor(
  state: SimulationState,
  migration: Migration,
  requested: (typeof REQUESTED_ACTIONS)[number],
): LedgerCoroutine<string> {
  const accepted = acceptAction(migration, requested, state.now)
  const what = `${requested} ${migration.id} in ${migration.step}`
  if (!accepted.ok) return `${what}: ${accepted.refusal.kind}`
  const change = requestChange(migration, accepted.migration, {
    requestedAction: requested,
    askedAt: state.now,
    ...attributionOf(state),
  })
  return `${what}: ${yield* commit(change)}`
}

function* shelve({ state }: WorkloadContext): LedgerCoroutine<string> {
  const found = yield* restingAtHome(state)
  if (found === null) return 'shelve: no instance'
  const result = yield* commit(shelved(found.view, attributionOf(state)))
  const { id, generation } = found.view.instance
  if (result === 'ok')
    state.driver.destroy({ instance: id, host: found.host.id, fence: generation + 1 }, { half: false })
  return `shelve ${found.view.instance.name}: ${result}`
}

/** A settled instance without an active migration, on a host that answers: users may shelve, stop or start it. */
function* restingAtHome(state: SimulationState) {
  const instance = yield* anyInstance(state)
  const view = instance && (yield* call('instance', { instance: instance.id }))
  if (!view || view.activeMigration !== null || view.host === null) return null
  const { host } = view
  const machine = state.simulatedMachines.machine(host.id)
  const settled = view.instance.vmState === 'active' || view.instance.vmState === 'stopped'
  const reached = machine.power === 'on' && machine.answers && !machine.quarantined && host.status === 'up'
  return settled && reached ? { view, host } : null
}

function* power({ state }: WorkloadContext): LedgerCoroutine<string> {
  const found = yield* restingAtHome(state)
  if (found === null) return 'power: no instance'
  const { instance } = found.view
  const vmState = instance.vmState === 'active' ? 'stopped' : 'active'
  const result = yield* commit({
    guards: {
      providers: [],
      instance: { id: instance.id, generation: instance.generation },
      migration: null,
      group: null,
    },
    writes: [{ do: 'update-instance', id: instance.id, set: { vmState } }],
    event: { kind: 'instance.power', hosts: [], instance: instance.id, migration: null, data: { vmState } },
    ...attributionOf(state),
  })
  const machine = state.simulatedMachines.machine(found.host.id)
  if (result === 'ok') machine.fences.set(instance.id, instance.generation + 1)
  const copy = machine.copies.find((each) => each.instance === instance.id)
  if (result === 'ok' && copy !== undefined) {
    if (vmState === 'active') state.simulatedMachines.start(copy, found.host.id)
    else copy.running = false
  }
  return `power ${instance.name} ${vmState}: ${result}`
}
