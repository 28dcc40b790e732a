import { decide } from '../../engine/claim'
import { demandOf } from '../../engine/demand'
import { accept } from '../../engine/migration/accept'
import { loadsSource, operationRow } from '../../engine/migration/operations'
import { questionOf } from '../../engine/migration/question'
import type { Migration, Operation, Step } from '../../engine/migration/state'
import type { HostId, MigrationId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'
import { titlesOf } from '../../engine/words/refusal-titles'
import { readHost } from '../../store/host/read'
import { type InstanceWithHost, readGroup, readInstanceView } from '../../store/migration/view'
import type { RunMigration, WholeRun } from '../../store/run/row'
import type { Limits } from '../options'
import type { RoundFacts } from './follow'
import { commitRun, type RunnerParts, starterOf } from './parts'

// Starts the due migrations of a run. A migration and its row in the run commit together, so a run never loses one or
// starts it twice.

/** The run after starting what could start; null after a conflicting write. */
export async function startReady(parts: RunnerParts, whole: WholeRun, seen: RoundFacts): Promise<WholeRun | null> {
  const { limits } = await parts.rules()
  const slots = slotsOf(limits, seen.active)
  let now: WholeRun | null = whole
  for (const migration of readyMigrations(whole)) {
    if (!slots.isFree(migration)) continue
    now = now && (await startOne(parts, now, migration))
    if (now === null || now.run.replanBecause !== null) return now
    slots.take(migration)
  }
  return now
}

/** Planned migrations whose predecessors have ended, the most urgent first. */
export function readyMigrations({ migrations }: WholeRun): readonly RunMigration[] {
  const open = new Set(migrations.filter(({ state }) => state === 'planned' || state === 'moving').map(({ n }) => n))
  return migrations
    .filter(({ state, after }) => state === 'planned' && !after.some((n) => open.has(n)))
    .toSorted((a, b) => b.priority - a.priority || a.n - b.n)
}

const HOLDS_SLOT: readonly Step[] = ['claim', 'prepare', 'transfer', 'switch']

/** Queued migrations count too, so that a run starts only what can begin. */
function slotsOf({ perSource, perTarget, fleet }: Limits, active: readonly Migration[]) {
  const from = new Map<HostId, number>()
  const to = new Map<HostId, number>()
  let all = 0
  const count = (counts: Map<HostId, number>, host: HostId | null) => {
    if (host !== null) counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  const take = (source: HostId | null, target: HostId | null) => {
    all++
    count(from, source)
    count(to, target)
  }
  const outOf = (source: HostId | null) => (source === null ? 0 : (from.get(source) ?? 0))
  const into = (target: HostId | null) => (target === null ? 0 : (to.get(target) ?? 0))
  for (const { operation, step, source, target, requestedTarget } of active) {
    if (HOLDS_SLOT.includes(step)) take(loadsSource(operation) ? source : null, target ?? requestedTarget)
  }
  return {
    isFree: (migration: RunMigration) =>
      all < fleet && outOf(sourceOf(migration)) < perSource && into(migration.to) < perTarget,
    take: (migration: RunMigration) => take(sourceOf(migration), migration.to),
  }
}

/** Null when it takes no slot of its source. */
const sourceOf = ({ method, from }: RunMigration): HostId | null => (loadsSource(method as Operation) ? from : null)

async function startOne(parts: RunnerParts, whole: WholeRun, migration: RunMigration): Promise<WholeRun | null> {
  const { run } = whole
  const { instance, name, to } = migration
  const operation = migration.method as Operation
  const view = await readInstanceView(parts.database, instance)
  if (view === null || to === null) return commitRun(parts, whole, replan(`${name} no longer exists or has no target`))
  if (view.instance.host !== migration.from) return commitRun(parts, whole, replan(`${name} is on another host now`))
  const refusals = await refusalsOf(parts, view, { operation, to })
  if (refusals.length > 0)
    return commitRun(parts, whole, replan(`${name} no longer fits on its planned target: ${titlesOf(refusals)}`))
  const accepted = accept(
    view,
    { operation, target: to, newFlavor: null, newImage: null },
    {
      id: parts.newId() as MigrationId,
      sameDemand: () => false,
      // A drain wants the host empty: a cold migration is confirmed as soon as the instance runs at its target.
      confirmWindowMs: 0,
      actor: starterOf(run, view.host?.name ?? run.host),
      at: parts.now(),
    },
  )
  if (!accepted.ok) {
    // The next round sees instances that already migrate; the new plan considers what cannot migrate now.
    return commitRun(parts, whole, replan(`${name} cannot migrate now: ${titlesOf(accepted.refusals)}`))
  }
  const put = [{ ...migration, state: 'moving', migration: accepted.migration.id } as const]
  const data = { instance, n: migration.n, to }
  return commitRun(parts, whole, { set: {}, put, change: accepted.change, kind: 'run.move-began', data })
}

const replan = (because: string) => ({ set: { replanBecause: because }, kind: 'run.overtaken' }) as const

/** The check that the claim will make, made now on fresh rows. */
async function refusalsOf(
  { database, rules }: RunnerParts,
  { instance, host: source }: InstanceWithHost,
  { operation, to }: { readonly operation: Operation; readonly to: HostId },
): Promise<readonly Refusal[]> {
  const [{ demand: options }, host, group] = await Promise.all([
    rules(),
    readHost(database, to),
    instance.group === null ? null : readGroup(database, { group: instance.group, without: instance.id }),
  ])
  const demand = demandOf(instance.flavor, instance.image, { ...options, zone: instance.zone })
  if (!demand.ok) return demand.refusals
  if (host === null) return [{ kind: 'unknown', where: {}, need: to, have: 'no such host' }]
  const from = operationRow(operation).source === 'none' ? null : source
  const result = questionOf({ operation, instance, source: from, demand: demand.demand, group })
  if (!result.ok) return [result.refusal]
  const verdict = decide({ ...result.question, host })
  return verdict.ok ? [] : verdict.refusals
}
