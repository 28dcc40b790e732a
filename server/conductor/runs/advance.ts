import { acceptAction } from '../../engine/migration/machine'
import { requestChange } from '../../engine/migration/requested-action'
import type { Migration } from '../../engine/migration/state'
import { planRows, readSilent } from '../../store/run/plan'
import { readActiveRuns, readRun } from '../../store/run/read'
import type { RunMigration, WholeRun } from '../../store/run/row'
import { followMigrations, isAbortedByRun, type RoundFacts, readRunState } from './follow'
import { commitRun, planParts, type RunnerParts, starterOf } from './parts'
import { readyMigrations, startReady } from './start'
import { isToStop, stopInstances } from './stop'

// One round over all runs: record results, replan after changes, start what may start, and end what is complete. A
// round keeps nothing in memory, so any server's next round continues from the tables.

const PASSES = 3 // limits how often one round replans an outdated plan

/** Every active run gets its round; a failure of one does not block the others, and is thrown at the end. */
export async function advanceRuns(parts: RunnerParts): Promise<void> {
  const failures: unknown[] = []
  for (const id of await readActiveRuns(parts.database)) {
    await advanceRun(parts, id).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} runs could not be continued`)
}

async function advanceRun(parts: RunnerParts, id: string): Promise<void> {
  let whole = await readRun(parts.database, id)
  let seen: RoundFacts | null = null
  for (let pass = 0; whole !== null && pass < PASSES; pass++) {
    seen = await readRunState(parts, whole)
    whole = await followMigrations(parts, whole, seen)
    if (whole === null) return
    whole = await abortUnanswered(parts, whole, seen)
    if (whole === null) return
    if (whole.run.state === 'running') whole = await continueRun(parts, whole, seen)
    if (whole === null || whole.run.replanBecause === null || whole.run.state !== 'running') break
  }
  if (whole !== null && seen !== null) await endIfOver(parts, whole, seen)
}

async function continueRun(parts: RunnerParts, whole: WholeRun, seen: RoundFacts): Promise<WholeRun | null> {
  const stale = whole.run.replanBecause ?? (await closedTarget(parts, whole))
  const planned = stale === null ? whole : await replanned(parts, whole, stale)
  const begun = planned && (await startReady(parts, planned, seen))
  return begun && begun.run.replanBecause === null ? stopInstances(parts, begun) : begun
}

/**
 * A target that no longer accepts claims; checked before the migration is due, so that the displayed plan is feasible.
 */
async function closedTarget(parts: RunnerParts, { migrations }: WholeRun): Promise<string | null> {
  const targets = new Set(migrations.flatMap(({ state, to }) => (state === 'planned' && to !== null ? [to] : [])))
  if (targets.size === 0) return null
  const silent = await readSilent(parts.database)
  for (const host of await parts.hosts()) {
    if (!targets.has(host.id)) continue
    if (silent.has(host.id)) return `${host.name} does not answer`
    if (host.status !== 'up') return `${host.name} is ${host.status}`
    if (host.scheduling !== 'enabled') return `${host.name} is ${host.scheduling}`
  }
  return null
}

async function replanned(parts: RunnerParts, whole: WholeRun, because: string): Promise<WholeRun | null> {
  const { run, migrations } = whole
  const { lines, tookMs, put, remove } = await planRows(await planParts(parts), run, migrations)
  const version = run.planVersion + 1
  const diff = { version, at: parts.now(), because, lines }
  const set = { planVersion: version, tookMs, replanBecause: null }
  return commitRun(parts, whole, { set, put, remove, diff, kind: 'run.replanned', data: { version, because } })
}

/** Nothing is active and nothing can begin: the rest is reported, and the run ends. */
async function endIfOver(parts: RunnerParts, whole: WholeRun, { active }: RoundFacts): Promise<void> {
  const { run, migrations } = whole
  const count = (state: WholeRun['migrations'][number]['state']) =>
    migrations.filter((planned) => planned.state === state).length
  if (count('moving') > 0) return
  const endedAt = parts.now()
  if (run.state === 'stopping') await commitRun(parts, whole, { set: { state: 'stopped', endedAt }, kind: 'run.ended' })
  if (run.state !== 'running' || run.replanBecause !== null) return
  // Waits for instances that others migrate: these may come back to the host.
  if (count('waiting') > 0 || readyMigrations(whole).length > 0 || migrations.some(isToStop)) return
  // Instances that were migrating to this host before it was disabled must leave again.
  if (run.kind === 'drain' && active.some(({ target, home }) => target === run.host && home === 'source')) return
  await commitRun(parts, whole, { set: { state: 'done', endedAt }, kind: 'run.ended' })
}

// A target that stops answering during a migration holds a slot that other instances need. The run requests the abort
// that an operator would request; the state machine decides whether it is permitted, and what then waits for the host.

const PATIENCE_MS = 30_000 // a hypervisor that restarts is back by then

/** Null after a conflicting write. */
async function abortUnanswered(parts: RunnerParts, whole: WholeRun, { active }: RoundFacts): Promise<WholeRun | null> {
  let now: WholeRun | null = whole
  for (const planned of whole.migrations) {
    const migration = active.find(({ id }) => id === planned.migration)
    if (planned.state !== 'moving' || isAbortedByRun(planned) || !migration || !hasWaited(migration, parts.now()))
      continue
    now = now && (await abortOne(parts, now, { planned, migration }))
  }
  return now
}

function hasWaited({ waiting, target, stepSince, attempt }: Migration, now: number): boolean {
  return waiting?.for === 'host' && waiting.host === target && attempt > 1 && now - stepSince > PATIENCE_MS
}

interface UnansweredMigration {
  readonly planned: RunMigration
  readonly migration: Migration
}

async function abortOne(
  parts: RunnerParts,
  whole: WholeRun,
  { planned, migration }: UnansweredMigration,
): Promise<WholeRun | null> {
  const at = parts.now()
  const accepted = acceptAction(migration, 'abort', at)
  // Past its point of no return it completes on its own, and the run waits for it.
  if (!accepted.ok) return whole
  const host = (await parts.hosts()).find(({ id }) => id === whole.run.host)
  const actor = starterOf(whole.run, host?.name ?? whole.run.host)
  const change = requestChange(migration, accepted.migration, { requestedAction: 'abort', actor, askedAt: at, at })
  const put = [{ ...planned, note: 'its target does not answer' }]
  const set = { replanBecause: `the target of ${planned.name} does not answer` }
  return commitRun(parts, whole, { set, put, change, kind: 'run.move-given-up', data: { n: planned.n } })
}
