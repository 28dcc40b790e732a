import type { Database } from '../../store/database/database'
import type { Corruption } from './cases'
import type { Victim } from './victims'

// Writes a row without Berth, as a database client does, or as an old row from before a check existed.

export interface Case extends Corruption {
  readonly victim: Victim
}

const GONE = { code: '', constraint: '', table: '', what: 'the row no longer exists' }

async function refuseGone(client: Client): Promise<Refusal> {
  await client.query('rollback')
  return GONE
}

export type ApplyResult = { readonly ok: true } | { readonly ok: false; readonly refusedBy: string }

interface Client {
  query(text: string, values?: unknown[]): Promise<{ readonly rowCount: number | null }>
}

const CHECK_VIOLATION = '23514'
const MAX_CHECKS = 60

/**
 * Skips a write that the database refuses. With `past`, drops the violated check first, as if the row were older than
 * the check and the check covered new rows only.
 */
export async function apply({ pool }: Database, each: Case, past: boolean): Promise<ApplyResult> {
  const client = await pool.connect()
  const dropped: string[] = []
  try {
    for (let tries = 0; tries < MAX_CHECKS; tries++) {
      const refusal = await write(client, each)
      if (refusal === null) return { ok: true }
      const { code, constraint } = refusal
      // A trigger may have written to another table.
      const table = `"${refusal.table}"`
      if (!past || code !== CHECK_VIOLATION) return { ok: false, refusedBy: refusal.what }
      const { rows } = await client.query<{ def: string; enforced: boolean }>(
        `select pg_get_constraintdef(oid) as def, coalesce(to_jsonb(c) ->> 'conenforced', 'true') = 'true' as enforced
         from pg_constraint c
         where conname = $1 and conrelid = $2::regclass`,
        [constraint, table],
      )
      // One that is not enforced is one of those of a trigger.
      const [drop, restore] = rows[0]?.enforced
        ? [
            `drop constraint "${constraint}"`,
            `add constraint "${constraint}" ${rows[0].def.replace(/ NOT VALID$/, '')} not valid`,
          ]
        : ['disable trigger checks_enforced', 'enable trigger checks_enforced']
      await client.query(`alter table ${table} ${drop}`)
      dropped.push(`alter table ${table} ${restore}`)
    }
    throw new Error(`${each.table.name}.${each.column.name} is behind more than ${MAX_CHECKS} checks.`)
  } finally {
    for (const sql of dropped) await client.query(sql)
    client.release()
  }
}

interface Refusal {
  readonly code: string
  readonly constraint: string
  readonly table: string
  readonly what: string
}

/** False if the value has since been overwritten, or the row is gone. */
export async function isWritten({ pool }: Database, { table, column, value, victim }: Case): Promise<boolean> {
  const key = table.key.map((name, nth) => {
    return name === column.name ? 'true' : `to_jsonb("${name}") = $${nth + 2}::jsonb`
  })
  const keys = table.key.map((name) => JSON.stringify(victim.row[name]))
  const asked = table.key.map((_, nth) => `$${nth + 2}::text is not null`)
  const { rows } = await pool.query(
    `select 1 from "${table.name}" where "${column.name}" is not distinct from $1::text::"${column.type}"
      and ${[...key, ...asked].join(' and ')}`,
    [value, ...keys],
  )
  return rows.length > 0
}

interface DatabaseError {
  readonly code?: string
  readonly constraint?: string
  readonly table?: string
  readonly message: string
}

const REFUSALS = /^(22|23|P0001|428C9|55000)/ // of data, constraints, and triggers

async function write(client: Client, { table, column, value, victim, ...each }: Case): Promise<Refusal | null> {
  const where = table.key.map((name, nth) => `to_jsonb("${name}") = $${nth + 2}::jsonb`).join(' and ')
  const keys = table.key.map((name) => JSON.stringify(victim.row[name]))
  await client.query('begin')
  try {
    if (each.class === 'dangling-key') await client.query('set local session_replication_role = replica')
    const text = `update "${table.name}" set "${column.name}" = $1::text::"${column.type}" where ${where}`
    const { rowCount } = await client.query(text, [value, ...keys])
    // The relay of a running server has taken the outbox rows.
    if (rowCount !== 1) return await refuseGone(client)
    await client.query('commit')
    return null
  } catch (error) {
    await client.query('rollback')
    const { code, constraint, table: on, message } = error as DatabaseError
    if (code === undefined || !REFUSALS.test(code)) throw error
    return { code, constraint: constraint ?? '', table: on ?? table.name, what: constraint ?? message }
  }
}
