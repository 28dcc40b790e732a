import type pg from 'pg'
import { type TrailEntry, writeTrail } from '../event/trail-write'

/** An entry about an object of a cloud. */
interface CloudTrail extends Pick<TrailEntry, 'kind' | 'actor' | 'at'> {
  readonly cloud: string
  /** Name of the object: an instance, a migration or a host. */
  readonly about: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Names the cloud and the object: entries outlive both. */
export async function writeCloudTrail(client: pg.PoolClient, entry: CloudTrail): Promise<void> {
  const { kind, cloud, about, data, actor, at } = entry
  const { rows } = await client.query<{ name: string }>('select name from cloud where id = $1', [cloud])
  await writeTrail(client, { kind, data: { cloud, name: rows[0]?.name ?? null, about, ...data }, actor, at })
}
