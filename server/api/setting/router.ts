import { z } from 'zod'
import { FOREIGN_INSTANCES, type MigrationRules, SECOND_PERSON_ACTIONS } from '../../engine/migration/rules'
import { POLICIES } from '../../engine/scheduler'
import {
  defaultRules,
  lastChange,
  putMigrationRules,
  readMigrationRules,
  type SettingChange,
} from '../../store/setting/migration-rules'
import type { Rights } from '../permit/rights'
import { type Permit, permitFor } from '../permit/rights'
import type { Ms } from '../plain'
import { object, oneOf, reason, wholeNumber } from '../procedure/inputs'
import { actorOf, router, settingsAdmin, viewer } from '../procedure/procedure'
import { refuse } from '../refusal/refused'
import type { ApiServices } from '../services'

// The policy of all migrations. Servers reread it every few seconds, so no restart is needed.

/** Limits of the values. Counts are at least 1. */
export interface RuleBounds {
  readonly perHost: number
  readonly fleet: number
  readonly confirmWindowMs: { readonly least: Ms; readonly most: Ms }
}

export interface MigrationRulesView extends MigrationRules {
  readonly bounds: RuleBounds
  /** The defaults. */
  readonly defaults: MigrationRules
  /** Author and time of the last change of each; null while its default applies. */
  readonly changed: { readonly [R in keyof MigrationRules]: SettingChange | null }
  readonly permit: Permit
}

/** Each warning says what is wrong and what to set. */
export interface ServerView {
  readonly warnings: readonly string[]
}

const MINUTE_MS = 60_000
const BOUNDS: RuleBounds = {
  perHost: 100,
  fleet: 10_000,
  confirmWindowMs: { least: MINUTE_MS, most: 30 * 24 * 60 * MINUTE_MS },
}

const perHost = wholeNumber('concurrent migrations of one host', 1, BOUNDS.perHost)

/** Omitted rules stay unchanged. */
const rulesInput = object({
  policy: oneOf(POLICIES).optional(),
  limits: object({
    perSource: perHost,
    perTarget: perHost,
    fleet: wholeNumber('concurrent migrations of the fleet', 1, BOUNDS.fleet),
  }).optional(),
  confirmWindowMs: z
    .int({ error: 'expected a number of ms, or null to wait for confirm or revert' })
    .min(BOUNDS.confirmWindowMs.least, 'expected a window of one minute or more')
    .max(BOUNDS.confirmWindowMs.most, 'expected a window of at most 30 days')
    .nullable()
    .optional(),
  secondPerson: z
    .array(oneOf(SECOND_PERSON_ACTIONS), { error: 'expected a list of actions' })
    .max(SECOND_PERSON_ACTIONS.length, `expected at most ${SECOND_PERSON_ACTIONS.length} actions`)
    .readonly()
    .optional(),
  foreignInstances: oneOf(FOREIGN_INSTANCES).optional(),
  readAt: z.number({ error: 'expected when these rules were changed last, as they were read' }).nullable(),
  reason,
})

export const settingRouter = router({
  rules: viewer.query(({ ctx }): Promise<MigrationRulesView> => rulesView(ctx.services, ctx.caller)),

  /** Warnings about the settings that this server was started with, for its operator. */
  server: viewer.query(({ ctx }): ServerView => ({ warnings: ctx.services.startWarnings })),

  /** `readAt`: the latest change of the given rules, as they were shown. Refused when one changed since. */
  setRules: settingsAdmin.everywhere.input(rulesInput).mutation(async ({ ctx, input }): Promise<MigrationRulesView> => {
    const { services, caller } = ctx
    const { reason, readAt, ...rules } = input
    const actor = actorOf(ctx, reason)
    if (await putMigrationRules(services.database, { rules, readAt, actor, at: services.now() })) {
      return rulesView(services, caller)
    }
    const given = (Object.keys(rules) as (keyof MigrationRules)[]).filter((rule) => rules[rule] !== undefined)
    const by = lastChange(await readMigrationRules(services.database), given)?.by
    const about = { what: 'Change the migration settings', next: 'Check the current settings, then change them again.' }
    const [need, have] = ['the settings as they were read', `a change by ${by ?? 'a script'}`]
    return refuse('changed-meanwhile', { ...about, need, have })
  }),
})

async function rulesView({ database }: ApiServices, rights: Rights): Promise<MigrationRulesView> {
  const defaults = defaultRules()
  return { ...(await readMigrationRules(database)), bounds: BOUNDS, defaults, permit: permitFor(rights, 'configure') }
}
