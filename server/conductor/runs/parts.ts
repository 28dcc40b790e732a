import type { Actor, Change } from '../../engine/change'
import type { Host } from '../../engine/host'
import type { Database } from '../../store/database/database'
import type { PlanDrain, PlanParts } from '../../store/run/plan'
import type { Run, WholeRun } from '../../store/run/row'
import { type RunWrite, writeRun } from '../../store/run/write'
import type { Rules } from '../rules'

// The dependencies of the runner, and its only way to write.

export interface RunnerParts {
  readonly database: Database
  /** Snapshots of the whole fleet, possibly slightly stale. */
  hosts(): Promise<readonly Host[]>
  rules(): Promise<Omit<Rules, 'confirmWindowMs' | 'silentHosts'>>
  /** Where drains are planned; left out: in the round itself. */
  readonly planDrain?: PlanDrain
  now(): number
  newId(): string
}

export async function planParts(parts: RunnerParts): Promise<PlanParts> {
  const [hosts, { policy, demand, limits }] = await Promise.all([parts.hosts(), parts.rules()])
  const { database, planDrain } = parts
  return { database, hosts, policy, demand, limits, planDrain, now: () => parts.now() }
}

/** Migrations of a run are started in the name of the user who started the run. */
export const starterOf = (run: Run, hostName: string): Actor => ({
  who: run.who,
  request: run.request,
  reason: `${run.kind} of ${hostName}${run.reason === null ? '' : `: ${run.reason}`}`,
})

export interface RunUpdate extends Pick<RunWrite, 'set' | 'put' | 'remove' | 'diff'> {
  readonly change?: Change
  readonly kind: string
  readonly data?: Readonly<Record<string, unknown>>
}

const RUNNER: Actor = { who: 'conductor runs', request: null, reason: null }

/** The run after the write; null after a conflicting write, and then the next round tries again. */
export async function commitRun(
  parts: RunnerParts,
  { run, migrations }: WholeRun,
  writing: RunUpdate,
): Promise<WholeRun | null> {
  const { set, put = [], remove = [], kind, data = {}, ...rest } = writing
  const event = { kind, hosts: [run.host], data: { state: set.state ?? run.state, ...data } }
  const committed = await writeRun(parts.database, {
    ...rest,
    ...{ run, set, put, remove, event, actor: RUNNER, at: parts.now() },
  })
  if (!committed.ok) return null
  const kept = migrations.filter(({ n }) => !remove.includes(n) && !put.some((migration) => migration.n === n))
  const after = [...kept, ...put].sort((a, b) => a.n - b.n)
  return { run: { ...run, ...set, generation: run.generation + 1 }, migrations: after }
}
