import type { Host, HostStatus } from '../../engine/host'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { readHost } from '../../store/host/read'
import { readProposalOfPlan } from '../../store/proposal/proposal'
import { planRows } from '../../store/run/plan'
import { readLatestRun, readRun } from '../../store/run/read'
import { isActive, type RunMigration, type WholeRun } from '../../store/run/row'
import { readSurveys } from '../../store/survey/survey'
import { type FencingView, fencingView } from '../fencing/view'
import { hostNotes } from '../host/fleet-now'
import { contactOf, type HostContact, NO_NOTES } from '../host/view'
import type { Ref } from '../names/names'
import { namesOf } from '../names/read'
import { type Permit, permitOn, type Rights, touchedHost } from '../permit/rights'
import type { Ms } from '../plain'
import type { Caller } from '../procedure/procedure'
import { evacuationNeedsApproval, type ProposalView, proposalView } from '../proposal/propose'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { namesInRun } from './detail'
import { emptyPermits, RUN_CAPABILITIES } from './permits'
import { boundsOf } from './reach'
import { type Blocker, blockersOf, type PlannedMigration, plannedMigration } from './view'
import { planParts } from './write'

// Views before and during an evacuation: evidence that the host is powered off, the target of each instance, and
// leftovers after its return.

export interface EvacuationView {
  readonly host: Ref
  readonly lastSeenAt: Ms | null
  readonly status: HostStatus
  readonly contact: HostContact | null
  readonly fencing: FencingView
  readonly permit: Permit
  readonly run: string | null
  /** True when starting it needs a second person first. */
  readonly asks: boolean
  /** The proposal that awaits a second person; null when there is none. */
  readonly approval: ProposalView | null
  /** After its return: domains that are still there and must be removed before it takes claims. */
  readonly stale: readonly StaleDomain[]
  readonly quarantined: boolean
}

export interface StaleDomain {
  readonly instance: Ref
  readonly observedState: string
  /** Time of the answer that shows it; null while none has. */
  readonly observedAt: Ms | null
  readonly livesOn: Ref | null
}

/**
 * The plan of targets. A separate request: planning takes seconds on a full fleet, and known facts do not wait for it.
 */
export interface EvacuationPlan {
  readonly guests: readonly PlannedMigration[]
  readonly blockers: readonly Blocker[]
}

export async function evacuationView(services: ApiServices, id: HostId, caller: Caller): Promise<EvacuationView> {
  // The start reads the same rows.
  const host = (await readHost(services.database, id)) ?? refuseUnknown('host', id)
  const [notes, fencing, latest, stale] = await Promise.all([
    hostNotes(services, [id]),
    fencingView(services, host, caller),
    latestOf(services, id),
    staleOn(services, host),
  ])
  const proposal = latest && (await readProposalOfPlan(services.database, latest.run.id))
  const approval = latest && proposal?.state === 'open' ? { proposal, names: await namesInRun(services, latest) } : null
  return {
    host: { id: host.id, name: host.name },
    lastSeenAt: notes.get(id)?.lastSeenAt ?? null,
    status: host.status,
    contact: contactOf(host, notes.get(host.id) ?? NO_NOTES),
    fencing,
    permit: emptyPermits(host, caller).evacuation,
    run: latest?.run.id ?? null,
    asks: await evacuationNeedsApproval(services, id, permitOn(caller, 'operate', [touchedHost(host)])),
    approval: approval && (await proposalView(services, approval.proposal, { names: approval.names, caller })),
    stale,
    quarantined: host.scheduling === 'quarantined',
  }
}

export async function evacuationPlan(services: ApiServices, id: HostId, caller: Caller): Promise<EvacuationPlan> {
  const host = services.fleet.host(id) ?? refuseUnknown('host', id)
  const latest = await latestOf(services, id)
  const whole = latest !== null && tells(latest, host) ? latest : await previewOf(services, host, caller)
  const names = await namesInRun(services, whole)
  const context = { run: whole.run, names, rights: caller, host: (each: string) => services.fleet.host(each as HostId) }
  return {
    guests: whole.migrations.map((migration) => plannedMigration(migration, context)),
    blockers: blockersOf(whole.migrations, names),
  }
}

/** The run that is under way, or the newest one; null when the host was never evacuated. */
async function latestOf({ database }: ApiServices, host: HostId): Promise<WholeRun | null> {
  const id = await readLatestRun(database, { kind: 'evacuation', host })
  return id === null ? null : readRun(database, id)
}

/** Whether to show its migrations: planned or active ones, and past ones once the host is back. */
const tells = ({ run }: WholeRun, host: Host): boolean =>
  isActive(run.state) || run.state === 'draft' || host.status === 'up'

/** A preview of an evacuation, not stored. A host that is up needs no plan. */
async function previewOf(services: ApiServices, { id: host, status }: Host, rights: Rights): Promise<WholeRun> {
  const within = boundsOf(rights, RUN_CAPABILITIES.evacuation)
  const ask = { kind: 'evacuation', host, fallback: 'cold', others: true, within } as const
  const nothing = { put: [], tookMs: 0 }
  const { put, tookMs } = status === 'up' ? nothing : await planRows(await planParts(services, { lost: host }), ask, [])
  const times = { createdAt: services.now(), startedAt: null, endedAt: null }
  const nobody = { who: '', request: null, reason: null, note: null, replanBecause: null }
  const run = { id: '', ...ask, ...times, ...nobody, state: 'draft', planVersion: 1, tookMs, generation: 0 } as const
  return { run, migrations: put satisfies readonly RunMigration[] }
}

/** Leftovers on a host: recorded ones, and domains in the last survey that belong elsewhere or nowhere. */
async function staleOn(services: ApiServices, host: Host): Promise<EvacuationView['stale']> {
  const [survey] = await readSurveys(services.database, [host.id])
  const seen = new Map((survey?.guests ?? []).map(({ instance, observedState }) => [instance, observedState as string]))
  const living = new Set<InstanceId>(host.holdings.map(({ instance }) => instance))
  const misplaced = [...seen.keys()].filter((instance) => !living.has(instance))
  const ids = [...new Set([...host.leftovers, ...misplaced])]
  const names = await namesOf(services, ids)
  return ids.map((id) => {
    const home = services.fleet.hosts().find((each) => each.id !== host.id && holds(each, id))
    const livesOn = home ? { id: home.id, name: home.name } : null
    const observedAt = seen.has(id) ? (survey?.answeredAt ?? null) : null
    return { instance: names.instance(id), observedState: seen.get(id) ?? 'not seen yet', observedAt, livesOn }
  })
}

const holds = (host: Host, instance: InstanceId): boolean => host.holdings.some(({ consumer }) => consumer === instance)
