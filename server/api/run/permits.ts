import type { RunKind } from '../../engine/drain/ask'
import type { HostFrame } from '../../engine/host'
import type { Run, RunMove, RunState } from '../../store/run/row'
import { type Permit, type Permits, permitFor } from '../permit/permits'
import type { Capability, Role } from '../permit/roles'

// What may be done with a run and with one guest of it, by whom and when.

export type RunVerb = 'start' | 'pause' | 'resume' | 'stop' | 'replan'
export type RunMoveVerb = 'skip' | 'change-method' | 'retry'

const FROM: { readonly [V in RunVerb]: readonly RunState[] } = {
  start: ['draft'],
  pause: ['running'],
  resume: ['paused'],
  stop: ['draft', 'running', 'paused'],
  replan: ['draft', 'running', 'paused'],
}
const OPEN: readonly RunState[] = ['draft', 'running', 'paused']

/** Why it makes no sense now; null when it does. */
export function runObjection({ state }: Pick<Run, 'state'>, verb: RunVerb): string | null {
  return FROM[verb].includes(state) ? null : `The run is ${state}; this needs ${FROM[verb].join(' or ')}.`
}

/** Why a run of that kind makes no sense for the host as it is; null when it does. */
export function runsObjection(kind: RunKind, { name, status }: Pick<HostFrame, 'name' | 'status'>): string | null {
  if (kind === 'drain')
    return status === 'up' ? null : `${name} is ${status}: its instances cannot be migrated, only evacuated.`
  return status === 'up'
    ? `${name} is up: its instances run there. Drain it, or mark it as fenced or permanently lost first.`
    : null
}

/** Whoever may state nothing alone may still ask a second person for an evacuation. */
const TO_EMPTY: { readonly [K in RunKind]: Capability } = { drain: 'steer', evacuation: 'propose' }

/** Of a host: may somebody plan to empty it now, in either way? */
export function emptyPermits(host: Pick<HostFrame, 'name' | 'status'>, role: Role): Permits<RunKind> {
  const kinds = Object.keys(TO_EMPTY) as RunKind[]
  const rows = kinds.map((kind) => {
    const mine = permitFor(role, TO_EMPTY[kind])
    const why = runsObjection(kind, host)
    return [kind, mine.ok && why !== null ? { ok: false, why } : mine]
  })
  return Object.fromEntries(rows) as Permits<RunKind>
}

const MOVE_FROM: { readonly [V in RunMoveVerb]: readonly RunMove['state'][] } = {
  skip: ['planned', 'waiting', 'blocked', 'stays', 'failed'],
  'change-method': ['planned', 'blocked', 'stays'],
  retry: ['failed', 'skipped', 'blocked', 'stays'],
}

export function moveObjection(move: RunMove, run: Pick<Run, 'state' | 'kind'>, verb: RunMoveVerb): string | null {
  if (!OPEN.includes(run.state)) return `The run is ${run.state}.`
  if (verb === 'change-method' && run.kind === 'evacuation') return 'Instances of a dead host can only be rebuilt.'
  return MOVE_FROM[verb].includes(move.state) ? null : `Its migration is ${move.state}.`
}

const permit = (role: Role, why: string | null): Permit => {
  const mine = permitFor(role, 'steer')
  return mine.ok && why !== null ? { ok: false, why } : mine
}

export function runPermits(run: Pick<Run, 'state'>, role: Role): Permits<RunVerb> {
  const verbs = Object.keys(FROM) as RunVerb[]
  return Object.fromEntries(verbs.map((verb) => [verb, permit(role, runObjection(run, verb))])) as Permits<RunVerb>
}

export function movePermits(move: RunMove, run: Pick<Run, 'state' | 'kind'>, role: Role): Permits<RunMoveVerb> {
  const verbs = Object.keys(MOVE_FROM) as RunMoveVerb[]
  const rows = verbs.map((verb) => [verb, permit(role, moveObjection(move, run, verb))])
  return Object.fromEntries(rows) as Permits<RunMoveVerb>
}
