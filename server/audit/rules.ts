import type { Database } from '../store/database/database'
import { readOpenFindings } from '../store/finding/list'
import { countAutomaticRepair, readHealRules } from '../store/heal/rule'
import type { AuditRun } from './auditing'
import type { HealService } from './healing'

// Automatic repair, switched on by an operator: only what the records alone prove, nothing locked by a migration or an
// unreachable host, and never more per day than the operator allowed.

export interface RuleParts {
  readonly database: Database
  readonly healing: HealService
  now(): number
}

/** Applies the repairs that the rules allow for this audit's findings. Returns how many parts were applied. */
export async function healByRules(parts: RuleParts, run: Pick<AuditRun, 'findings'>): Promise<number> {
  const { database, healing, now } = parts
  const rules = (await readHealRules(database, now())).filter(({ on }) => on)
  const left = new Map(rules.map(({ kind, dailyCap, usedToday }) => [kind, dailyCap - usedToday]))
  const may = new Map(rules.map((rule) => [rule.kind, rule]))
  const wanted = new Set(
    run.findings
      .filter(({ kind, confidence, body }) => may.has(kind) && confidence === 'sure' && !body.locked && !body.instead)
      .map(({ fingerprint }) => fingerprint),
  )
  if (wanted.size === 0) return 0
  const open = (await readOpenFindings(database)).filter(({ fingerprint }) => wanted.has(fingerprint))
  let applied = 0
  for (const { id, kind } of open) {
    // Checked before a plan is made: a plan that may not be applied would be one more draft in every round.
    const allowed = left.get(kind) ?? 0
    if (allowed <= 0) continue
    const who = `rule ${kind}`
    const planned = await healing.plan([id], who)
    if (!planned.ok) continue
    const took = await countAutomaticRepair(database, kind, now())
    left.set(kind, took ? allowed - 1 : 0)
    if (!took) continue
    const reason = `switched on by ${may.get(kind)?.by}`
    const actor = { who, request: planned.plan, reason }
    applied += (await healing.apply({ plan: planned.plan, parts: [1], actor })).applied
  }
  return applied
}
