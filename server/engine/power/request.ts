import {
  type Actor,
  type Attribution,
  type Change,
  type Instance,
  NO_GUARDS,
  type VmState,
  type Write,
} from '../change'
import type { Host } from '../host'
import { CLOCKS_DIFFER_MS } from '../words/clocks'
import type { MigrationId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { isOff, type PowerState, powerText } from './state'

// Power actions requested for an instance. A request is stored with the instance, carried out by the conductor, and
// ends done or failed by its deadline; until then it excludes migrations, as an active migration excludes it.

export const POWER_ACTIONS = ['start', 'stop', 'reboot', 'pause', 'resume'] as const
export type PowerAction = (typeof POWER_ACTIONS)[number]

export interface PowerRequest {
  readonly action: PowerAction
  /** When it was requested; ms since the epoch. */
  readonly at: number
  /** After this time a stop no longer waits for the guest to shut down. */
  readonly hardAt: number
  /** Deadline of the request. */
  readonly dueAt: number
  /** The requester and the request id, for the audit log of the conductor. */
  readonly who: string
  readonly request: string | null
  readonly reason: string | null
  /** It failed; kept until the next request, so that screens can show it. */
  readonly failed?: { readonly at: number; readonly why: string } | null
}

interface ActionRow {
  /** Recorded states from which it makes sense. */
  readonly from: readonly VmState[]
  /** Observed states with nothing to do, by recorded state. An outdated state prevents nothing. */
  readonly isRedundant: (recorded: VmState, observed: PowerState | null) => boolean
  /** Required state of the instance, ready to print. */
  readonly need: string
  readonly resultingState: VmState
}

const isOn = (state: PowerState | null) => state === 'running' || state === 'paused'
const off = (state: PowerState | null) => state !== null && isOff(state)

// The actions as data: what each needs, and when it has nothing to do.
const POWER_TABLE: { readonly [A in PowerAction]: ActionRow } = {
  start: {
    from: ['active', 'paused', 'stopped'],
    isRedundant: (recorded, observed) => isOn(observed) || (recorded === 'paused' && !off(observed)),
    need: 'shut down',
    resultingState: 'active',
  },
  stop: {
    from: ['active', 'paused', 'stopped'],
    isRedundant: (recorded, observed) => recorded === 'stopped' && !isOn(observed),
    need: 'running',
    resultingState: 'stopped',
  },
  reboot: { from: ['active', 'paused'], isRedundant: () => false, need: 'active', resultingState: 'active' },
  pause: { from: ['active'], isRedundant: (_, observed) => off(observed), need: 'running', resultingState: 'paused' },
  resume: {
    from: ['active', 'paused'],
    isRedundant: (recorded, observed) => (recorded === 'active' ? observed !== 'paused' : off(observed)),
    need: 'paused',
    resultingState: 'active',
  },
}

export interface PowerFacts {
  readonly instance: Instance
  readonly host: Host | null
  readonly activeMigration: MigrationId | null
}

/** The request that is not done yet; a failed one is only for display. */
export const openRequest = ({ powerRequest }: Pick<Instance, 'powerRequest'>): PowerRequest | null =>
  powerRequest && !powerRequest.failed ? powerRequest : null

/** The known power of the instance; null when no observation is newer than its record. */
const knownPower = ({ power }: Pick<Instance, 'power'>): PowerState | null =>
  power?.current && power.state !== 'unknown' ? power.state : null

export const ALREADY_MOVING: Refusal = {
  ...{ kind: 'already-moving', where: {} },
  ...{ need: 'no active migration', have: 'one that is active' },
}

export const wrongState = (need: string, have: string): Refusal => ({ kind: 'wrong-state', where: {}, need, have })

/** Refuses whatever else would change the instance while its power is being changed. */
export function pendingRefusal(instance: Instance): readonly Refusal[] {
  const open = openRequest(instance)
  if (open === null) return []
  return [wrongState('no pending power operation', `waiting for a requested ${open.action}`)]
}

/** Why an instance that must run does not; empty when it runs, or when that is unknown. */
export function notRunning(instance: Instance): readonly Refusal[] {
  const state = knownPower(instance)
  if (state === null || state === 'running') return []
  const have = powerText({ state, reason: instance.power?.reason ?? null })
  return [wrongState('running', have)]
}

/** Why this cannot be requested for the instance now; empty when it can. */
export function powerRefusals(action: PowerAction, facts: PowerFacts): readonly Refusal[] {
  const { instance, host, activeMigration } = facts
  const { from, isRedundant, need } = POWER_TABLE[action]
  if (activeMigration !== null) return [ALREADY_MOVING]
  const open = openRequest(instance)
  if (open !== null && open.action !== action) return pendingRefusal(instance)
  if (!from.includes(instance.vmState)) return [wrongState(from.join(' or '), instance.vmState)]
  if (host === null) return [wrongState('on a host', 'on no host')]
  if (host.status !== 'up') {
    return [{ kind: 'host-not-up', where: { provider: host.name }, need: 'up', have: host.status }]
  }
  if (host.scheduling === 'quarantined') {
    return [{ kind: 'host-quarantined', where: { provider: host.name }, need: 'cleaned', have: 'quarantined' }]
  }
  const observed = knownPower(instance)
  if (open !== null || !isRedundant(instance.vmState, observed)) return []
  return [wrongState(need, observed ?? instance.vmState)]
}

export interface PowerChange {
  readonly action: PowerAction
  /** A stop that does not wait for the guest to shut down. */
  readonly hard?: boolean | undefined
  /** Requested by the rule of the host: once, until the observed power changes. */
  readonly byRule?: true
}

export type PowerRequestResult =
  /** `change` null: the same request is already open. */
  { readonly ok: true; readonly change: Change | null } | { readonly ok: false; readonly refusals: readonly Refusal[] }

const SHUTDOWN_GRACE_MS = 60_000 // Nova's `shutdown_timeout`
const PATIENCE_MS = 180_000 // grace, plus the time for a host to return from a short outage

export function requestPower(facts: PowerFacts, ask: PowerChange, { actor, at }: Attribution): PowerRequestResult {
  const refusals = powerRefusals(ask.action, facts)
  if (refusals.length > 0) return { ok: false, refusals }
  const open = openRequest(facts.instance)
  if (open !== null && !(ask.hard && open.hardAt > at)) return { ok: true, change: null }
  const powerRequest: PowerRequest = {
    action: ask.action,
    at: Math.min(open?.at ?? at, at),
    hardAt: ask.hard ? at : at + SHUTDOWN_GRACE_MS,
    dueAt: at + PATIENCE_MS,
    ...{ who: actor.who, request: actor.request, reason: actor.reason },
  }
  const data = { action: ask.action, hard: ask.hard === true, dueAt: powerRequest.dueAt }
  return {
    ok: true,
    change: change(facts, {
      set: { powerRequest },
      byRule: ask.byRule,
      kind: 'instance.power-requested',
      data,
      actor,
      at,
    }),
  }
}

const DONE_EVENT: Readonly<Record<PowerAction, string>> = {
  start: 'instance.started',
  stop: 'instance.stopped',
  reboot: 'instance.rebooted',
  pause: 'instance.paused',
  resume: 'instance.resumed',
}

export interface PowerExecution {
  readonly request: PowerRequest
  /** The conductor that carried it out. */
  readonly by: string
  readonly at: number
}

/** The hypervisor confirmed it: the record follows, in the name of the requester. */
export function powerDone(facts: PowerFacts, { request, by, at }: PowerExecution): Change {
  const { action } = request
  const vmState = POWER_TABLE[action].resultingState
  const data = { vmState, action, askedAt: request.at, hard: action === 'stop' && at >= request.hardAt, by }
  return change(facts, {
    set: { vmState, powerRequest: null },
    ...{ kind: DONE_EVENT[action], data, actor: actorOf(request), at },
  })
}

export function powerFailed(facts: PowerFacts, { request, by, at }: PowerExecution, why: string): Change {
  const powerRequest = { ...request, failed: { at, why } }
  const data = { action: request.action, askedAt: request.at, why, by }
  return change(facts, {
    set: { powerRequest },
    ...{ kind: 'instance.power-failed', data, actor: actorOf(request), at },
  })
}

/**
 * Null, unless the clock was set back after the request: its times would keep it open, and its guest on, until they
 * come again. How long it has waited is unknown then, so it waits from now on.
 */
export function powerPostponed(facts: PowerFacts, { request, by, at }: PowerExecution): Change | null {
  if (request.dueAt <= at + PATIENCE_MS + CLOCKS_DIFFER_MS) return null
  const isHard = request.hardAt <= request.at
  const powerRequest: PowerRequest = {
    ...request,
    at: Math.min(request.at, at),
    hardAt: isHard ? at : Math.min(request.hardAt, at + SHUTDOWN_GRACE_MS),
    dueAt: at + PATIENCE_MS,
  }
  const data = { action: request.action, askedAt: request.at, dueAt: powerRequest.dueAt }
  return change(facts, {
    set: { powerRequest },
    ...{ kind: 'instance.power-postponed', data, actor: { who: by, request: null, reason: null }, at },
  })
}

const actorOf = ({ who, request, reason }: PowerRequest): Actor => ({ who, request, reason })

interface InstanceUpdate extends Attribution {
  readonly set: Extract<Write, { do: 'update-instance' }>['set']
  readonly byRule?: true | undefined
  readonly kind: string
  readonly data: Readonly<Record<string, unknown>>
}

function change({ instance }: PowerFacts, { set, byRule, kind, data, actor, at }: InstanceUpdate): Change {
  return {
    guards: { ...NO_GUARDS, instance: { id: instance.id, generation: instance.generation } },
    writes: [{ do: 'update-instance', id: instance.id, set, ...(byRule && { byRule }) }],
    event: {
      kind,
      hosts: instance.host === null ? [] : [instance.host],
      ...{ instance: instance.id, migration: null, data },
    },
    actor,
    at,
  }
}
