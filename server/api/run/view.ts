import type { Fallback, RefusalCounts, RemainingInstance, RunKind, SmallestChange } from '../../engine/drain/plan'
import type { Host, HostScheduling } from '../../engine/host'
import type { Operation } from '../../engine/migration/state'
import { capacityOf } from '../../engine/resources/inventory'
import { recordedDisk } from '../../engine/storage/storage'
import { MEMORY_MB, PCPU, VCPU } from '../../engine/words/units'
import type { ListedRun } from '../../store/run/read'
import type { Run, RunMigration } from '../../store/run/row'
import { type ClaimTotals, NO_TOTALS, totalsOf } from '../claim/view'
import type { Names, Ref } from '../names/names'
import type { HostOf, Permits } from '../permit/permits'
import type { Rights } from '../permit/rights'
import type { Ms } from '../plain'
import { sentenceOf } from '../refusal/refusals'
import { type RefusalView, refusalView } from '../refusal/view'
import type { RunEstimate } from './estimate'
import { runMigrationPermits, runPermits } from './permits'

// A run for display: target and reason of each instance, which stay, and the smallest change for each.

/** draft: planned, not started. stopping: active migrations end, nothing more starts. */
export type RunState = 'draft' | 'running' | 'paused' | 'stopping' | 'done' | 'stopped'

export type PlannedState = 'planned' | 'waiting' | 'moving' | 'done' | 'failed' | 'skipped' | 'stays' | 'blocked'

export interface PlannedMigration {
  readonly n: number
  readonly instance: Ref
  readonly from: Ref
  readonly to: Ref | null
  readonly method: Operation | 'stop' | null
  /** True: an instance on another host, which must migrate first to free resources. */
  readonly helper: boolean
  /** Numbers (`n`) of migrations that must end first, because they free its resources. */
  readonly after: readonly number[]
  readonly wave: number
  readonly priority: number
  readonly held: ClaimTotals
  /** One sentence: why this target, this method and this time. */
  readonly why: string
  /** Over all hosts: why it fits on none, or on none live. Null when that is not the reason. */
  readonly refusing: RefusalCounts | null
  readonly state: PlannedState
  readonly migration: string | null
  /** Why it has no target, most telling hosts first. */
  readonly refusals: readonly { readonly host: Ref; readonly refusals: readonly RefusalView[] }[]
  readonly permitted: Permits<'skip' | 'change-method' | 'retry'>
}

export interface Blocker {
  readonly instance: Ref
  readonly why: string
  readonly rule: string | null
  readonly refusing: RefusalCounts | null
  /** The smallest change that would make a plan: `4 more whole cores on any host of zone z1`. */
  readonly smallestChange: string | null
  /** exhaustive: every order was tried. bounded: the search ended at its limit. */
  readonly proof: 'exhaustive' | 'bounded' | 'no-host-at-all'
}

export interface RunRow {
  readonly id: string
  readonly kind: RunKind
  readonly host: Ref
  readonly state: RunState
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Instances that stay on the host, by choice or for lack of capacity. */
  readonly left: number
  readonly by: string
  readonly reason: string | null
  readonly at: Ms
  readonly endedAt: Ms | null
  /** Parts of the fleet, such as `zone:az1`, to which the run is restricted; empty: no restriction. */
  readonly within: readonly string[]
  readonly permitted: Permits<'start' | 'pause' | 'resume' | 'stop' | 'replan'>
}

/** How the plan changed: a diff of the previous plan and this one. */
export interface PlanDiff {
  readonly version: number
  readonly at: Ms
  readonly because: string
  readonly lines: readonly { readonly sign: '-' | '+' | '~'; readonly instance: Ref; readonly what: string }[]
}

