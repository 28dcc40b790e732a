import { paceOf } from '../../engine/migration/pace'
import type { Migration, Operation, Step, StepRecord } from '../../engine/migration/state'
import type { TransferEstimate } from '../../engine/migration/transfer-estimate'
import type { Database } from '../../store/database/database'
import { readMigrations, readSteps } from '../../store/migration/list'
import { type PaceFilter, type PaceRow, readLiveDowntime, readPaces } from '../../store/migration/pace'
import type { RunMigration } from '../../store/run/row'
import { transferEstimateOf } from '../migration/transfer-estimate'
import type { Ms } from '../plain'
import type { ApiServices } from '../services'

// How long a plan takes and how long instances are down, from the durations of earlier migrations. With too few of
// them, a migration between real hosts is estimated from memory and bandwidth; any other has no estimate. Batches are
// sequential; within one the longest counts.

/** From the step durations of earlier migrations, or from memory and bandwidth. */
export interface RunEstimate {
  /** Time until the end: median and 95th percentile; null without a baseline. */
  readonly leftMs: { readonly p50: Ms; readonly p95: Ms } | null
  /** All instances together, from now to the end; null without a baseline. */
  readonly downtimeMs: Ms | null
  /** Total over this run's migrations so far; null when one of them did not report it. */
  readonly causedMs: Ms | null
  /** Operations without a baseline. */
  readonly without: readonly Operation[]
  /** The number of migrations estimated from memory and bandwidth. */
  readonly calculated: number
}

/** Duration of earlier migrations: median and 95th percentile. */
export interface MigrationEstimate {
  readonly p50: Ms
  readonly p95: Ms
  /** The number of earlier migrations it is based on. */
  readonly migrations: number
  /** All of them between these two hosts; otherwise of the operation between any hosts. */
  readonly ofPair: boolean
}

/** How long one migration would take; null without a baseline. */
export async function estimateOfMigration(
  database: Database,
  { operation, source, target }: PaceFilter,
): Promise<MigrationEstimate | null> {
  const paces = await readPaces(database, [{ operation, source, target }])
  return timesOf({ method: operation, from: source, to: target }, WORK, { paces })
}

/** Excludes waiting for a slot and for an operator. */
const WORK: readonly Step[] = ['prepare', 'transfer', 'switch', 'release']
/** For a cold migration: the instance stops before the target is prepared and starts at the switch. */
const DOWN: readonly Step[] = ['prepare', 'transfer', 'switch']
const OPEN: readonly RunMigration['state'][] = ['planned', 'waiting', 'moving']

type EstimateServices = Pick<ApiServices, 'database' | 'fleet' | 'transfers' | 'now'>

export async function estimateOf(services: EstimateServices, planned: readonly RunMigration[]): Promise<RunEstimate> {
  const { database } = services
  const ids = planned.flatMap(({ migration }) => migration ?? [])
  const filters = planned.flatMap(({ method, from, to, state }) =>
    OPEN.includes(state) && isOperation(method) ? [{ operation: method, source: from, target: to }] : [],
  )
  const [paces, live, found, steps, transfers] = await Promise.all([
    readPaces(database, filters),
    readLiveDowntime(database),
    readMigrations(database, ids),
    readSteps(database, ids),
    transfersOf(services, planned),
  ])
  const migrations = new Map(found.map(({ migration }) => [migration.id as string, migration]))
  return estimate(planned, { paces, live, migrations, steps, transfers, now: services.now() })
}

/** By the number of the migration; only for pending live migrations between real hosts. */
async function transfersOf(
  services: EstimateServices,
  planned: readonly RunMigration[],
): Promise<ReadonlyMap<number, TransferTimes>> {
  const real = planned.filter(
    ({ to, method, state }) =>
      OPEN.includes(state) && method === 'live-migrate' && to !== null && services.fleet.host(to)?.driver === 'libvirt',
  )
  const times = await Promise.all(
    real.map(
      async ({ n, instance, to }) => [n, to && (await transferEstimateOf(services, { instance, target: to }))] as const,
    ),
  )
  return new Map(times.flatMap(([n, estimated]) => (estimated ? [[n, estimated] as const] : [])))
}

type TransferTimes = Pick<TransferEstimate, 'durationMs' | 'downtimeMs'>

export interface EstimateParts {
  readonly paces: readonly PaceRow[]
  /** Usual downtime of a live migration; null without a baseline. */
  readonly live: number | null
  readonly migrations: ReadonlyMap<string, Migration>
  readonly steps: readonly StepRecord[]
  /** By the number of the migration. */
  readonly transfers: ReadonlyMap<number, TransferTimes>
  readonly now: number
}

