import type { Moment } from '../../engine/change'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'

// Hosts of clouds that a person attested to be powered off. Only that sets a migration in progress aside.

export interface CloudFence {
  readonly cloud: string
  readonly host: string
  /** By the cloud's clock: anything dated later disproves it. */
  readonly since: number
  readonly who: string
  readonly reason: string | null
}

export async function readFences({ pool }: Database, cloud: string): Promise<CloudFence[]> {
  const text = `select cloud_id as cloud, host, since::float8 as since, who, reason from cloud_fence where cloud_id = $1`
  return (await pool.query<CloudFence>({ name: 'cloud-fences', text, values: [cloud] })).rows
}

/** False when the cloud does not exist any more. */
export function fenceHost(
  database: Database,
  { cloud, host, since }: Pick<CloudFence, 'cloud' | 'host' | 'since'>,
  { actor, at }: Moment,
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      `insert into cloud_fence (cloud_id, host, since, who, reason, at) select id, $2, $3, $4, $5, $6 from cloud where id = $1
        on conflict (cloud_id, host) do update set since = excluded.since, who = excluded.who, reason = excluded.reason,
          at = excluded.at`,
      [cloud, host, Math.round(since), actor.who, actor.reason, timeText(at)],
    )
    if (rowCount !== 1) return false
    await writeTrail(client, { kind: 'cloud.fenced', data: { cloud, host }, actor, at })
    return true
  })
}

/** What was written of the host until now is no report of it. */
export function renewFence(
  database: Database,
  { cloud, host, since }: Pick<CloudFence, 'cloud' | 'host' | 'since'>,
  { actor, at }: Moment,
): Promise<void> {
  return inTransaction(database, async (client) => {
    const text = 'update cloud_fence set since = $3 where cloud_id = $1 and host = $2 and since < $3'
    const { rowCount } = await client.query(text, [cloud, host, Math.round(since)])
    if (rowCount === 1) await writeTrail(client, { kind: 'cloud.fence-kept', data: { cloud, host }, actor, at })
  })
}

/** Taken back by a person, or disproved by a report of the host. False when it was not fenced. */
export function unfenceHost(
  database: Database,
  { cloud, host }: Pick<CloudFence, 'cloud' | 'host'>,
  { actor, at }: Moment,
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rowCount } = await client.query('delete from cloud_fence where cloud_id = $1 and host = $2', [cloud, host])
    if (rowCount !== 1) return false
    await writeTrail(client, { kind: 'cloud.unfenced', data: { cloud, host }, actor, at })
    return true
  })
}
