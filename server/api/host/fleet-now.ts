import type { Host } from '../../engine/host'
import type { Migration } from '../../engine/migration/state'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { countFindings, NO_FINDINGS } from '../../store/finding/count'
import { readHostFacts, readUnanswered } from '../../store/host/facts'
import { readActiveMigrations } from '../../store/migration/list'
import type { PermitHost } from '../permit/permits'
import type { Ms } from '../plain'
import type { ApiServices } from '../services'
import {
  contactOf,
  type HostAccess,
  type HostNotes,
  type HostTraffic,
  hostKind,
  NO_NOTES,
  NO_TRAFFIC,
  trafficOf,
} from './view'

// Data that most responses about hosts need besides the snapshots: the active migrations.

/** When a silent host last answered; null if it never did. */
export interface Silence {
  readonly since: Ms | null
}

export interface FleetNow {
  readonly active: ReadonlyMap<InstanceId, Migration>
  readonly traffic: ReadonlyMap<string, HostTraffic>
  readonly seq: string
}

export async function fleetNow({ database, feed }: Pick<ApiServices, 'database' | 'feed'>): Promise<FleetNow> {
  const seq = String(feed.head)
  const migrations = await readActiveMigrations(database)
  return {
    active: new Map(migrations.map((migration) => [migration.instance, migration])),
    traffic: trafficOf(migrations),
    seq,
  }
}

export async function hostNotes(
  { database }: Pick<ApiServices, 'database'>,
  ids?: readonly HostId[],
): Promise<ReadonlyMap<string, HostNotes>> {
  const [facts, unanswered] = await Promise.all([readHostFacts(database, ids), readUnanswered(database)])
  return new Map(
    facts.map(({ id, reason, lastSeenAt, connection }) => {
      const silence = unanswered.get(id) ?? null
      return [id, { reason, lastSeenAt, unanswered: unanswered.has(id), silence, access: accessOf(connection) }]
    }),
  )
}

/** Those of one host. */
export async function notesOf(services: Pick<ApiServices, 'database'>, { id }: Pick<Host, 'id'>): Promise<HostNotes> {
  return (await hostNotes(services, [id])).get(id) ?? NO_NOTES
}

/** Fields of a host's row that are not in its snapshot. */
export async function rowParts(services: Pick<ApiServices, 'database' | 'feed'>, ids?: readonly HostId[]) {
  const [now, notes, findings] = await Promise.all([
    fleetNow(services),
    hostNotes(services, ids),
    countFindings(services.database),
  ])
  const partsOf = ({ id }: Host) => ({
    notes: notes.get(id) ?? NO_NOTES,
    traffic: now.traffic.get(id) ?? NO_TRAFFIC,
    findings: findings.get(id) ?? NO_FINDINGS,
  })
  return { now, notes, partsOf }
}

/** Like the driver, treats everything but an explicit false as read-only. */
function accessOf(connection: unknown): HostAccess {
  if (connection === null) return 'none'
  return (connection as { readonly readOnly?: unknown }).readOnly === false ? 'control' : 'read'
}

/** With how it is reached, because that decides what may be done with it. */
export async function hostWithKind(services: Pick<ApiServices, 'database'>, host: Host): Promise<Host & PermitHost> {
  const notes = await notesOf(services, host)
  return { ...host, kind: hostKind(host, notes) }
}

/**
 * Shown beside a verdict without changing it: since when a host recorded up does not answer. `since` is null if it
 * never did. Returns null when it answers.
 */
export async function silenceOf(services: Pick<ApiServices, 'database'>, host: Host): Promise<Silence | null> {
  const notes = await notesOf(services, host)
  return isUnanswering(host, notes) ? { since: notes.lastSeenAt } : null
}

/** Hosts recorded up that did not answer the last survey, and when each last did; null if it never did. */
export async function silentHosts({ database }: Pick<ApiServices, 'database'>): Promise<SilentHosts> {
  const unanswered = await readUnanswered(database)
  if (unanswered.size === 0) return new Map()
  const facts = await readHostFacts(database, [...unanswered.keys()])
  return new Map(facts.map(({ id, lastSeenAt }) => [id, { since: lastSeenAt }]))
}

/**
 * Hosts recorded as up that do not answer, or never did. A claim there succeeds, so verdicts stay; but a migration
 * there waits for the host, so counts of free capacity list it separately.
 */
export async function unansweringHosts(
  services: Pick<ApiServices, 'database' | 'fleet'>,
): Promise<ReadonlySet<HostId>> {
  const notes = await hostNotes(services)
  const hosts = services.fleet.hosts().filter((host) => isUnanswering(host, notes.get(host.id) ?? NO_NOTES))
  return new Set(hosts.map(({ id }) => id))
}

export function isUnanswering(host: Host, notes: HostNotes): boolean {
  const contact = contactOf(host, notes)
  return contact === 'silent' || contact === 'never-answered'
}

export type SilentHosts = ReadonlyMap<HostId, Silence>

export const isSilent = ({ id, status }: Host, silent: SilentHosts): boolean => status === 'up' && silent.has(id)

/** The conductor's order too: a migration to a host that does not answer waits for it. */
export function silentLast<Ranked extends { readonly host: Host }>(
  plans: readonly Ranked[],
  silent: SilentHosts,
): readonly Ranked[] {
  const last = plans.filter(({ host }) => isSilent(host, silent))
  return last.length === 0 ? plans : [...plans.filter(({ host }) => !isSilent(host, silent)), ...last]
}

/** Every id in the holdings of the hosts. */
export function instancesIn(hosts: readonly Host[]): string[] {
  return [...new Set(hosts.flatMap((host) => [...host.holdings.map((holding) => holding.instance), ...host.leftovers]))]
}
