import type { HostId } from '../../engine/words/ids'
import type { Database } from '../database/database'

/** When the status of each of these hosts was last set; hosts whose status was never set are left out. */
export async function readMarkedAt({ pool }: Database, hosts: readonly HostId[]): Promise<ReadonlyMap<HostId, number>> {
  const { rows } = await pool.query<{ host: HostId; at: number }>({
    name: 'stated-at',
    text: `select h.id as host, (
        select ms(max(at))::float8 from audit_entry where action = 'host.status' and hosts @> array[h.id]) as at
      from unnest($1::uuid[]) h(id)`,
    values: [hosts],
  })
  return new Map(rows.flatMap(({ host, at }) => (at === null ? [] : [[host, at] as const])))
}
