import type { RunKind } from '../../engine/drain/plan'
import type { HostFrame } from '../../engine/host'
import type { Run, RunMigration, RunState } from '../../store/run/row'
import { type PermitContext, type Permits, permitTargetsOf } from '../permit/permits'
import { type Permit, permitOn, type Rights, touchedHost } from '../permit/rights'
import type { Capability } from '../permit/roles'
import { runReach } from './reach'

// The permitted actions on a run and on one of its instances, by user and state.

export type RunAction = 'start' | 'pause' | 'resume' | 'stop' | 'replan'
export type RunMigrationAction = 'skip' | 'change-method' | 'retry'

const FROM: { readonly [V in RunAction]: readonly RunState[] } = {
  start: ['draft'],
  pause: ['running'],
  resume: ['paused'],
  stop: ['draft', 'running', 'paused'],
  replan: ['draft', 'running', 'paused'],
}
const OPEN: readonly RunState[] = ['draft', 'running', 'paused']

/** Why it makes no sense now; null when it does. */
export function runObjection({ state, kind }: Pick<Run, 'state' | 'kind'>, verb: RunAction): string | null {
  return FROM[verb].includes(state) ? null : `The ${kind} is ${state}; this needs ${FROM[verb].join(' or ')}.`
}

/** Why a run of that kind makes no sense for the host as it is; null when it does. */
export function runsObjection(kind: RunKind, { name, status }: Pick<HostFrame, 'name' | 'status'>): string | null {
  if (kind === 'drain')
    return status === 'up' ? null : `${name} is ${status}: its instances cannot be migrated, only evacuated.`
  return status === 'up'
    ? `${name} is recorded as up, so its instances may run there. Drain it, or mark it as fenced or permanently lost first.`
    : null
}

/** A user who may not mark a host alone may still propose an evacuation. */
export const RUN_CAPABILITIES: { readonly [K in RunKind]: Capability } = { drain: 'operate', evacuation: 'propose' }

/** Whether the host may be emptied now, in either way. */
export function emptyPermits(host: Pick<HostFrame, 'name' | 'zone' | 'status'>, rights: Rights): Permits<RunKind> {
  const kinds = Object.keys(RUN_CAPABILITIES) as RunKind[]
  const rows = kinds.map((kind) => {
    const mine = permitOn(rights, RUN_CAPABILITIES[kind], [touchedHost(host)])
    const why = runsObjection(kind, host)
    return [kind, mine.ok && why !== null ? { ok: false, why } : mine]
  })
  return Object.fromEntries(rows) as Permits<RunKind>
}

const MIGRATION_FROM: { readonly [V in RunMigrationAction]: readonly RunMigration['state'][] } = {
  skip: ['planned', 'waiting', 'blocked', 'stays', 'failed'],
  'change-method': ['planned', 'blocked', 'stays'],
  retry: ['failed', 'skipped', 'blocked', 'stays'],
}

export function runMigrationObjection(
  migration: RunMigration,
  run: Pick<Run, 'state' | 'kind'>,
  verb: RunMigrationAction,
): string | null {
  if (!OPEN.includes(run.state)) return `The ${run.kind} is ${run.state}.`
  if (verb === 'change-method' && run.kind === 'evacuation') return 'Instances of a dead host can only be rebuilt.'
  return MIGRATION_FROM[verb].includes(migration.state) ? null : `Its migration is ${migration.state}.`
}

const permit = (mine: Permit, why: string | null): Permit => (mine.ok && why !== null ? { ok: false, why } : mine)

type CommandedRun = Pick<Run, 'state' | 'kind' | 'host' | 'within'>

/** To pause a run, the right on its host suffices. */
const HOLDS_BACK: readonly RunAction[] = ['pause', 'stop']

export function runPermits(run: CommandedRun, { rights, host }: PermitContext): Permits<RunAction> {
  const there = permitOn(rights, 'operate', permitTargetsOf(host, [run.host], 'the plan'))
  const all = permitOn(rights, 'operate', runReach(run, host))
  const verbs = Object.keys(FROM) as RunAction[]
  const rows = verbs.map((verb) => [verb, permit(HOLDS_BACK.includes(verb) ? there : all, runObjection(run, verb))])
  return Object.fromEntries(rows) as Permits<RunAction>
}

export function runMigrationPermits(
  migration: RunMigration,
  run: CommandedRun,
  { rights, host }: PermitContext,
): Permits<RunMigrationAction> {
  const mine = permitOn(rights, 'operate', runReach(run, host))
  const verbs = Object.keys(MIGRATION_FROM) as RunMigrationAction[]
  return Object.fromEntries(
    verbs.map((verb) => [verb, permit(mine, runMigrationObjection(migration, run, verb))]),
  ) as Permits<RunMigrationAction>
}