const isOperation = (method: RunMigration['method']): method is Operation => method !== null && method !== 'stop'

export function estimate(planned: readonly RunMigration[], parts: EstimateParts): RunEstimate {
  const open = planned.filter(({ state, method }) => OPEN.includes(state) && isOperation(method))
  const without = new Set<Operation>()
  const batches = new Map<number, { p50: number; p95: number }>()
  let down: number | null = 0
  let calculated = 0
  for (const migration of open) {
    const operation = migration.method as Operation
    const baseline = workOf(migration, parts)
    const work = baseline ?? copyOf(migration, parts)
    if (work === null) without.add(operation)
    else if (baseline === null) calculated += 1
    const known = batches.get(migration.wave) ?? { p50: 0, p95: 0 }
    if (work) {
      const [p50, p95] = [Math.max(known.p50, work.p50), Math.max(known.p95, work.p95)]
      batches.set(migration.wave, { p50, p95 })
    }
    const own = downtimeOf(migration, operation, parts)
    down = down === null || own === null ? null : down + own
  }
  const sum = (key: 'p50' | 'p95') => [...batches.values()].reduce((total, each) => total + each[key], 0)
  const leftMs = without.size > 0 ? null : { p50: sum('p50'), p95: sum('p95') }
  return { leftMs, downtimeMs: down, causedMs: causedBy(planned, parts), without: [...without], calculated }
}

/** The timed steps between these hosts, or of the operation on any; null when one has no baseline. */
function timesOf(
  migration: { readonly method: RunMigration['method']; readonly from: string | null; readonly to: string | null },
  which: readonly Step[],
  { paces }: Pick<EstimateParts, 'paces'>,
): MigrationEstimate | null {
  const sum = { p50: 0, p95: 0, migrations: Number.POSITIVE_INFINITY, ofPair: true }
  for (const step of which) {
    const rows = paces.filter(
      (row) => row.operation === migration.method && row.step === step && row.direction === 'target',
    )
    const pair = rows.find(({ source, target }) => source === migration.from && target === migration.to) ?? null
    const pace = paceOf(pair, rows.find(({ source }) => source === null) ?? null)
    if (pace === null) return null
    sum.p50 += pace.p50Ms
    sum.p95 += pace.p95Ms
    sum.migrations = Math.min(sum.migrations, pace.samples)
    sum.ofPair &&= pace.scope === 'pair'
  }
  return sum
}

/** Copying its memory is nearly all of a live migration's time. */
function copyOf({ n }: RunMigration, { transfers }: EstimateParts) {
  const ms = transfers.get(n)?.durationMs ?? null
  return ms === null ? null : { p50: ms, p95: ms }
}

/** For an active migration, only the remaining part. */
function workOf(planned: RunMigration, parts: EstimateParts) {
  const whole = timesOf(planned, WORK, parts)
  const begun = planned.migration === null ? undefined : parts.migrations.get(planned.migration)
  if (whole === null || begun === undefined) return whole
  const gone = parts.now - begun.createdAt
  return { ...whole, p50: Math.max(0, whole.p50 - gone), p95: Math.max(0, whole.p95 - gone) }
}

/** The instances of a dead host are down already: rebuilding them causes no downtime. */
function downtimeOf(migration: RunMigration, operation: Operation, parts: EstimateParts): number | null {
  if (operation === 'evacuate') return 0
  if (operation === 'live-migrate') return parts.live ?? parts.transfers.get(migration.n)?.downtimeMs ?? null
  return timesOf(migration, DOWN, parts)?.p50 ?? null
}

function causedBy(planned: readonly RunMigration[], { migrations, steps, now }: EstimateParts): number | null {
  let total = 0
  for (const { migration: id } of planned) {
    const migration = id === null ? undefined : migrations.get(id)
    if (migration === undefined || migration.operation === 'evacuate') continue
    if (migration.operation === 'live-migrate') {
      const downtime = migration.progress?.downtimeMs ?? null
      // Before its hand-over it has caused none.
      if (downtime === null && migration.outcome === 'completed') return null
      total += migration.outcome === 'completed' ? (downtime ?? 0) : 0
      continue
    }
    if (!migration.wasRunning) continue
    for (const step of steps) {
      if (step.migration !== migration.id || !DOWN.includes(step.step)) continue
      total += Math.max(0, (step.endedAt ?? now) - step.startedAt)
    }
  }
  return total
}
