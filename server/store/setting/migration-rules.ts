import type { Attribution } from '../../engine/change'
import { DEFAULT_LIMITS, type MigrationLimits } from '../../engine/drain/plan'
import { FOREIGN_INSTANCES, type MigrationRules, SECOND_PERSON_ACTIONS } from '../../engine/migration/rules'
import { DEFAULT_POLICY, POLICIES } from '../../engine/scheduler'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'

// The rules of migrations are rows of the settings table, each with a default. A value in another shape is ignored,
// because scripts write into that table too.

/** Author and time (ms) of the last change; by is null when a script made it. */
export interface SettingChange {
  readonly by: string | null
  readonly at: number
}

export interface RulesNow extends MigrationRules {
  /** Null while not set, so that the default applies. */
  readonly changed: { readonly [R in keyof MigrationRules]: SettingChange | null }
}

/** Its row in the settings table. */
const NAMES = {
  policy: 'policy',
  limits: 'limits',
  confirmWindowMs: 'confirm-window-ms',
  secondPerson: 'second-person',
  foreignInstances: 'foreign-instances',
} as const satisfies { readonly [R in keyof MigrationRules]: string }
const RULES = Object.keys(NAMES) as readonly (keyof MigrationRules)[]

const READ = 'select name, value, by, ms(updated_at)::float8 as at from setting where name = any ($1)'

interface Row {
  readonly name: string
  readonly value: unknown
  readonly by: string | null
  readonly at: number
}

export async function readMigrationRules({ pool }: Database): Promise<RulesNow> {
  return rulesFrom((await pool.query<Row>(READ, [Object.values(NAMES)])).rows)
}

/** The defaults. */
export const defaultRules = (): MigrationRules => onlyRules(rulesFrom([]))

export interface RulesChange extends Attribution {
  /** Only these are written. */
  readonly rules: Partial<MigrationRules>
  /** When the last of these was set, as the editor read it. */
  readonly readAt: number | null
}

/** The latest change of these rules; null while none is set. */
export const lastChange = ({ changed }: RulesNow, rules: readonly (keyof MigrationRules)[]): SettingChange | null =>
  rules.flatMap((rule) => changed[rule] ?? []).sort((one, other) => other.at - one.at)[0] ?? null

/** False, and nothing is written, when one of them changed since they were read. */
export function putMigrationRules(database: Database, { rules, readAt, actor, at }: RulesChange): Promise<boolean> {
  return inTransaction(database, async (client) => {
    // Rows that do not exist yet cannot be locked one by one.
    await client.query('lock table setting in share row exclusive mode')
    const before = rulesFrom((await client.query<Row>(READ, [Object.values(NAMES)])).rows)
    const given = RULES.filter((rule) => rules[rule] !== undefined)
    if ((lastChange(before, given)?.at ?? null) !== readAt) return false
    const values = Object.fromEntries(given.map((rule) => [NAMES[rule], rules[rule]]))
    // A clock that was set back must not give two states the same time.
    const writtenAt = Math.max(at, (readAt ?? 0) + 1)
    await client.query(
      `insert into setting (name, value, by, updated_at) select key, value, $2, $3::timestamptz from jsonb_each($1::jsonb)
       order by key
       on conflict (name) do update set value = excluded.value, by = excluded.by, updated_at = excluded.updated_at`,
      [JSON.stringify(values), actor.who, timeText(writtenAt)],
    )
    const was = Object.fromEntries(given.map((rule) => [rule, before[rule]]))
    await writeTrail(client, { kind: 'setting.changed', data: { was, now: rules }, actor, at })
    return true
  })
}

const onlyRules = ({ changed: _, ...rules }: RulesNow): MigrationRules => rules

function rulesFrom(rows: readonly Row[]): RulesNow {
  const set = new Map(rows.map(({ name, value }) => [name, value]))
  const window = set.get('confirm-window-ms')
  const actions = set.get('second-person')
  const changes = new Map(rows.map(({ name, by, at }) => [name, { by, at }]))
  return {
    policy: POLICIES.find((known) => known === set.get('policy')) ?? DEFAULT_POLICY,
    limits: limitsFrom(set.get('limits')),
    confirmWindowMs: isCount(window) ? window : null,
    secondPerson: SECOND_PERSON_ACTIONS.filter((action) => Array.isArray(actions) && actions.includes(action)),
    foreignInstances: FOREIGN_INSTANCES.find((known) => known === set.get('foreign-instances')) ?? 'refuse',
    changed: Object.fromEntries(
      RULES.map((rule) => [rule, changes.get(NAMES[rule]) ?? null]),
    ) as unknown as RulesNow['changed'],
  }
}

function limitsFrom(value: unknown): MigrationLimits {
  const set = (value ?? {}) as Partial<Record<keyof MigrationLimits, unknown>>
  return {
    perSource: isCount(set.perSource) ? set.perSource : DEFAULT_LIMITS.perSource,
    perTarget: isCount(set.perTarget) ? set.perTarget : DEFAULT_LIMITS.perTarget,
    fleet: isCount(set.fleet) ? set.fleet : DEFAULT_LIMITS.fleet,
  }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0