export interface RunDetail extends RunRow {
  readonly planVersion: number
  readonly fallback: Fallback
  readonly helpersAllowed: boolean
  /** Of its host, now. Null if the host was deleted. */
  readonly scheduling: HostScheduling | null
  /** Why it stopped, or who stopped it; null while it is open. */
  readonly note: string | null
  /** Why it is being replanned now; null when it is not. */
  readonly replanning: string | null
  readonly migrations: readonly PlannedMigration[]
  readonly blockers: readonly Blocker[]
  readonly diffs: readonly PlanDiff[]
  /** Hosts the plan touches, with what each holds before and after every group of migrations; for the placement view. */
  readonly placement: readonly {
    readonly host: Ref
    readonly capacity: { readonly pcpu: number; readonly vcpu: number; readonly memoryMib: number }
    readonly guests: readonly { readonly instance: Ref; readonly held: ClaimTotals }[]
  }[]
  readonly tookMs: number
  readonly estimate: RunEstimate
}

export function runRow({ run, counts }: ListedRun, { names, rights, host }: RunContext): RunRow {
  const { id, kind, state, who, reason, within, startedAt, createdAt, endedAt } = run
  return {
    ...{ id, kind, state, reason, endedAt, within, ...counts },
    host: names.host(run.host),
    by: who,
    at: startedAt ?? createdAt,
    permitted: runPermits(run, { rights, host }),
  }
}

export interface RunContext {
  readonly names: Names
  readonly rights: Rights
  readonly host: HostOf
}

export interface PlannedMigrationContext extends Omit<RunContext, 'host'> {
  readonly run: Pick<Run, 'kind' | 'state' | 'host' | 'within'>
  /** The instance's current host, for its holdings while it has no target. */
  readonly host: (id: string) => Host | null
}

export function plannedMigration(row: RunMigration, context: PlannedMigrationContext): PlannedMigration {
  const { names } = context
  const { n, instance, name, from, to, method, helper, after, wave, priority, state, migration } = row
  const left = row.why.is === 'left' ? row.why.left : null
  return {
    ...{ n, method, helper, after, wave, priority, state, migration },
    instance: { id: instance, name },
    from: names.host(from),
    to: to === null ? null : names.host(to),
    held: heldBy(row, context),
    why: whyOf(row, context),
    refusing: left?.refusing ?? (row.why.is === 'move' ? (row.why.refusing ?? null) : null),
    refusals: (left?.refusals ?? []).map(({ host, refusals }) => ({
      host: names.host(host),
      refusals: refusals.map((refusal) => refusalView(refusal, names)),
    })),
    permitted: runMigrationPermits(row, context.run, context),
  }
}

function heldBy({ body, from, instance }: RunMigration, { host }: PlannedMigrationContext): ClaimTotals {
  const now = body ?? host(from)?.holdings.find((holding) => holding.instance === instance)?.body
  return now ? totalsOf(now) : NO_TOTALS
}

function whyOf(migration: RunMigration, context: PlannedMigrationContext): string {
  const { names } = context
  if (migration.state === 'failed' || migration.state === 'skipped') return migration.note ?? 'Skipped by an operator.'
  if (migration.method === 'stop' && migration.note !== null) return migration.note
  if (migration.state === 'waiting')
    return 'Another migration of this instance is active; this plan continues when that migration ends.'
  if (migration.why.is === 'left') return whyLeft(migration.why.left, names)
  const { fits, notLive, refusing } = migration.why
  const [first] = notLive
  const how = refusing ? '' : first ? `It cannot live-migrate: ${sentenceOf(first)}` : howOf(migration, context)
  const room = migration.helper ? ' Migrates to make room for another.' : ''
  const order =
    migration.after.length === 0
      ? ''
      : ` Waits for ${migration.after.map((n) => `#${n}`).join(', ')}, which make room for it.`
  const choice = fits > 1 ? `the first choice of ${fits} hosts where it fits` : 'the only host where it fits'
  return `${how} ${migration.to === null ? '' : names.host(migration.to).name} is ${choice}.${room}${order}`.trim()
}

