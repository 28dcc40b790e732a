import type { Actor } from '../../engine/books'
import { type MoveLimits, USUAL_LIMITS } from '../../engine/drain/ask'
import { FOREIGN_INSTANCES, type MoveRules, SECOND_PERSON_DEEDS } from '../../engine/move-rules'
import { POLICIES, USUAL_POLICY } from '../../engine/scheduler'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'

// The rules of moves are rows of the settings table, each with a default that holds while nobody has set it. What stands
// there in another shape is not heeded, because scripts write into that table too.

export interface RulesNow extends MoveRules {
  /** Who changed any of them last, and when (ms); null while nobody has, or when a script did. */
  readonly by: string | null
  readonly at: number | null
}

const READ = `select name, value, by, ms(updated_at)::float8 as at from setting
  where name in ('policy', 'limits', 'confirm-window-ms', 'second-person', 'foreign-instances') order by updated_at`

interface Row {
  readonly name: string
  readonly value: unknown
  readonly by: string | null
  readonly at: number
}

export async function readMoveRules({ pool }: Database): Promise<RulesNow> {
  return rulesFrom((await pool.query<Row>(READ)).rows)
}

export interface RulesChange {
  readonly rules: MoveRules
  /** `at` of the rules that whoever changes them has read. */
  readonly readAt: number | null
  readonly actor: Actor
  readonly at: number
}

/** False, and nothing is written, when somebody changed them since they were read. */
export function putMoveRules(database: Database, { rules, readAt, actor, at }: RulesChange): Promise<boolean> {
  return inTransaction(database, async (client) => {
    // Rows that nobody has set cannot be locked one by one.
    await client.query('lock table setting in share row exclusive mode')
    const before = rulesFrom((await client.query<Row>(READ)).rows)
    if (before.at !== readAt) return false
    const values = {
      policy: rules.policy,
      limits: rules.limits,
      'confirm-window-ms': rules.confirmWindowMs,
      'second-person': rules.secondPerson,
      'foreign-instances': rules.foreignInstances,
    }
    // A clock that was set back must not give two states the same time.
    const moment = Math.max(at, (readAt ?? 0) + 1)
    await client.query(
      `insert into setting (name, value, by, updated_at) select key, value, $2, $3::timestamptz from jsonb_each($1::jsonb)
       on conflict (name) do update set value = excluded.value, by = excluded.by, updated_at = excluded.updated_at`,
      [JSON.stringify(values), actor.who, timeText(moment)],
    )
    const { by, at: since, ...was } = before
    await writeTrail(client, { kind: 'setting.changed', data: { was, now: rules }, actor, at })
    return true
  })
}

function rulesFrom(rows: readonly Row[]): RulesNow {
  const set = new Map(rows.map(({ name, value }) => [name, value]))
  const window = set.get('confirm-window-ms')
  const deeds = set.get('second-person')
  const last = rows.at(-1)
  return {
    policy: POLICIES.find((known) => known === set.get('policy')) ?? USUAL_POLICY,
    limits: limitsFrom(set.get('limits')),
    confirmWindowMs: isCount(window) ? window : null,
    secondPerson: SECOND_PERSON_DEEDS.filter((deed) => Array.isArray(deeds) && deeds.includes(deed)),
    foreignInstances: FOREIGN_INSTANCES.find((known) => known === set.get('foreign-instances')) ?? 'refuse',
    by: last?.by ?? null,
    at: last?.at ?? null,
  }
}

function limitsFrom(value: unknown): MoveLimits {
  const set = (value ?? {}) as Partial<Record<keyof MoveLimits, unknown>>
  return {
    perSource: isCount(set.perSource) ? set.perSource : USUAL_LIMITS.perSource,
    perTarget: isCount(set.perTarget) ? set.perTarget : USUAL_LIMITS.perTarget,
    fleet: isCount(set.fleet) ? set.fleet : USUAL_LIMITS.fleet,
  }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0
