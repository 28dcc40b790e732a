import type { Attribution } from '../../engine/change'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'

// OpenStack clouds that Berth watches. Their settings are opaque here, and their secrets sealed; server/cloud reads both.

export interface CloudRow {
  readonly id: string
  readonly name: string
  readonly settings: unknown
  readonly secret: Buffer
  readonly enabled: boolean
  readonly mayAct: boolean
  readonly addedAt: number | null
}

const READ = `select id, name, settings, secret, enabled, may_act as "mayAct", ms(added_at)::float8 as "addedAt" from cloud`

export async function readClouds({ pool }: Database): Promise<CloudRow[]> {
  return (await pool.query<CloudRow>({ name: 'clouds', text: `${READ} order by lower(name), id` })).rows
}

export async function readCloud({ pool }: Database, id: string): Promise<CloudRow | null> {
  const { rows } = await pool.query<CloudRow>({ name: 'cloud', text: `${READ} where id = $1`, values: [id] })
  return rows[0] ?? null
}

export type NewCloud = Pick<CloudRow, 'id' | 'name' | 'settings' | 'secret'>

/** Read only until actions are enabled. False when another cloud has this name. */
export function addCloud(database: Database, cloud: NewCloud, { actor, at }: Attribution): Promise<boolean> {
  const { id, name, settings, secret } = cloud
  return inTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      `insert into cloud (id, name, settings, secret, added_at) values ($1, $2, $3, $4, $5) on conflict (name) do nothing`,
      [id, name, JSON.stringify(settings), secret, timeText(at)],
    )
    if (rowCount !== 1) return false
    await writeTrail(client, { kind: 'cloud.added', data: { cloud: id, name, settings }, actor, at })
    return true
  })
}

export type CloudChange = Partial<Pick<CloudRow, 'enabled' | 'mayAct'>>

/** False when the cloud no longer exists. */
export function changeCloud(
  database: Database,
  { id, enabled = null, mayAct = null }: { readonly [K in keyof CloudChange]: CloudChange[K] | null } & { id: string },
  { actor, at }: Attribution,
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `update cloud set enabled = coalesce($2, enabled), may_act = coalesce($3, may_act) where id = $1 returning name`,
      [id, enabled, mayAct],
    )
    const [row] = rows
    if (!row) return false
    const data = { cloud: id, name: row.name, ...(enabled !== null && { enabled }), ...(mayAct !== null && { mayAct }) }
    await writeTrail(client, { kind: 'cloud.changed', data, actor, at })
    return true
  })
}

export interface CloudCallNote {
  /** call: the call is about to be sent. called: its result. */
  readonly kind: 'cloud.call' | 'cloud.called'
  readonly data: Readonly<Record<string, unknown>>
}

/** Records each call before and after it is sent, so that none is lost if this server dies. */
export function noteCloudCall(database: Database, note: CloudCallNote, { actor, at }: Attribution): Promise<void> {
  return inTransaction(database, (client) => writeTrail(client, { ...note, actor, at }))
}

/** Removes the cloud with its stored state. False when it no longer exists. */
export function removeCloud(database: Database, id: string, { actor, at }: Attribution): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ name: string }>('delete from cloud where id = $1 returning name', [id])
    const [row] = rows
    if (row) await writeTrail(client, { kind: 'cloud.removed', data: { cloud: id, name: row.name }, actor, at })
    return row !== undefined
  })
}
