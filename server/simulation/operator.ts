import type { Change, Write } from '../engine/change'
import { type Host, isDead } from '../engine/host'
import { call, type LedgerCoroutine } from './ledger/ledger'
import { isOfSide, type Machine, type SimulatedMachines } from './simulated-machines'
import type { SimulationState } from './state'

// Host failures, and the statuses that operators then set. A host is powered off before it is marked as fenced: a false
// status is an operator error, and the records cannot survive it.

export const HOST_EVENTS = {
  'fall-silent': 12,
  'answer-again': 12,
  'lose-power': 3,
  reboot: 12,
  'mark-down': 4,
  'mark-up': 14,
  fence: 4,
  destroy: 1,
  return: 20,
  clean: 30,
  recover: 16,
} as const
export type HostEvent = keyof typeof HOST_EVENTS

/** Whether the fleet can take this event: two hosts must stay powered on, and at most one is destroyed. */
export function isTolerable(event: HostEvent, simulatedMachines: SimulatedMachines): boolean {
  if (event !== 'lose-power' && event !== 'fence' && event !== 'destroy') return true
  const machines = [...simulatedMachines.machines.values()]
  if (event === 'destroy' && machines.some(({ power }) => power === 'destroyed')) return false
  return machines.filter(({ power }) => power === 'on').length > 2
}

interface HostSubject {
  readonly state: SimulationState
  readonly host: Host
  readonly machine: Machine
}

/** Returns true if the event happened. An event that does not fit the host's state does nothing. */
type Happens = (subject: HostSubject) => boolean | LedgerCoroutine<boolean>

export function* hostEvent(state: SimulationState, event: HostEvent, host: Host): LedgerCoroutine<boolean> {
  const happened = EVENTS[event]({ state, host, machine: state.simulatedMachines.machine(host.id) })
  return typeof happened === 'boolean' ? happened : yield* happened
}

const EVENTS: { readonly [E in HostEvent]: Happens } = {
  'fall-silent': (at) =>
    physical(at.machine.power === 'on' && at.machine.answers, () => {
      at.machine.answers = false
    }),
  'answer-again': (at) =>
    physical(!at.machine.answers, () => {
      at.machine.answers = true
    }),
  'lose-power': (at) =>
    physical(at.machine.power === 'on', () => at.state.simulatedMachines.powerOff(at.machine, 'off')),
  reboot: (at) => physical(at.machine.power === 'off' && at.host.status !== 'fenced', () => powerOn(at.machine)),
  'mark-down': (at) => at.host.status === 'up' && updateHost(at, { status: 'down' }),
  'mark-up': (at) => at.host.status === 'down' && isResponsive(at.machine) && updateHost(at, { status: 'up' }),
  fence: fence,
  destroy: destroy,
  return: comeBack,
  clean: clean,
  recover: recover,
}

const isResponsive = (machine: Machine) => machine.power === 'on' && machine.answers

function physical(fits: boolean, happen: () => void): boolean {
  if (fits) happen()
  return fits
}

function powerOn(machine: Machine): void {
  machine.power = 'on'
  machine.answers = true
}

type HostSet = Extract<Write, { do: 'set-host' }>['set']

function* updateHost(at: HostSubject, set: HostSet, more: readonly Write[] = []): LedgerCoroutine<boolean> {
  const { ok } = yield* call('commit', { change: statement(at, [{ do: 'set-host', id: at.host.id, set }, ...more]) })
  return ok
}

function statement({ state, host }: HostSubject, writes: readonly Write[]): Change {
  const root = host.providers[0]!
  return {
    guards: {
      providers: [{ provider: root.id, generation: root.generation }],
      instance: null,
      migration: null,
      group: null,
    },
    writes,
    event: { kind: 'host.stated', hosts: [host.id], instance: null, migration: null, data: {} },
    actor: { who: 'operator', request: null, reason: 'simulation' },
    at: state.now,
  }
}

function* fence(at: HostSubject): LedgerCoroutine<boolean> {
  if (isDead(at.host.status)) return false
  at.state.simulatedMachines.powerOff(at.machine, 'off')
  at.machine.quarantined = true
  return yield* updateHost(at, { status: 'fenced' })
}

function* destroy(at: HostSubject): LedgerCoroutine<boolean> {
  if (at.host.status === 'lost') return false
  at.state.simulatedMachines.powerOff(at.machine, 'destroyed')
  return yield* updateHost(at, { status: 'lost' })
}

function* comeBack(at: HostSubject): LedgerCoroutine<boolean> {
  if (at.host.status !== 'fenced' || at.machine.power === 'destroyed') return false
  powerOn(at.machine)
  return yield* updateHost(at, { status: 'up', scheduling: 'quarantined' })
}

/**
 * Cleans up a host that came back: removes listed leftovers, as the release would have done, and every domain without a
 * claim here. Sends it the newest fences, so that no driver operation from before the failure can take effect.
 */
function* clean(at: HostSubject): LedgerCoroutine<boolean> {
  const { host, machine, state } = at
  if (host.scheduling !== 'quarantined' || host.status !== 'up' || !isResponsive(machine)) return false
  const remains = yield* call('remains', { host: host.id })
  const { migrations } = yield* call('snapshot', {})
  for (const each of migrations) machine.fences.set(each.id, each.step === 'ended' ? Infinity : each.fence)
  const writes: Write[] = []
  for (const { instance, migration, side } of remains) {
    state.simulatedMachines.remove(host.id, (copy) =>
      migration === null ? copy.instance === instance : isOfSide(copy, { instance, migration }, side),
    )
    if (migration === null) machine.fences.set(instance, Infinity)
    writes.push({ do: 'clear-remains', host: host.id, instance, migration })
  }
  const held = new Set(host.holdings.map((holding) => holding.instance))
  state.simulatedMachines.remove(host.id, (copy) => !held.has(copy.instance))
  const opened = yield* updateHost(at, { scheduling: 'enabled' }, writes)
  if (opened) machine.quarantined = false
  return opened
}

/** Restarts the domains that stopped with the power: active instances of this host without an active migration. */
function* recover({ state, host, machine }: HostSubject): LedgerCoroutine<boolean> {
  if (host.status !== 'up' || host.scheduling !== 'enabled' || !isResponsive(machine) || machine.quarantined)
    return false
  const { instances, migrations } = yield* call('snapshot', {})
  const moving = new Set(migrations.filter((each) => each.step !== 'ended').map((each) => each.instance))
  let started = false
  for (const copy of machine.copies) {
    const home = instances.find((each) => each.id === copy.instance)
    if (copy.running || moving.has(copy.instance) || home?.host !== host.id || home.vmState !== 'active') continue
    state.simulatedMachines.start(copy, host.id)
    started = true
  }
  return started
}
