import type { Snapshot, SurveyedDomain, SurveyResult } from '../audit/snapshot'
import type { Host } from '../host'
import type { SideState } from '../migration/switch-decision'
import type { HostId, MigrationId } from '../words/ids'
import type { HealFact } from './advice'
import type { HostFacts, Silence } from './host-advice'
import type { HostFact } from './host-facts'
import type { MigrationFacts, SideFact } from './migration-advice'

// Builds the adviser's facts from a snapshot of the records and the last surveys.

export interface FactContext {
  readonly heal: HealFact
  /** When the present status of a host was set; null when nobody set it. */
  readonly statedAt: (host: HostId) => number | null
}

/** Null when the migration does not exist. */
export function migrationFactsFrom(snapshot: Snapshot, id: MigrationId, known: FactContext): MigrationFacts | null {
  const migration = snapshot.migrations.find((each) => each.id === id)
  if (migration === undefined) return null
  const { instance, source: from, target: to } = migration
  const side = (host: HostId | null, isNew: boolean): SideFact | null => {
    const row = snapshot.hosts.find((each) => each.id === host)
    // During a resize within one host both domains exist; the migration created the new one.
    const isIts = (domain: SurveyedDomain) =>
      domain.instance === instance && (from !== to || (domain.migration === id) === isNew)
    return row ? { host: hostFact(snapshot, row, known), observed: standingOf(snapshot, row, isIts) } : null
  }
  const [source, target] = [side(from, false), side(to, true)]
  return { migration, source, target, heal: known.heal, now: snapshot.now ?? migration.stepSince }
}

/** Null when the host does not exist. */
export function hostFactsFrom(snapshot: Snapshot, id: HostId, known: FactContext): HostFacts | null {
  const row = snapshot.hosts.find((each) => each.id === id)
  if (row === undefined) return null
  return {
    host: hostFact(snapshot, row, known),
    instances: snapshot.instances.filter(({ host }) => host === id).length,
    waitingMigrations: snapshot.migrations.filter(({ waiting }) => waiting?.for === 'host' && waiting.host === id)
      .length,
    silence: silenceOf(snapshot, id),
    heal: known.heal,
  }
}

/** The last survey has the time of the query, not how long the host has been silent: that is since its last answer. */
function silenceOf(snapshot: Snapshot, host: HostId): Silence | null {
  const surveys = snapshot.hostSurveys?.find((each) => each.host === host)
  if (!surveys || surveys.latest.answered) return null
  return { since: surveys.earlier?.answered ? surveys.earlier.at : null }
}

const latestOf = (snapshot: Snapshot, host: HostId): SurveyResult | null =>
  snapshot.hostSurveys?.find((each) => each.host === host)?.latest ?? null

function hostFact(snapshot: Snapshot, { id, name, status }: Host, { statedAt }: FactContext): HostFact {
  const latest = latestOf(snapshot, id)
  const running = latest?.domains.filter(({ observedState }) => observedState === 'running').length ?? 0
  return {
    id,
    name,
    status,
    statedAt: statedAt(id),
    answered: latest?.answered ?? null,
    lookedAt: latest?.at ?? null,
    running,
  }
}

function standingOf(snapshot: Snapshot, { id, status }: Host, isIts: (domain: SurveyedDomain) => boolean): SideState {
  if (status === 'fenced' || status === 'lost') return status
  const latest = latestOf(snapshot, id)
  if (!latest?.answered) return 'silent'
  return latest.domains.find(isIts)?.observedState ?? 'absent'
}
