import type { Marker } from '../../engine/layout/marker'
import type { Rollout } from '../../engine/layout/rollout'
import type { HostId } from '../../engine/words/ids'
import type { Database } from '../database/database'

/** The markers of these hosts, or of all that have one. */
export async function readMarkers(database: Database, hosts?: readonly HostId[]): Promise<ReadonlyMap<HostId, Marker>> {
  const rows = await database.prisma.layoutMarker.findMany({ where: hosts ? { hostId: { in: [...hosts] } } : {} })
  return new Map(
    rows.map(({ hostId, state, why, by, at, version, waveId }) => {
      const host = hostId as HostId
      return [host, { host, state: state as Marker['state'], why, by, at: at.getTime(), version, wave: waveId }]
    }),
  )
}

export async function readMarker(database: Database, host: HostId): Promise<Marker | null> {
  return (await readMarkers(database, [host])).get(host) ?? null
}

/** The last rollout that was started; the database allows one open rollout. */
export async function readLastRollout(database: Database): Promise<Rollout | null> {
  const row = await database.prisma.layoutWave.findFirst({ orderBy: [{ at: 'desc' }, { id: 'desc' }] })
  return row && rolloutOf(row)
}

export async function readRollout(database: Database, id: string): Promise<Rollout | null> {
  const row = await database.prisma.layoutWave.findUnique({ where: { id } })
  return row && rolloutOf(row)
}

type RolloutRow = NonNullable<Awaited<ReturnType<Database['prisma']['layoutWave']['findUnique']>>>

function rolloutOf({ hosts, at, state, failedHost, ...rest }: RolloutRow): Rollout {
  return {
    ...rest,
    hosts: hosts as HostId[],
    at: at.getTime(),
    state: state as Rollout['state'],
    failed: failedHost as HostId | null,
  }
}
