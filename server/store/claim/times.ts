import type { HostId, InstanceId } from '../../engine/words/ids'
import type { Database } from '../database/database'

export type ClaimSubject = { readonly host: HostId } | { readonly instance: InstanceId }

/** Times at which the claims on the host, or for the instance, were taken. */
export async function readClaimTimes({ pool }: Database, of: ClaimSubject): Promise<Map<string, number>> {
  const [column, id] = 'host' in of ? ['host_id', of.host] : ['instance_id', of.instance]
  const { rows } = await pool.query<{ id: string; at: number }>(
    `select id, ms(taken_at)::float8 as at from claim where ${column} = $1`,
    [id],
  )
  return new Map(rows.map((row) => [row.id, row.at]))
}
