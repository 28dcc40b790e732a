import type { Database } from './database'
import { inTransaction } from './transaction'

// Facts about the whole database, for backups.

/** 18 of PostgreSQL 18.4. */
export async function readServerMajor({ pool }: { readonly pool: Pick<Database['pool'], 'query'> }): Promise<number> {
  const { rows } = await pool.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  return Math.floor(Number(rows[0]?.version ?? 0) / 10_000)
}

/** A row as text depends on these, which another database may set otherwise. A large table takes longer than a request. */
const SETTINGS = `set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0`
const LONGEST_MS = 4 * 3_600_000

/** An order-independent digest of the rows of each table; empty for an empty database. */
export function readTableDigests(database: Database): Promise<Readonly<Record<string, string>>> {
  return inTransaction(database, async (client) => {
    await client.query(SETTINGS)
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c
        where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname`,
    )
    const record: Record<string, string> = {}
    for (const { name } of tables) {
      const text = `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${quoted(name)} t`
      const asked = { text, query_timeout: LONGEST_MS }
      record[name] = (await client.query<{ digest: string }>(asked)).rows[0]?.digest ?? ''
    }
    return record
  })
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
