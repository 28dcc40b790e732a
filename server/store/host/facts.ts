import type { Side } from '../../engine/migration/state'
import type { LeftoverRow } from '../../engine/proof/leftover-row'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'

// Host facts that only the console shows, and the leftovers that a returned host must be cleaned of.

export interface HostFacts {
  readonly id: HostId
  readonly reason: string | null
  readonly lastSeenAt: number | null
  readonly connection: unknown
}

export async function readHostFacts(database: Database, ids?: readonly HostId[]): Promise<HostFacts[]> {
  const rows = await database.prisma.host.findMany({
    where: ids ? { id: { in: [...ids] } } : {},
    select: { id: true, reason: true, lastSeenAt: true, connection: true },
  })
  return rows.map((row) => ({ ...row, id: row.id as HostId, lastSeenAt: row.lastSeenAt?.getTime() ?? null }))
}

/** How the driver of a host reaches it, as stored; null when nothing is stored. */
export async function readConnection(database: Database, host: HostId): Promise<unknown> {
  const row = await database.prisma.host.findUnique({ where: { id: host }, select: { connection: true } })
  return row?.connection ?? null
}

/** Hosts that did not answer the last survey, and why, as far as that is known. */
export async function readUnanswered(database: Database): Promise<ReadonlyMap<HostId, string | null>> {
  const rows = await database.prisma.hostSurvey.findMany({
    where: { answered: false },
    select: { hostId: true, silence: true },
  })
  return new Map(rows.map((row) => [row.hostId as HostId, row.silence]))
}

export interface HostLeftover extends LeftoverRow {
  readonly since: number
}

/** What migrations and deletions left on the host, or on all hosts, oldest first. */
export async function readLeftovers(database: Database, host?: HostId): Promise<HostLeftover[]> {
  const rows = await database.prisma.hostRemain.findMany({
    where: host ? { hostId: host } : {},
    orderBy: { id: 'asc' },
  })
  return rows.map((row) => ({
    host: row.hostId as HostId,
    instance: row.instanceId as InstanceId,
    migration: row.migrationId as MigrationId | null,
    side: row.side as Side,
    since: row.since.getTime(),
  }))
}
