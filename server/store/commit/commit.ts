import pg from 'pg'
import type { Change, Conflict } from '../../engine/change'
import type { RaisedGenerations } from '../../engine/ledger/raised'
import type { Database } from '../database/database'
import { callForJson } from '../database/json-call'
import { batchRow, isSingleMigrationChange } from './batch-row'
import { changeRow } from './change-row'

// Commits decisions in one round trip that locks, checks the preconditions, and writes all or nothing.

/** `ChangeResult` with what a projection needs to follow without reading. */
export type CommitResult =
  | { readonly ok: true; readonly raised: RaisedGenerations }
  | { readonly ok: false; readonly conflict: Conflict }

/** Commits the change, or returns the conflict with an earlier write. Throws only when the database itself fails. */
export async function commit(database: Database, change: Change): Promise<CommitResult> {
  return untilNoDeadlock(() => commitOn(database.pool, change))
}

/** The same within the caller's transaction, which a conflict leaves usable. */
export async function commitOn(connection: Pick<pg.Pool, 'query'>, change: Change): Promise<CommitResult> {
  const answer = await callForJson<Answer>(connection, {
    name: 'commit',
    text: 'select commit_change($1::jsonb) as answer',
    values: [JSON.stringify(changeRow(change))],
  })
  return commitResult(answer)
}

/** Commits many in one transaction, in their order, each with its own result. At most 60, or snapshots get slow. */
export async function commitMany(database: Database, changes: readonly Change[]): Promise<CommitResult[]> {
  const [only] = changes
  if (only && changes.length === 1) return [await commit(database, only)]
  const answers = await untilNoDeadlock(() =>
    callForJson<Answer[]>(database.pool, {
      name: 'commit-many',
      text: 'select commit_changes($1::jsonb) as answers',
      values: [JSON.stringify(changes.map(changeRow))],
    }),
  )
  return answers?.map(commitResult) ?? []
}

/**
 * The same for a batch from `inBatches`. Changes that advance migrations are written together; one whose precondition
 * fails is not written and returns null: sent alone, it gets the reason.
 */
export function commitBatch(database: Database, batch: readonly Change[]): Promise<(CommitResult | null)[]> {
  if (batch.length === 1 || !batch.every(isSingleMigrationChange)) return commitMany(database, batch)
  return untilNoDeadlock(() => commitInOneStatement(database.pool, batch))
}

export async function commitInOneStatement(
  connection: Pick<pg.Pool, 'query'>,
  batch: readonly Change[],
): Promise<(CommitResult | null)[]> {
  const raisedBy = await callForJson<Readonly<Record<string, RaisedGenerations>>>(connection, {
    name: 'commit-together',
    text: 'select commit_together($1::jsonb) as raised',
    values: [JSON.stringify(batchRow(batch))],
  })
  return batch.map((_, n) => {
    const raised = raisedBy?.[n]
    return raised ? { ok: true, raised } : null
  })
}

interface Answer {
  readonly raised?: RaisedGenerations
  readonly conflict?: Conflict
}

function commitResult(answer: Answer | null): CommitResult {
  if (answer?.conflict) return { ok: false, conflict: answer.conflict }
  if (answer?.raised) return { ok: true, raised: answer.raised }
  throw new Error('commit_change answered neither a conflict nor what it raised')
}

const DEADLOCK = '40P01'
const DEADLOCK_TRIES = 5

// Rows are locked in one order, but a release learns only while it runs which hosts it touches. PostgreSQL then aborts
// one of the two with nothing written, and a retry is safe.
export async function untilNoDeadlock<T>(query: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query()
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK || attempt === DEADLOCK_TRIES) throw error
    }
  }
}
