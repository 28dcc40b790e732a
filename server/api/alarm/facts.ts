import type { AlarmFacts, AlarmSubject } from '../../engine/alarm/alarms'
import type { Migration } from '../../engine/migration/state'
import { readAuditNow } from '../../store/finding/finding'
import { hostNotes } from '../host/fleet-now'
import { contactOf, NO_NOTES } from '../host/view'
import { slowMigrations } from '../migration/pace'
import { namesOf } from '../names/read'
import type { ApiServices } from '../services'

/** The current state of everything that can raise an alarm. */
export async function alarmFacts(
  services: Pick<ApiServices, 'database' | 'fleet' | 'now' | 'health'>,
): Promise<AlarmFacts> {
  const { database, fleet, health } = services
  const [notes, slow, audit, { checks }] = await Promise.all([
    hostNotes({ database }),
    slowMigrations(services),
    readAuditNow(database),
    health.read(),
  ])
  const { overdue, notConverging } = slow
  const names = await namesOf(
    services,
    [...overdue, ...notConverging].map(({ instance }) => instance),
  )
  const subject = ({ id, instance }: Migration): AlarmSubject => ({ id, name: names.instance(instance).name })
  return {
    silent: silentHosts(fleet.hosts(), notes),
    overdue: overdue.map(subject),
    notConverging: notConverging.map(subject),
    critical: audit.byKind
      .filter(({ severity }) => severity === 'critical')
      .map(({ kind, count }) => ({ kind, count })),
    checks,
  }
}

type Hosts = ReturnType<ApiServices['fleet']['hosts']>

/** Silent hosts that have answered before: one that never did is still being set up. */
export const silentHosts = (hosts: Hosts, notes: Awaited<ReturnType<typeof hostNotes>>): readonly AlarmSubject[] =>
  hosts
    .filter((host) => contactOf(host, notes.get(host.id) ?? NO_NOTES) === 'silent')
    .map(({ id, name }) => ({ id, name }))
