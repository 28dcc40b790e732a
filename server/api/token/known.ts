import type { Database } from '../../store/database/database'
import { type ApiTokenRow, findToken } from '../../store/placement/token'

const CACHE_TTL_MS = 5_000 // how long a token that was revoked still works on this server
const MAX_CACHED_TOKENS = 1_000

export type FindToken = (token: string) => Promise<ApiTokenRow | null>

/**
 * Looks a token up at most once in five seconds. An unknown one is looked up each time: it may be new. By a clock that
 * is never set: a revoked token must not work for an hour because the database's clock was set back by one.
 */
export function knownTokens(database: Database, monotonicMs: () => number = () => performance.now()): FindToken {
  const known = new Map<string, { readonly until: number; readonly row: ApiTokenRow }>()
  return async (token) => {
    const kept = known.get(token)
    if (kept && kept.until > monotonicMs()) return kept.row
    known.delete(token)
    const row = await findToken(database, token)
    if (!row) return null
    if (known.size >= MAX_CACHED_TOKENS) known.clear()
    known.set(token, { until: monotonicMs() + CACHE_TTL_MS, row })
    return row
  }
}
