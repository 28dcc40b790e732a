import type { AlarmFacts, AlarmSubject } from '../../engine/alarm/alarms'
import type { Migration } from '../../engine/migration/state'
import { readAuditNow } from '../../store/finding/finding'
import { readActiveMigrations } from '../../store/migration/list'
import { cloudHealth } from '../cloud/health'
import { hostNotes } from '../host/fleet-now'
import { contactOf, NO_NOTES } from '../host/view'
import { slowMigrations } from '../migration/pace'
import { namesOf } from '../names/read'
import type { ApiServices } from '../services'

/** The current state of everything that can raise an alarm. */
export async function alarmFacts(
  services: Pick<ApiServices, 'database' | 'fleet' | 'now' | 'health' | 'clouds'>,
): Promise<AlarmFacts> {
  const { database, fleet, health } = services
  const active = await readActiveMigrations(database)
  const [notes, slow, audit, { checks }, clouds] = await Promise.all([
    hostNotes({ database }),
    slowMigrations(services, active),
    readAuditNow(database),
    health.read(),
    cloudHealth(services),
  ])
  const blocked = active.filter(isBlocked)
  const { overdue, notConverging } = slow
  const names = await namesOf(
    services,
    [...overdue, ...notConverging, ...blocked].map(({ instance }) => instance),
  )
  const subject = ({ id, instance }: Migration): AlarmSubject => ({ id, name: names.instance(instance).name })
  return {
    silent: silentHosts(fleet.hosts(), notes),
    down: fleet.hosts().flatMap(({ id, name, status }) => (status === 'down' ? [{ id, name }] : [])),
    overdue: overdue.map(subject),
    notConverging: notConverging.map(subject),
    blocked: blocked.map(subject),
    critical: audit.byKind
      .filter(({ severity }) => severity === 'critical')
      .map(({ kind, count }) => ({ kind, count })),
    clouds,
    checks,
  }
}

/** Other records contradict the migration, so it does nothing until they are repaired. */
export const isBlocked = ({ waiting }: Migration): boolean => waiting?.for === 'repair'

type Hosts = ReturnType<ApiServices['fleet']['hosts']>

/** Silent hosts that have answered before: one that never did is still being set up. */
export const silentHosts = (hosts: Hosts, notes: Awaited<ReturnType<typeof hostNotes>>): readonly AlarmSubject[] =>
  hosts
    .filter((host) => contactOf(host, notes.get(host.id) ?? NO_NOTES) === 'silent')
    .map(({ id, name }) => ({ id, name }))
