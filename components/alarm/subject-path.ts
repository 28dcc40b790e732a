import type { AlarmView } from '@/server/api/alarm/router'
import type { AlarmKind } from '@/server/engine/alarm/alarms'
import type { FindingKind } from '@/server/engine/audit/finding'
import { paths } from '../console/paths'

/** The page that answers the first question about an alarm. A check of the server itself has none. */
const PATHS: Readonly<Record<AlarmKind, ((subject: string) => string) | null>> = {
  'host-silent': (host) => paths.host(host, { tab: 'adviser' }),
  'host-down': (host) => paths.evacuate(host),
  'finding-critical': (kind) => paths.heal({ kind: kind as FindingKind }),
  'cloud-finding-critical': (cloud) => paths.cloud(cloud, { tab: 'findings' }),
  'migration-blocked': (migration) => paths.migration(migration, { tab: 'adviser' }),
  'migration-not-converging': (migration) => paths.migration(migration, { tab: 'transfer' }),
  'migration-overdue': (migration) => paths.migration(migration, { tab: 'adviser' }),
  'task-silent': null,
  'events-stuck': null,
  'audit-late': () => paths.heal(),
  'survey-incomplete': () => paths.hosts(),
  'clock-wrong': null,
  'replica-lost': null,
}

/** Null also for a kind of another version. */
export const subjectPath = ({ kind, subject }: Pick<AlarmView, 'kind' | 'subject'>): string | null =>
  (PATHS as Readonly<Record<string, ((subject: string) => string) | null>>)[kind]?.(subject) ?? null
