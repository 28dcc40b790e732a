import type { Database } from './database'

// Facts about the whole database, for backups.

/** 18 of PostgreSQL 18.4. */
export async function readServerMajor({ pool }: { readonly pool: Pick<Database['pool'], 'query'> }): Promise<number> {
  const { rows } = await pool.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  return Math.floor(Number(rows[0]?.version ?? 0) / 10_000)
}

/** An order-independent digest of the rows of each table; empty for an empty database. */
export async function readTableDigests({ pool }: Database): Promise<Readonly<Record<string, string>>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname`,
  )
  const record: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${quoted(name)} t`,
    )
    record[name] = rows[0]?.digest ?? ''
  }
  return record
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
