import type { DemandOptions } from '../engine/demand'
import type { Policy } from '../engine/scheduler'
import type { HostId } from '../engine/words/ids'
import { readAliases } from '../store/catalog/policy'
import type { Database } from '../store/database/database'
import { readSilent } from '../store/run/plan'
import { readMigrationRules } from '../store/setting/migration-rules'
import { DEFAULT_OPTIONS, type Limits, type TickOptions } from './options'

// The operator's settings for migrations, read from the settings table and shared by the API and the conductor.

export interface Rules {
  readonly policy: Policy
  readonly demand: DemandOptions
  /** Null: a migration awaits confirm or revert without limit. */
  readonly confirmWindowMs: number | null
  readonly limits: Limits
  /** Hosts that did not answer the last survey, whatever their status. */
  readonly silentHosts: ReadonlySet<HostId>
}

const FRESH_MS = 2_000 // how long a changed setting or a new alias may go unnoticed

/** Freshness is a duration, so it is measured by a clock that is never set. */
export function rulesOf(database: Database, monotonicMs: () => number = () => performance.now()): () => Promise<Rules> {
  let known: { readonly rules: Promise<Rules>; readonly at: number } | null = null
  return () => {
    if (known && monotonicMs() - known.at < FRESH_MS) return known.rules
    const rules = readRules(database)
    known = { rules, at: monotonicMs() }
    // A failed read must not be cached.
    rules.catch(() => {
      known = null
    })
    return rules
  }
}

export const tickOptions = ({ policy, demand, limits, silentHosts }: Rules): TickOptions => ({
  ...DEFAULT_OPTIONS,
  policy,
  demand,
  limits,
  silentHosts,
})

async function readRules(database: Database): Promise<Rules> {
  const [aliases, { policy, confirmWindowMs, limits }, silentHosts] = await Promise.all([
    readAliases(database),
    readMigrationRules(database),
    readSilent(database),
  ])
  return { policy, demand: { aliases }, confirmWindowMs, limits, silentHosts }
}
