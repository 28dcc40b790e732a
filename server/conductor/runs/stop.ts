import type { Instance } from '../../engine/change'
import { openRequest, requestPower } from '../../engine/power/request'
import { titlesOf } from '../../engine/words/refusal-titles'
import { readInstanceView } from '../../store/migration/view'
import { TRIES } from '../../store/run/plan'
import type { RunMigration, WholeRun } from '../../store/run/row'
import { commitRun, type RunnerParts, starterOf } from './parts'

// Instances that cannot migrate live and were to be stopped rather than cold-migrated: shut off in place, so that the
// host can be serviced. They keep their claims, and start again when an operator requests it. The stop is an ordinary
// power request that the conductor performs; the run only watches.

/** The instance still runs, and has not refused too often. */
export const isToStop = ({ state, method, attempts, chosen }: RunMigration): boolean =>
  state === 'stays' && method === 'stop' && chosen !== 'stay' && attempts < TRIES

/** Requests the stop of each and records the result; null after a conflicting write. */
export async function stopInstances(parts: RunnerParts, whole: WholeRun): Promise<WholeRun | null> {
  let now: WholeRun | null = whole
  for (const migration of whole.migrations.filter(isToStop)) now = now && (await stopOne(parts, now, migration))
  return now
}

async function stopOne(parts: RunnerParts, whole: WholeRun, migration: RunMigration): Promise<WholeRun | null> {
  const { instance: id, name } = migration
  const view = await readInstanceView(parts.database, id)
  if (view === null || view.host === null || view.activeMigration !== null) return whole
  const { instance, host } = view
  const done = { ...migration, chosen: 'stay', note: `${name} is stopped` } as const
  if (instance.vmState !== 'active') return commitRun(parts, whole, { set: {}, put: [done], kind: 'run.guest-stopped' })
  if (openRequest(instance) !== null) return whole
  const data = { instance: id, n: migration.n }
  const attempts = migration.attempts + (failedStop(instance, migration) === null ? 0 : 1)
  const actor = starterOf(whole.run, host.name)
  const asked = requestPower(view, { action: 'stop' }, { actor, at: parts.now() })
  if (asked.ok && asked.change !== null && attempts < TRIES) {
    const put = [{ ...migration, attempts, note: shuttingDown(name) }]
    return commitRun(parts, whole, { set: {}, put, change: asked.change, kind: 'run.guest-stopping', data })
  }
  const why = failedStop(instance, migration) ?? (asked.ok ? 'it changed meanwhile' : titlesOf(asked.refusals))
  const put = [
    {
      ...migration,
      attempts: Math.max(attempts, migration.attempts + 1),
      note: `${name} could not be stopped: ${why}`,
    },
  ]
  return commitRun(parts, whole, { set: {}, put, kind: 'run.guest-not-stopped', data })
}

const shuttingDown = (name: string) => `${name} is shutting down`

/** Why the stop requested by this run failed. */
function failedStop({ powerRequest }: Instance, { note, name }: RunMigration): string | null {
  return note === shuttingDown(name) ? (powerRequest?.failed?.why ?? null) : null
}
