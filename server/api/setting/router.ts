import { z } from 'zod'
import { FOREIGN_INSTANCES, type MoveRules, SECOND_PERSON_DEEDS } from '../../engine/move-rules'
import { POLICIES } from '../../engine/scheduler'
import { putMoveRules, readMoveRules } from '../../store/setting/move-rules'
import { type Permit, permitFor } from '../permit/permits'
import type { Role } from '../permit/roles'
import type { Ms } from '../plain'
import { object, oneOf, reason, whole } from '../procedure/inputs'
import { actorOf, governor, router, viewer } from '../procedure/procedure'
import { refuse } from '../refusal/refused'
import type { ApiServices } from '../services'

// What all moves go by. Servers read it anew every few seconds, so nothing has to be started again.

/** What is over is refused. All may be 1 or more. */
export interface RuleBounds {
  readonly perHost: number
  readonly fleet: number
  readonly confirmWindowMs: { readonly least: Ms; readonly most: Ms }
}

export interface MoveRulesView extends MoveRules {
  readonly bounds: RuleBounds
  /** Who changed any of them last, and when; null while nobody has, or when a script did. */
  readonly by: string | null
  readonly at: Ms | null
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

const perHost = whole('moves at once of one host', 1, BOUNDS.perHost)

const rulesInput = object({
  policy: oneOf(POLICIES),
  limits: object({
    perSource: perHost,
    perTarget: perHost,
    fleet: whole('moves at once of the fleet', 1, BOUNDS.fleet),
  }),
  confirmWindowMs: z
    .int({ error: 'expected a number of ms, or null to wait for a person' })
    .min(BOUNDS.confirmWindowMs.least, 'expected a window of one minute or more')
    .max(BOUNDS.confirmWindowMs.most, 'expected a window of at most 30 days')
    .nullable(),
  secondPerson: z
    .array(oneOf(SECOND_PERSON_DEEDS), { error: 'expected a list of deeds' })
    .max(SECOND_PERSON_DEEDS.length, `expected at most ${SECOND_PERSON_DEEDS.length} deeds`)
    .readonly(),
  foreignInstances: oneOf(FOREIGN_INSTANCES),
  readAt: z.number({ error: 'expected when the rules were changed last, as they were read' }).nullable(),
  reason,
})

export const settingRouter = router({
  rules: viewer.query(({ ctx }): Promise<MoveRulesView> => rulesView(ctx.services, ctx.caller.role)),

  /** How this server was started, for whoever runs it. */
  server: viewer.query(({ ctx }): ServerView => ({ warnings: ctx.services.startWarnings })),

  /** `readAt`: the `at` of the rules as they were shown. Refused when somebody changed them since. */
  setRules: governor.input(rulesInput).mutation(async ({ ctx, input }): Promise<MoveRulesView> => {
    const { services, caller } = ctx
    const { reason: why, readAt, ...rules } = input
    const actor = actorOf(ctx, why)
    if (await putMoveRules(services.database, { rules, readAt, actor, at: services.now() })) {
      return rulesView(services, caller.role)
    }
    const { by } = await readMoveRules(services.database)
    return refuse(
      {
        kind: 'changed-meanwhile',
        where: {},
        need: 'the rules as they were read',
        have: `what ${by ?? 'a script'} set`,
      },
      { what: 'Change the rules of moves', next: 'Look at the rules as they are now, then change them again.' },
    )
  }),
})

async function rulesView({ database }: ApiServices, role: Role): Promise<MoveRulesView> {
  return { ...(await readMoveRules(database)), bounds: BOUNDS, permit: permitFor(role, 'govern') }
}
