import type { Instance } from '../../engine/change'
import { type DemandOptions, demandOf } from '../../engine/demand'
import { planDrain } from '../../engine/drain'
import {
  DRAIN_STEPS,
  type DrainChoice,
  type DrainInput,
  type DrainInstance,
  type DrainPlan,
  type MigrationLimits,
} from '../../engine/drain/plan'
import type { Host } from '../../engine/host'
import type { Policy } from '../../engine/scheduler'
import type { HostId, InstanceId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { readSurveyTimes } from '../survey/survey'
import { type DrainFacts, readDrainFacts } from './drain-facts'
import type { Run, RunLine, RunMigration, WholeRun } from './row'

// Plans a run as rows, from the current state and around migrations that have begun, and compares the plan with the
// previous one. The API makes the first plan, the runner later ones.

export interface PlanParts {
  readonly database: Database
  readonly hosts: readonly Host[]
  readonly policy: Policy
  readonly demand: DemandOptions
  readonly limits: MigrationLimits
  /** Runs the planner; omitted: synchronously here. */
  readonly planDrain?: PlanDrain | undefined
  /** Cancels the plan. */
  readonly signal?: AbortSignal | undefined
  /** Ms of any clock, to measure how long planning took. */
  now(): number
}

export type PlanDrain = (ask: DrainInput, signal?: AbortSignal) => Promise<DrainPlan>

export interface PlannedRows {
  readonly put: readonly RunMigration[]
  readonly remove: readonly number[]
  readonly lines: readonly RunLine[]
  readonly tookMs: number
}

export const TRIES = 3 // failed attempts per instance and run before an operator must look into it

/** Plans for every instance on the host that has not begun, is not skipped and was not given up. */
export async function planRows(
  parts: PlanParts,
  run: RunScope,
  migrations: WholeRun['migrations'],
): Promise<PlannedRows> {
  const began = parts.now()
  const last = lastOf(migrations)
  const planned = await plan(parts, run, last)
  const rows = rowsOf(planned, { last, offset: Math.max(0, ...migrations.map(({ n }) => n)) })
  const open = migrations.filter(isOpen)
  return {
    put: rows,
    remove: open.map(({ n }) => n),
    lines: linesOf(open, rows, new Map(parts.hosts.map(({ id, name }) => [id, name]))),
    tookMs: Math.round(parts.now() - began),
  }
}

/** Rows that a new plan replaces. */
const isOpen = ({ state }: RunMigration): boolean =>
  state === 'planned' || state === 'stays' || state === 'blocked' || state === 'waiting'

/** The newest row of each instance: its last decision. */
export function lastOf(migrations: readonly RunMigration[]): ReadonlyMap<InstanceId, RunMigration> {
  return new Map(migrations.map((migration) => [migration.instance, migration]))
}

/** Not planned: skipped by an operator, or failed too often. */
const isExcludedFromPlan = (migration: RunMigration | undefined): boolean =>
  migration?.state === 'skipped' || (migration?.state === 'failed' && migration.attempts >= TRIES)

interface PlannedDrain {
  readonly plan: DrainPlan
  readonly facts: DrainFacts
}

type Last = ReadonlyMap<InstanceId, RunMigration>
type RunScope = Pick<Run, 'kind' | 'host' | 'fallback' | 'others' | 'within'>

// Most hosts can be emptied without moving other instances; only otherwise are the instances of all other hosts read.
async function plan(all: PlanParts, run: RunScope, last: Last): Promise<PlannedDrain> {
  const silent = await readSilent(all.database)
  const reached = all.hosts.filter((host) => host.id === run.host || isWithin(host, run.within))
  const parts = { ...all, hosts: reached.map((host) => standing(host, run.host, silent)) }
  const own = await readDrainFacts(parts.database, run.host)
  const direct = await planned(parts, { ...run, others: false }, { facts: own, last })
  if (!run.others || direct.plan.remaining.every(({ is }) => is === 'stays')) return direct
  return planned(parts, run, { facts: await readDrainFacts(parts.database, null), last })
}

async function planned(
  parts: PlanParts,
  run: RunScope,
  on: { readonly facts: DrainFacts; readonly last: Last },
): Promise<PlannedDrain> {
  const { facts, last } = on
  const { policy, limits, hosts, planDrain: elsewhere, signal } = parts
  const reached = new Set(hosts.map(({ id }) => id))
  const instances = facts.instances
    .filter((instance) => instance.host === null || reached.has(instance.host))
    .filter(({ id }) => !isExcludedFromPlan(last.get(id)) && last.get(id)?.state !== 'moving')
    .map((instance) => drainInstanceOf(instance, parts, { facts, last: last.get(instance.id) }))
  const { kind, host, fallback, others } = run
  const drain = { kind, host, hosts, instances, groups: facts.groups, members: facts.members }
  const ask = { ...drain, limits, policy, fallback, helpersAllowed: others, steps: DRAIN_STEPS }
  return { facts, plan: elsewhere ? await elsewhere(ask, signal) : planDrain(ask) }
}

/**
 * True when the run's part of the fleet includes the host; only such hosts are targets or have instances moved aside.
 */
const isWithin = ({ name, zone }: Host, within: Run['within']): boolean =>
  within.length === 0 || within.includes(`host:${name}`) || (zone !== null && within.includes(`zone:${zone}`))

/** A host that did not answer the last survey is no target, whatever its status. */
function standing(host: Host, emptied: HostId, silent: ReadonlySet<HostId>): Host {
  return host.id !== emptied && host.status === 'up' && silent.has(host.id) ? { ...host, status: 'down' } : host
}

/** Hosts that were surveyed and did not answer. One without a survey is not silent. */
export async function readSilent(database: Database): Promise<ReadonlySet<HostId>> {
  const surveys = await readSurveyTimes(database)
  return new Set(surveys.filter(({ answered }) => !answered).map(({ host }) => host))
}

interface DrainInstanceInput {
  readonly facts: DrainFacts
  readonly last: RunMigration | undefined
}

function drainInstanceOf(
  instance: Instance,
  { demand }: PlanParts,
  { facts, last }: DrainInstanceInput,
): DrainInstance {
  const result = demandOf(instance.flavor, instance.image, { ...demand, zone: instance.zone })
  const chosen: DrainChoice | null = last?.chosen ?? null
  const activeMigration = facts.activeMigrations.get(instance.id) ?? null
  return {
    record: instance,
    demand: result.ok ? result.demand : null,
    activeMigration,
    chosen,
    priority: last?.priority ?? 0,
  }
}

interface Rows {
  readonly last: Last
  readonly offset: number
}

function rowsOf(
  { plan: { migrations, remaining }, facts }: PlannedDrain,
  { last, offset }: Rows,
): readonly RunMigration[] {
  const instances = new Map(facts.instances.map((instance) => [instance.id, instance]))
  const kept = (id: InstanceId) => {
    const before = last.get(id)
    const name = instances.get(id)?.name ?? id
    const { priority = 0, chosen = null } = before ?? {}
    // Failures keep counting, so that retries end.
    return { instance: id, name, priority, chosen, attempts: before?.attempts ?? 0, migration: null, note: null }
  }
  const going = migrations.map((migration, at): RunMigration => {
    const { instance, from, to, method, helper, wave, body, fits, notLive, refusing } = migration
    const after = migration.after.map((index) => index + offset + 1)
    const why = { is: 'move', fits, notLive, refusing } as const
    return { ...kept(instance), n: at + offset + 1, from, to, method, helper, after, wave, body, why, state: 'planned' }
  })
  const staying = remaining.map((each, at): RunMigration => {
    const n = offset + migrations.length + at + 1
    const state = facts.activeMigrations.has(each.instance) ? 'waiting' : each.is === 'blocked' ? 'blocked' : 'stays'
    const from = instances.get(each.instance)?.host as HostId
    const place = { n, from, to: null, method: each.is === 'stops' ? 'stop' : null, helper: false } as const
    return { ...kept(each.instance), ...place, after: [], wave: 0, body: null, why: { is: 'left', left: each }, state }
  })
  return [...going, ...staying]
}

type Names = ReadonlyMap<HostId, string>

function linesOf(before: readonly RunMigration[], now: readonly RunMigration[], names: Names): readonly RunLine[] {
  const texts = (rows: readonly RunMigration[]) => {
    const byInstance = new Map<InstanceId, { readonly name: string; text: string }>()
    for (const row of rows) {
      const earlier = byInstance.get(row.instance)
      const text = textOf(row, names)
      byInstance.set(row.instance, { name: row.name, text: earlier ? `${earlier.text}, then ${text}` : text })
    }
    return byInstance
  }
  const [old, fresh] = [texts(before), texts(now)]
  const lines: RunLine[] = []
  for (const [id, { name, text }] of old) {
    const next = fresh.get(id)
    const instance = { id, name }
    if (next === undefined) lines.push({ sign: '-', instance, what: text })
    else if (next.text !== text) lines.push({ sign: '~', instance, what: `${text}, now ${next.text}` })
  }
  for (const [id, { name, text }] of fresh)
    if (!old.has(id)) lines.push({ sign: '+', instance: { id, name }, what: text })
  return lines
}

function textOf({ state, method, to }: RunMigration, names: Names): string {
  if (to !== null) return `${method} to ${names.get(to) ?? to}`
  return method === 'stop' ? 'is to be stopped' : state
}