function howOf({ method, from, instance }: RunMigration, { names, host }: PlannedMigrationContext): string {
  if (method === 'cold-migrate') return 'It is stopped, or an operator chose a cold migration.'
  if (method !== 'evacuate') return ''
  const source = host(from)
  const disk = source && recordedDisk(source, instance)
  if (disk === 'shared') return 'Rebuilt from shared storage.'
  if (disk === 'none') return 'Rebuilt with its volumes.'
  if (disk === 'local') return `Its disk is recorded on ${names.host(from).name}: the target has to reach it there.`
  return ''
}

function whyLeft({ is, refusals }: RemainingInstance, names: Names): string {
  if (is === 'stays') return 'Stays by choice.'
  if (is === 'stops') return 'Cannot live-migrate, and is stopped by choice.'
  const [nearest] = refusals
  const reason = nearest?.refusals[0]
  return nearest && reason
    ? `Nearest to a fit, ${names.host(nearest.host).name}: ${sentenceOf(reason)}`
    : 'It cannot be scheduled: its flavor and image are invalid.'
}

/** Instances that the plan leaves, with the proof and the smallest change. */
export function blockersOf(migrations: readonly RunMigration[], names: Names): readonly Blocker[] {
  return migrations.flatMap((migration): Blocker[] => {
    if (
      migration.why.is !== 'left' ||
      (migration.state !== 'blocked' && migration.state !== 'stays') ||
      migration.chosen === 'stay'
    )
      return []
    const { left } = migration.why
    return [
      {
        instance: { id: migration.instance, name: migration.name },
        why: whyLeft(left, names),
        rule: left.rule,
        refusing: left.refusing ?? null,
        smallestChange: left.change && changeText(left.change, names),
        proof: left.proof,
      },
    ]
  })
}

function changeText(change: SmallestChange, names: Names): string {
  const host = names.host(change.host).name
  switch (change.is) {
    case 'move-cold':
      return `cold-migrated, it would go to ${host}`
    case 'enable-host':
      return `${host} enabled`
    case 'host-up':
      return `${host} up`
    case 'guest-away':
      return `${names.instance(change.instance).name} away from ${host}`
    case 'drop-group':
      return `without its group policy, it would go to ${host}`
    case 'drop-zone':
      return `without zone ${change.zone} it would go to ${host}`
    case 'more-room':
      return `${change.refusals.map((refusal) => roomText(refusalView(refusal, names))).join(', ')} on ${host}`
  }
}

function roomText({ shortBy, unit, where, kind }: ReturnType<typeof refusalView>): string {
  const cell = where.hostCell === undefined ? '' : ` on NUMA node ${where.hostCell}`
  return `${shortBy ?? ''} more ${where.resourceClass ?? unit ?? kind}${cell}`.trim()
}

/** The hosts of the placement view as they are now. */
export function placementOf(
  run: Run,
  migrations: readonly RunMigration[],
  context: PlannedMigrationContext,
): RunDetail['placement'] {
  const ids = new Set([run.host, ...migrations.flatMap(({ from, to }) => (to === null ? [from] : [from, to]))])
  return [...ids].flatMap((id) => {
    const host = context.host(id)
    if (host === null) return []
    const instances = host.holdings.map(({ instance, body }) => ({
      instance: context.names.instance(instance),
      held: totalsOf(body),
    }))
    return [{ host: { id: host.id, name: host.name }, capacity: capacityOn(host), guests: instances }]
  })
}

function capacityOn(host: Host): RunDetail['placement'][number]['capacity'] {
  const sum = (resourceClass: string) =>
    host.providers
      .filter(({ sharing }) => !sharing)
      .flatMap(({ inventories }) => inventories)
      .reduce((total, each) => total + (each.resourceClass === resourceClass ? capacityOf(each) : 0), 0)
  return { pcpu: sum(PCPU), vcpu: sum(VCPU), memoryMib: sum(MEMORY_MB) }
}
