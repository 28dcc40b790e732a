import type { Instance } from '../../engine/change'
import type { Holding } from '../../engine/host'
import type { Migration, Side } from '../../engine/migration/state'
import type { HostId } from '../../engine/words/ids'
import { readInstances } from '../../store/instance/list'
import { type DomainObservation, readSurveys, type SurveyRow } from '../../store/survey/survey'
import { heldText } from '../claim/view'
import type { Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import type { Ms } from '../plain'
import type { ApiServices } from '../services'
import { refOf, targetOf } from './view'

// Reports on a migrating instance, side by side: the records, the allocations, and the hypervisors of source and
// target. No answer does not mean that nothing runs there: a silent host keeps what it showed last, with the time.

/** One source's report on the migrating instance, ready to print, with its time. */
export interface MigrationFact {
  readonly source: 'records' | 'allocations' | 'hypervisor' | 'transfer'
  readonly side: Side | null
  readonly host: Ref | null
  readonly says: string
  /** When it was read or seen; null when unknown. */
  readonly at: Ms | null
  /** False when that source was queried and did not answer. */
  readonly answered: boolean
}

export async function migrationFacts(services: ApiServices, migration: Migration): Promise<readonly MigrationFact[]> {
  const { database } = services
  const hosts = hostsOf(migration)
  const [names, [record], surveys] = await Promise.all([
    namesOf(services, [migration.instance, migration.id]),
    readInstances(database, [migration.instance]),
    readSurveys(
      database,
      hosts.map(({ id }) => id),
    ),
  ])
  const context = { migration, names, now: services.now() }
  return [
    recordFact(record ?? null, context),
    ...hosts.map(({ side, id }) => heldFact(services.fleet.host(id)?.holdings ?? [], { side, id, ...context })),
    ...hosts.map(({ side, id }) =>
      surveyFact(surveys.find(({ host }) => host === id) ?? null, { side, id, ...context }),
    ),
    ...transferFact(context),
  ]
}

interface Context {
  readonly migration: Migration
  readonly names: Names
  readonly now: number
}
interface OnSide extends Context {
  readonly side: Side
  readonly id: HostId
}

/** A migration on one host has one hypervisor to query. */
function hostsOf(migration: Migration): { readonly side: Side; readonly id: HostId }[] {
  const { source } = migration
  const target = targetOf(migration) as HostId | null
  return [
    ...(source ? [{ side: 'source' as const, id: source }] : []),
    ...(target && target !== source ? [{ side: 'target' as const, id: target }] : []),
  ]
}

function recordFact(record: Instance | null, { migration, names, now }: Context): MigrationFact {
  const host = record?.host ?? null
  const says =
    record === null
      ? 'the instance no longer exists'
      : `${record.vmState}, ${host === null ? 'on no host' : `on ${names.host(host).name}`}`
  const side = host === null ? null : host === migration.source ? 'source' : 'target'
  return { source: 'records', side, host: refOf(host, names), says, at: now, answered: true }
}

function heldFact(holdings: readonly Holding[], { migration, names, now, side, id }: OnSide): MigrationFact {
  const own = holdings.filter(({ instance }) => instance === migration.instance)
  const parts = own.map(
    ({ body, consumerKind }) =>
      `${heldText(body)} held by ${consumerKind === 'migration' ? 'the migration' : 'the instance'}`,
  )
  const says = parts.length === 0 ? 'nothing' : parts.join('; ')
  return { source: 'allocations', side, host: refOf(id, names), says, at: now, answered: true }
}

const OBSERVED_STATES: Readonly<Record<DomainObservation['observedState'], string>> = {
  running: 'runs here',
  stopped: 'stopped here',
  left: 'shut off here after the switch',
  shell: 'paused target domain',
}

function surveyFact(survey: SurveyRow | null, { migration, names, side, id }: OnSide): MigrationFact {
  const seen = survey?.guests?.filter(({ instance }) => instance === migration.instance) ?? null
  const shows =
    seen === null
      ? null
      : seen.length === 0
        ? 'not there'
        : seen.map(({ observedState }) => OBSERVED_STATES[observedState]).join('; ')
  const answered = survey?.answered === true
  const says =
    answered && shows !== null ? shows : shows === null ? 'never answered' : `does not answer; last: ${shows}`
  return { source: 'hypervisor', side, host: refOf(id, names), says, at: survey?.answeredAt ?? null, answered }
}

/** The transfer is polled far more often than the fleet is surveyed, so its progress is often the newest report. */
function transferFact({ migration, names }: Context): MigrationFact[] {
  const { progress, source } = migration
  if (progress === null) return []
  const says = `${sizeText(progress.remainingBytes)} of ${sizeText(progress.totalBytes)} left${progress.postCopy ? ', switched' : ''}`
  return [{ source: 'transfer', side: 'source', host: refOf(source, names), says, at: progress.at, answered: true }]
}

/** Rounded up, so that it is 0 only when nothing is left; in the unit of the console's other sizes. */
function sizeText(bytes: number): string {
  const mib = Math.ceil(bytes / 2 ** 20)
  return mib < 1024 ? `${mib} MiB` : `${Math.ceil((mib / 1024) * 10) / 10} GiB`
}
