import type { Attribution } from '../../engine/change'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeCloudTrail } from './trail'

// Hosts of clouds that an operator attested as powered off. Only an attestation overrides a migration in progress.

export interface CloudFence {
  readonly cloud: string
  readonly host: string
  /** By the cloud's clock: any later report of the host disproves the attestation. */
  readonly since: number
  readonly who: string
  readonly reason: string | null
}

export async function readFences({ pool }: Database, cloud: string): Promise<CloudFence[]> {
  const text = `select cloud_id as cloud, host, since::float8 as since, who, reason from cloud_fence where cloud_id = $1`
  return (await pool.query<CloudFence>({ name: 'cloud-fences', text, values: [cloud] })).rows
}

/** False when the cloud no longer exists. */
export function fenceHost(
  database: Database,
  { cloud, host, since }: Pick<CloudFence, 'cloud' | 'host' | 'since'>,
  { actor, at }: Attribution,
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      `insert into cloud_fence (cloud_id, host, since, who, reason, at) select id, $2, $3, $4, $5, $6 from cloud where id = $1
        on conflict (cloud_id, host) do update set since = excluded.since, who = excluded.who, reason = excluded.reason,
          at = excluded.at`,
      [cloud, host, Math.round(since), actor.who, actor.reason, timeText(at)],
    )
    if (rowCount !== 1) return false
    await writeCloudTrail(client, { kind: 'cloud.fenced', cloud, about: host, data: { host }, actor, at })
    return true
  })
}

/** Reports stored before this time do not disprove the attestation. */
export function renewFence(
  database: Database,
  { cloud, host, since }: Pick<CloudFence, 'cloud' | 'host' | 'since'>,
  { actor, at }: Attribution,
): Promise<void> {
  return inTransaction(database, async (client) => {
    const text = 'update cloud_fence set since = $3 where cloud_id = $1 and host = $2 and since < $3'
    const { rowCount } = await client.query(text, [cloud, host, Math.round(since)])
    if (rowCount === 1)
      await writeCloudTrail(client, { kind: 'cloud.fence-kept', cloud, about: host, data: { host }, actor, at })
  })
}

/** Which attestation to remove; since null: the present one, which an operator withdraws. */
export interface FenceRemoval extends Pick<CloudFence, 'cloud' | 'host'> {
  readonly since: number | null
}

/**
 * Removes an attestation that an operator withdrew or a report disproved. False when the host was not fenced, or was
 * attested again since.
 */
export function unfenceHost(
  database: Database,
  { cloud, host, since }: FenceRemoval,
  { actor, at }: Attribution,
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      'delete from cloud_fence where cloud_id = $1 and host = $2 and ($3::bigint is null or since = $3)',
      [cloud, host, since === null ? null : Math.round(since)],
    )
    if (rowCount !== 1) return false
    await writeCloudTrail(client, { kind: 'cloud.unfenced', cloud, about: host, data: { host }, actor, at })
    return true
  })
}
