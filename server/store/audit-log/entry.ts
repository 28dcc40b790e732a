import type pg from 'pg'
import type { Attribution } from '../../engine/change'

// Audit entries that no change of the records writes: sign-ins, refusals, accounts, hosts that were put, runs.
// `apply_change` (prisma/functions/commit.sql) writes those of changes, in the transaction of the change.

export interface NewEntry extends Attribution {
  /** `noun.participle`, as event kinds are named. */
  readonly action: string
  readonly hosts?: readonly string[]
  readonly data?: Readonly<Record<string, unknown>>
}

/** In the transaction of the given client, or in a separate one on the pool. */
export async function recordEntry(
  client: Pick<pg.Pool | pg.PoolClient, 'query'>,
  { action, actor, at, hosts = [], data = {} }: NewEntry,
): Promise<void> {
  const { who, request, reason, origin } = actor
  await client.query(
    `insert into audit_entry (at, who, request, reason, action, hosts, data, origin)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [new Date(at), who, request, reason, action, hosts, JSON.stringify(data), origin ? JSON.stringify(origin) : null],
  )
}
