import type { Database } from './database'

/**
 * Autovacuum analyzes tables, but up to a minute after a fleet was imported; until then plans assume empty ones, and a
 * page of the ledger took four times as long. All tables: without those of traits, the first audit of 10,000 hosts held
 * a processor for a minute, with them it takes 8 s.
 */
export async function renewStatistics({ pool }: Database): Promise<void> {
  await pool.query('analyze')
}
