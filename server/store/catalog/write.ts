import type pg from 'pg'
import type { Attribution } from '../../engine/change'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'
import { CATALOG_SQL, type CatalogKind } from './sql'

// Flavors, server groups and PCI aliases: one entry is changed at a time, only while it is as it was read.

export interface Entry {
  readonly value: { readonly name: string }
  readonly uses: number
}

/** By name; the reader decodes the values. */
export async function readEntries({ pool }: Database, kind: CatalogKind): Promise<readonly Entry[]> {
  const { table, json, uses } = CATALOG_SQL[kind]
  const { rows } = await pool.query<Entry>(`select ${json} as value, ${uses} as uses from ${table} e order by e.name`)
  return rows
}

export interface EntryChange extends Attribution {
  readonly kind: CatalogKind
  readonly name: string
  /** Null: the entry must not exist, and is created. */
  readonly before: unknown
  /** Null: deletes it. */
  readonly after: unknown
  /**
   * Why the change is refused given the number of users of the entry; null when allowed. Called with the row locked.
   */
  readonly forbids: (uses: number) => string | null
}

export type EntryAnswer =
  | { readonly did: 'done' }
  /** It was created, changed or deleted since it was read. */
  | { readonly did: 'changed' }
  | { readonly did: 'forbidden'; readonly why: string }

export async function changeEntry(database: Database, change: EntryChange): Promise<EntryAnswer> {
  return inTransaction(database, async (client) => {
    const found = await locked(client, change)
    if (found === null || !found.same) return { did: 'changed' }
    const why = change.before === null ? null : change.forbids(found.uses)
    if (why !== null) return { did: 'forbidden', why }
    if ((await written(client, change)) === 0) return { did: 'changed' }
    const { kind, name, before, after, actor, at } = change
    await writeTrail(client, { kind: `catalog.${kind}`, actor, at, data: { name, before, after } })
    return { did: 'done' }
  })
}

/** A group's lock keeps new members out until this has ended. */
async function locked(
  client: pg.PoolClient,
  { kind, name, before }: EntryChange,
): Promise<{ readonly same: boolean; readonly uses: number } | null> {
  const { table, json, uses } = CATALOG_SQL[kind]
  await client.query(`select 1 from ${table} where name = $1 for update`, [name])
  const { rows } = await client.query<{ same: boolean; uses: number }>(
    `select (${json})::jsonb = $2::jsonb as same, ${uses} as uses from ${table} e where e.name = $1`,
    [name, JSON.stringify(before)],
  )
  return rows[0] ?? (before === null ? { same: true, uses: 0 } : null)
}

async function written(client: pg.PoolClient, { kind, name, before, after }: EntryChange): Promise<number> {
  const { table, insert, update } = CATALOG_SQL[kind]
  if (after === null) return (await client.query(`delete from ${table} where name = $1`, [name])).rowCount ?? 0
  const text = before === null ? insert : update
  return (await client.query(text, [JSON.stringify(after)])).rowCount ?? 0
}
