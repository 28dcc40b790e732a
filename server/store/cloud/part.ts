import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Attribution } from '../../engine/change'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'

// The last known state of clouds, as one text per part. The server that watches a cloud writes the parts, and every
// server reads them; after a restart they serve until the cloud answers again.

export interface CloudPart {
  readonly part: string
  readonly version: number
  /** Null: the stored text is damaged. */
  readonly text: string | null
}

export interface PartVersion {
  readonly cloud: string
  readonly part: string
  readonly version: number
}

const packed = promisify(gzip)
const unpacked = promisify(gunzip)

/** The parts with their versions; a part whose version is cached need not be read again. */
export async function readPartVersions({ pool }: Database): Promise<PartVersion[]> {
  const text = 'select cloud_id as cloud, part, version::float8 as version from cloud_part'
  return (await pool.query<PartVersion>({ name: 'cloud-part-versions', text })).rows
}

export async function readParts({ pool }: Database, cloud: string, parts: readonly string[]): Promise<CloudPart[]> {
  const { rows } = await pool.query<{ part: string; version: number; body: Buffer }>({
    name: 'cloud-parts',
    text: 'select part, version::float8 as version, body from cloud_part where cloud_id = $1 and part = any($2)',
    values: [cloud, parts],
  })
  return Promise.all(
    rows.map(async ({ part, version, body }) => {
      const text = await unpacked(body).then(String, () => null)
      return { part, version, text }
    }),
  )
}

/** One part of many clouds, by cloud; null: the stored text is damaged. */
export async function readPartOfEach(
  { pool }: Database,
  clouds: readonly string[],
  part: string,
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await pool.query<{ cloud: string; body: Buffer }>({
    name: 'cloud-part-of-each',
    text: 'select cloud_id as cloud, body from cloud_part where cloud_id = any($1::uuid[]) and part = $2',
    values: [clouds, part],
  })
  return new Map(
    await Promise.all(
      rows.map(async ({ cloud, body }) => {
        return [cloud, await unpacked(body).then(String, () => null)] as const
      }),
    ),
  )
}

export interface PartsWrite extends Attribution {
  readonly cloud: string
  /** Null removes a part. */
  readonly parts: ReadonlyMap<string, string | null>
  /** Notifies screens, because more changed than the time of the last answer. */
  readonly isNews: boolean
}

// A part that was removed, even by hand, does not begin again at a version that a cache knows.
const PUT = `insert into cloud_part (cloud_id, part, version, body)
  select id, $2, ms(clock_timestamp()), $3 from cloud where id = $1
  on conflict (cloud_id, part) do update set version = cloud_part.version + 1, body = excluded.body`

/** Writes all parts in one transaction, and nothing for a cloud that was removed meanwhile. */
export async function writeParts(database: Database, write: PartsWrite): Promise<void> {
  const { cloud, parts, isNews, actor, at } = write
  const bodies = await Promise.all(
    [...parts].map(async ([part, text]) => [part, text === null ? null : await packed(text)] as const),
  )
  await inTransaction(database, async (client) => {
    for (const [part, body] of bodies) {
      if (body) await client.query({ name: 'cloud-part-put', text: PUT, values: [cloud, part, body] })
      else await client.query('delete from cloud_part where cloud_id = $1 and part = $2', [cloud, part])
    }
    if (isNews) await writeTrail(client, { kind: 'cloud.read', data: { cloud }, actor, at })
  })
}
