import { lastOf } from '../../store/run/plan'
import type { RunCounts } from '../../store/run/read'
import type { RunDiff, RunMigration, WholeRun } from '../../store/run/row'
import { instancesIn } from '../host/fleet-now'
import type { Names } from '../names/names'
import { namesOf } from '../names/read'
import type { Rights } from '../permit/rights'
import type { ApiServices } from '../services'
import { estimateOf } from './estimate'
import { blockersOf, type PlannedMigrationContext, placementOf, plannedMigration, type RunDetail, runRow } from './view'

// One run with its migrations, their hosts, and the changes of its plan.

/** Names of all objects on a run's page. */
export function namesInRun(services: ApiServices, { run, migrations }: WholeRun): Promise<Names> {
  const hosts = new Set([run.host, ...migrations.flatMap(({ from, to, why }) => [from, to, ...hostsIn(why)])])
  const held = instancesIn([...hosts].flatMap((id) => (id && services.fleet.host(id)) || []))
  return namesOf(services, [...held, ...migrations.map(({ instance }) => instance)])
}

const hostsIn = (why: RunMigration['why']) => (why.is === 'left' ? why.left.refusals.map(({ host }) => host) : [])

interface DetailParts {
  readonly diffs: readonly RunDiff[]
  readonly names: Names
  readonly rights: Rights
}

export async function detailOf(
  services: ApiServices,
  { run, migrations }: WholeRun,
  parts: DetailParts,
): Promise<RunDetail> {
  const { diffs, names, rights } = parts
  const context: PlannedMigrationContext = {
    run,
    names,
    rights,
    host: (id) => services.fleet.host(id as typeof run.host),
  }
  return {
    ...runRow({ run, counts: countsOf(migrations) }, context),
    planVersion: run.planVersion,
    fallback: run.fallback,
    helpersAllowed: run.others,
    scheduling: services.fleet.host(run.host)?.scheduling ?? null,
    note: run.note,
    replanning: run.replanBecause,
    migrations: migrations.map((migration) => plannedMigration(migration, context)),
    blockers: blockersOf(migrations, names),
    diffs,
    placement: placementOf(run, migrations, context),
    tookMs: run.tookMs,
    estimate: await estimateOf(services, migrations),
  }
}

const LEFT: readonly RunMigration['state'][] = ['stays', 'blocked', 'skipped', 'failed']

/** For an instance with several attempts the last row counts. */
function countsOf(migrations: readonly RunMigration[]): RunCounts {
  const last = [...lastOf(migrations).values()]
  const own = last.filter(({ helper }) => !helper)
  const count = (rows: readonly RunMigration[], is: readonly RunMigration['state'][]) =>
    rows.filter(({ state }) => is.includes(state)).length
  return { total: own.length, done: count(own, ['done']), failed: count(last, ['failed']), left: count(own, LEFT) }
}
