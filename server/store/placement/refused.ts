import pg from 'pg'
import type { Client } from '../../engine/words/owner'
import type { Database } from '../database/database'

// Refusals of Placement API writes: the database function raises an error with the reason in its detail, and nothing is
// written (prisma/functions/placement-*.sql).

export interface PlacementRefusal {
  readonly kind: string
  readonly class?: string
  readonly classes?: string
  readonly provider?: string
  readonly consumer?: string
  readonly traits?: string
  readonly what?: readonly string[]
  readonly type?: string
  readonly host?: string
  readonly found?: number | null
  readonly given?: number | null
}

export type WriteResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refused: PlacementRefusal }

/** The author of the write, for the audit log (I9). */
export interface Writer {
  readonly who: string
  readonly request: string
  /** The client that will own the consumers it writes. */
  readonly owner: Client
}

const REFUSED = 'BP001'
/** Deadlock, or rows that changed between a read and its locks: nothing was written and a retry is safe. */
const RETRYABLE_CODES: readonly (string | undefined)[] = ['40P01', '40001']
const TRIES = 10

/** The refusal of a database function; null for any other error. */
export const refusedBy = (error: unknown): PlacementRefusal | null =>
  error instanceof pg.DatabaseError && error.code === REFUSED ? JSON.parse(error.detail ?? '{}') : null

/** Calls a database function, and retries while it only loses a race. */
export async function callWriteFunction<T>(
  database: Database,
  call: { readonly name: string; readonly text: string; readonly values: unknown[] },
): Promise<WriteResult<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { rows } = await database.pool.query<{ value: T }>(call)
      return { ok: true, value: rows[0]?.value as T }
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      const refused = refusedBy(error)
      if (refused) return { ok: false, refused }
      if (!RETRYABLE_CODES.includes(error.code) || attempt === TRIES) throw error
    }
  }
}

/** The usual case: a function that takes one object. */
export function call<T>(database: Database, name: string, change: object): Promise<WriteResult<T>> {
  return callWriteFunction<T>(database, {
    name,
    text: `select ${name}($1::jsonb) as value`,
    values: [JSON.stringify(change)],
  })
}
