import type { Marker } from '../../engine/layout/marker'
import type { Wave } from '../../engine/layout/wave'
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

/** The last wave that was started; the database allows one open wave. */
export async function readLastWave(database: Database): Promise<Wave | null> {
  const row = await database.prisma.layoutWave.findFirst({ orderBy: [{ at: 'desc' }, { id: 'desc' }] })
  return row && waveOf(row)
}

export async function readWave(database: Database, id: string): Promise<Wave | null> {
  const row = await database.prisma.layoutWave.findUnique({ where: { id } })
  return row && waveOf(row)
}

type WaveRow = NonNullable<Awaited<ReturnType<Database['prisma']['layoutWave']['findUnique']>>>

function waveOf({ hosts, at, state, failedHost, ...rest }: WaveRow): Wave {
  return {
    ...rest,
    hosts: hosts as HostId[],
    at: at.getTime(),
    state: state as Wave['state'],
    failed: failedHost as HostId | null,
  }
}
