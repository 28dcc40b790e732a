import type { HostId } from '../../engine/words/ids'
import type { Database } from '../database/database'

/** Open findings by the host they are about; hosts without one are left out. */
export async function countFindings({ pool }: Database): Promise<ReadonlyMap<HostId, number>> {
  const { rows } = await pool.query<{ host: HostId; count: number }>({
    name: 'findings-by-host',
    text: `select host_id as host, count(*)::int as count from finding
      where closed_at is null and host_id is not null group by 1`,
  })
  return new Map(rows.map(({ host, count }) => [host, count]))
}
