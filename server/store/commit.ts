import pg from 'pg'
import type { Change, Committed, Conflict } from '../engine/books'
import { changeRow } from './change-row'
import type { Database } from './database'

// How decisions reach the tables: one round trip that locks, checks what was relied on, and writes all or nothing.

/** Lands the change, or names whose write came first. Throws only when the database itself fails. */
export async function commit(database: Database, change: Change): Promise<Committed> {
  const { rows } = await untilNoDeadlock(() =>
    database.pool.query<{ conflict: Conflict | null }>({
      name: 'commit',
      text: 'select commit_change($1::jsonb) as conflict',
      values: [JSON.stringify(changeRow(change))],
    }),
  )
  return committed(rows[0]?.conflict ?? null)
}

/** Lands many in one transaction, in their order; each answers for itself. At most 60, or snapshots get slow. */
export async function commitMany(database: Database, changes: readonly Change[]): Promise<Committed[]> {
  const { rows } = await untilNoDeadlock(() =>
    database.pool.query<{ conflicts: (Conflict | null)[] }>({
      name: 'commit-many',
      text: 'select commit_changes($1::jsonb) as conflicts',
      values: [JSON.stringify(changes.map(changeRow))],
    }),
  )
  return rows[0]?.conflicts.map(committed) ?? []
}

const committed = (conflict: Conflict | null): Committed => (conflict ? { ok: false, conflict } : { ok: true })

const DEADLOCK = '40P01'
const DEADLOCK_TRIES = 5

// Rows are locked in one order, but a release learns only while it runs which hosts it touches. PostgreSQL then ends
// one of the two with nothing written, and asking again is safe.
async function untilNoDeadlock<T>(query: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query()
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK || attempt === DEADLOCK_TRIES) throw error
    }
  }
}
