import type { Actor, EventBody } from '../../engine/change'
import { DEFAULT_LIMITS, type RunKind } from '../../engine/drain/plan'
import { type Host, isDead } from '../../engine/host'
import type { HostId } from '../../engine/words/ids'
import { readHost } from '../../store/host/read'
import { type PlanParts, planRows } from '../../store/run/plan'
import { listRuns, readRun } from '../../store/run/read'
import { isActive, type Run, type RunMigration, type WholeRun } from '../../store/run/row'
import { type RunWrite, writeRun } from '../../store/run/write'
import { type HostStatusChange, setHostStatus } from '../host/state'
import { needsApproval } from '../proposal/propose'
import { type RefusalContext, refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { runMigrationObjection, runObjection, runsObjection } from './permits'

// Actions on runs. The API writes requested actions into the run's rows and returns; the runner performs them.

const TRIES = 5 // the runner writes the same row every few seconds

export async function runOr404({ database }: ApiServices, id: string): Promise<WholeRun> {
  return (await readRun(database, id)) ?? refuseUnknown('drain or evacuation', id)
}

function refuseRun(about: RefusalContext, have: string): never {
  return refuse('not-permitted', { ...about, need: about.what, have })
}

/** An evacuation is planned as if its host were confirmed powered off: it does not start before that. */
export async function planParts(
  services: ApiServices,
  { lost, signal }: { readonly lost: HostId | null; readonly signal?: AbortSignal | undefined },
): Promise<PlanParts> {
  const { policy, demand, limits = DEFAULT_LIMITS } = await services.rules()
  const asLost = (host: Host): Host => (host.id === lost && !isDead(host.status) ? { ...host, status: 'fenced' } : host)
  // Read like the runner, including committed changes that are not relayed yet.
  const hosts = services.fleet.hostsAhead().map(asLost)
  const { database, planDrain } = services
  return { database, hosts, policy, demand, limits, planDrain, signal, now: () => performance.now() }
}

export interface NewRun extends Pick<Run, 'kind' | 'fallback' | 'others' | 'within'> {
  readonly host: HostId
  readonly actor: Actor
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined
}

export async function planRun(services: ApiServices, ask: NewRun): Promise<{ run: string }> {
  const host = (await readHost(services.database, ask.host)) ?? refuseUnknown('host', ask.host)
  const about = {
    what: `Plan ${WORDS[ask.kind]} of ${host.name}`,
    where: host.name,
    notChanged: 'Nothing was planned.',
  }
  const objection = runsObjection(ask.kind, host)
  if (objection !== null) refuseRun(about, objection)
  const { kind, fallback, others, within, actor, signal } = ask
  const { put, tookMs } = await planRows(await planParts(services, { lost: lostOf(ask), signal }), ask, [])
  const [id, at] = [services.newId(), services.now()]
  await writeRun(services.database, {
    run: { id, generation: 0 },
    set: {
      ...{ kind, host: ask.host, state: 'draft', fallback, others, within, planVersion: 1, tookMs, ...actor },
      createdAt: at,
    },
    ...{ put, actor, at },
    event: { kind: 'run.planned', hosts: [ask.host], data: { kind } },
  })
  return { run: id }
}

const WORDS = { drain: 'a drain', evacuation: 'an evacuation' } as const satisfies Record<RunKind, string>

const lostOf = ({ kind, host }: Pick<Run, 'kind' | 'host'>): HostId | null => (kind === 'evacuation' ? host : null)

export interface RunStart {
  readonly id: string
  readonly actor: Actor
  /** The host's name, typed to attest that it is powered off. */
  readonly attest: string | undefined
  readonly approved?: HostStatusChange['approved']
}

/** The run to start; throws the refusal if it cannot start now. */
export async function checkedStart(
  services: ApiServices,
  { id, attest }: Pick<RunStart, 'id' | 'attest'>,
): Promise<{ readonly run: Run; readonly host: Host; readonly about: RefusalContext }> {
  const { run } = await runOr404(services, id)
  const host = services.fleet.host(run.host) ?? refuseUnknown('host', run.host)
  const about = {
    what: `Start ${WORDS[run.kind]} of ${host.name}`,
    where: host.name,
    notChanged: 'Nothing was started.',
  }
  const objection = runObjection(run, 'start') ?? runsObjection(run.kind, host)
  if (objection !== null) refuseRun(about, objection)
  const others = await listRuns(services.database, { host: host.id })
  const other = others.find((each) => isActive(each.run.state))
  if (other) refuseRun(about, `Another ${other.run.kind} of ${host.name} is ${other.run.state}: end that one first.`)
  if (run.kind === 'evacuation') mustBeVouchedFor(host, attest, about)
  return { run, host, about }
}

export async function startRun(services: ApiServices, ask: RunStart): Promise<{ acceptedAt: number }> {
  const { id, actor, approved } = ask
  const { run, host, about } = await checkedStart(services, ask)
  if (run.kind === 'evacuation') {
    if (!isDead(host.status)) {
      // The host may have come back since the caller checked whether a second person is needed.
      if (!approved && (await needsApproval(services, 'fenced')))
        refuseRun(about, `${host.name} is ${host.status}: a second person has to approve that it is powered off.`)
      await setHostStatus(services, { id: host.id, action: 'fenced', actor, ...(approved && { approved }) })
    }
  } else if (host.scheduling === 'enabled') {
    // Maintenance mode: a query why the host takes no claims returns the drain's reason.
    const why = `drain: ${actor.reason ?? ''}`
    await setHostStatus(services, { id: host.id, action: 'disable', actor: { ...actor, reason: why } })
  }
  const at = services.now()
  return changed(services, { id, about }, (now) => {
    // It may have been started or stopped since it was checked.
    const objection = runObjection(now.run, 'start')
    if (objection !== null) refuseRun(about, objection)
    return {
      set: { state: 'running', startedAt: at, ...actor },
      event: { kind: 'run.started', data: { kind: run.kind } },
      actor,
    }
  })
}

// An unreachable host may still run its instances. An operator who attests otherwise enters its name and a reason, which the
// audit log keeps.
function mustBeVouchedFor({ name, status }: Host, attest: string | undefined, about: RefusalContext): void {
  if (isDead(status) || attest === name) return
  refuseRun(about, `${name} is only ${status}: type its name to attest that it is powered off, or mark it as fenced.`)
}

export interface RunCommand {
  readonly id: string
  readonly do: 'pause' | 'resume' | 'stop' | 'replan'
  readonly actor: Actor
}

const VERBS = { pause: 'Pause', resume: 'Resume', stop: 'Stop', replan: 'Replan' } as const

export function commandRun(
  services: ApiServices,
  { id, do: verb, actor }: RunCommand,
): Promise<{ acceptedAt: number }> {
  const about = { what: `${VERBS[verb]} the plan`, notChanged: 'It continues unchanged.' }
  return changed(services, { id, about }, async ({ run, migrations }) => {
    const objection = runObjection(run, verb)
    if (objection !== null) refuseRun(about, objection)
    const event = { kind: `run.${verb}`, data: {} }
    if (verb === 'pause') return { set: { state: 'paused' }, event, actor }
    if (verb === 'resume') return { set: { state: 'running' }, event, actor }
    if (verb === 'replan')
      return { ...(await replan(services, run, { migrations, reason: `requested by ${actor.who}` })), event, actor }
    const note = `stopped by ${actor.who}`
    if (run.state !== 'draft') return { set: { state: 'stopping', note }, event, actor }
    return { set: { state: 'stopped', note, endedAt: services.now() }, event, actor }
  })
}

export interface RunMigrationCommand {
  readonly id: string
  readonly n: number
  readonly do: 'skip' | 'retry' | 'first'
  readonly method: 'live-migrate' | 'cold-migrate' | 'stay' | undefined
  readonly actor: Actor
}

const MIGRATION_TEXTS: { readonly [K in RunMigrationCommand['do']]: (n: number) => string } = {
  skip: (n) => `Skip migration ${n}`,
  retry: (n) => `Retry migration ${n}`,
  first: (n) => `Run migration ${n} next`,
}

export function commandRunMigration(services: ApiServices, ask: RunMigrationCommand): Promise<{ acceptedAt: number }> {
  const about = { what: MIGRATION_TEXTS[ask.do](ask.n), notChanged: 'The plan continues unchanged.' }
  return changed(services, { id: ask.id, about }, async ({ run, migrations }) => {
    const migration = migrations.find(({ n }) => n === ask.n) ?? refuseUnknown('migration', String(ask.n))
    const verb = ask.method !== undefined ? 'change-method' : ask.do === 'first' ? 'skip' : ask.do
    const objection = runMigrationObjection(migration, run, verb)
    if (objection !== null) refuseRun({ ...about, where: migration.name }, objection)
    const now = { ...migration, ...commanded(migration, migrations, ask) }
    const event = { kind: 'run.move-steered', data: { n: migration.n, do: ask.do, method: ask.method ?? null } }
    if (ask.do === 'first' && ask.method === undefined) return { set: {}, put: [now], event, actor: ask.actor }
    const reason = `${ask.actor.who} chose: ${migration.name} ${ask.method ?? ask.do}`
    const rest = migrations.map((each) => (each === migration ? now : each))
    const plan = await replan(services, run, { migrations: rest, reason })
    const put = [now, ...(plan.put ?? [])].filter(({ n }) => !plan.remove?.includes(n))
    return { ...plan, put, event, actor: ask.actor }
  })
}

function commanded(
  migration: RunMigration,
  migrations: readonly RunMigration[],
  ask: RunMigrationCommand,
): Partial<RunMigration> {
  const first = ask.do === 'first' ? { priority: Math.max(0, ...migrations.map(({ priority }) => priority)) + 1 } : {}
  if (ask.method !== undefined) return { ...first, chosen: ask.method, attempts: 0 }
  if (ask.do === 'skip') return { state: 'skipped', note: `skipped by ${ask.actor.who}` }
  // Resets the count; a skipped row is open again and planned.
  if (ask.do === 'retry')
    return { attempts: 0, note: null, ...(migration.state === 'skipped' ? { state: 'blocked' } : {}) }
  return first
}

interface ReplanRequest {
  readonly migrations: readonly RunMigration[]
  readonly reason: string
}

/** Its runner replans a started run, so that two plans never race; a draft has none and is planned here. */
async function replan(
  services: ApiServices,
  run: Run,
  { migrations, reason }: ReplanRequest,
): Promise<Pick<RunWrite, 'set' | 'put' | 'remove' | 'diff'>> {
  if (run.state !== 'draft') return { set: { replanBecause: reason } }
  const { put, remove, lines, tookMs } = await planRows(
    await planParts(services, { lost: lostOf(run) }),
    run,
    migrations,
  )
  const version = run.planVersion + 1
  const diff = { version, at: services.now(), because: reason, lines }
  return { set: { planVersion: version, tookMs }, put, remove, diff }
}

type RunChange = Pick<RunWrite, 'set' | 'put' | 'remove' | 'diff' | 'actor'> & {
  readonly event: Pick<EventBody, 'kind' | 'data'>
}

/** Decides on the current run and writes; retries when the runner was faster. */
async function changed(
  services: ApiServices,
  { id, about }: { readonly id: string; readonly about: RefusalContext },
  decide: (whole: WholeRun) => RunChange | Promise<RunChange>,
): Promise<{ acceptedAt: number }> {
  for (let attempt = 1; ; attempt++) {
    const whole = await runOr404(services, id)
    const { event, ...rest } = await decide(whole)
    const at = services.now()
    const committed = await writeRun(services.database, {
      ...{ run: whole.run, ...rest, at },
      event: { ...event, hosts: [whole.run.host] },
    })
    if (committed.ok) return { acceptedAt: at }
    if (attempt === TRIES) {
      refuse('changed-meanwhile', { ...about, need: 'the plan as it was read', have: 'a newer one' })
    }
  }
}
