import type { AuditService } from '../audit/auditing'
import type { HealService } from '../audit/healing'
import { healByRules } from '../audit/rules'
import type { Database } from '../store/database/database'
import type { PeriodicTask } from './periodic-task'

// Every minute, compares observed state and records. Its cost depends on what changed; every row is still read often
// enough.

export interface PeriodicAuditParts {
  readonly database: Database
  readonly auditing: AuditService
  readonly healing: HealService
  now(): number
}

const AUDIT_INTERVAL_MS = 60_000

export function periodicAudit(parts: PeriodicAuditParts): PeriodicTask {
  return {
    name: 'audit',
    everyMs: AUDIT_INTERVAL_MS,
    round: async () => {
      const run = await parts.auditing.audit()
      await healByRules(parts, run)
    },
  }
}
