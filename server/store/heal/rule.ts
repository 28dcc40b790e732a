import type { FindingKind } from '../../engine/audit/finding'
import type { Attribution } from '../../engine/change'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'

// Which kinds of finding are repaired automatically. A kind without a row is not.

export interface HealRule {
  readonly kind: FindingKind
  readonly on: boolean
  readonly dailyCap: number
  /** Parts applied on the requested day (UTC). */
  readonly usedToday: number
  readonly by: string
  readonly at: number
}

const dayOf = (now: number) => timeText(now).slice(0, 10)

export async function readHealRules({ pool }: Database, now: number): Promise<HealRule[]> {
  const { rows } = await pool.query<HealRule>(
    `select kind, "on", daily_cap as "dailyCap", case when day = $1::date then used else 0 end as "usedToday", by,
      ms(at)::float8 as at from heal_rule order by kind`,
    [dayOf(now)],
  )
  return rows
}

export interface RuleSet extends Pick<HealRule, 'kind' | 'on' | 'dailyCap'>, Attribution {}

/** Sets the rule without resetting today's count. */
export function putHealRule(database: Database, { kind, on, dailyCap, actor, at }: RuleSet): Promise<void> {
  return inTransaction(database, async (client) => {
    await client.query(
      `insert into heal_rule (kind, "on", daily_cap, by, at, day, used) values ($1, $2, $3, $4, $5, $6::date, 0)
       on conflict (kind) do update set "on" = excluded."on", daily_cap = excluded.daily_cap, by = excluded.by,
         at = excluded.at`,
      [kind, on, dailyCap, actor.who, timeText(at), dayOf(at)],
    )
    await writeTrail(client, { kind: 'heal.rule', data: { kind, on, dailyCap }, actor, at })
  })
}

/** Counts one automatic repair of that kind today. False if the rule is off or the cap, shared by all servers, is reached. */
export async function countAutomaticRepair({ pool }: Database, kind: FindingKind, now: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update heal_rule set used = case when day = $2::date then used else 0 end + 1, day = $2::date
     where kind = $1 and "on" and case when day = $2::date then used else 0 end < daily_cap`,
    [kind, dayOf(now)],
  )
  return rowCount === 1
}
