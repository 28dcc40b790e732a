import { z } from 'zod'
import type { FindingBody } from '../../audit/auditing'
import type { HealPlanResult } from '../../audit/healing'
import { readFindings } from '../../store/finding/list'
import { listPlans } from '../../store/heal/plan'
import { readProposalOfPlan } from '../../store/proposal/proposal'
import { briefView, type FindingBriefView, idsOfBriefs } from '../finding/brief'
import { idsIn } from '../finding/view'
import { namesOf } from '../names/read'
import type { Permit } from '../permit/rights'
import { permitShown, permitTo } from '../permit/subjects'
import type { Ms } from '../plain'
import { object, reason, recordId } from '../procedure/inputs'
import { actorOf, type Caller, proposer, router, viewer } from '../procedure/procedure'
import { needsApproval, type ProposalView, proposalView, propose } from '../proposal/propose'
import { refuse } from '../refusal/refused'
import type { ApiServices } from '../services'
import { applyHeal, checkParts, type FoundPlan, planOr404 } from './apply'
import { type HealPartView, type HealPlanRow, type HealState, idsOfParts, partView, planRow } from './view'

// Plans repairs of findings as a diff for review, and applies the chosen parts.

export interface HealPlanDetail extends HealPlanRow {
  readonly part: readonly HealPartView[]
  /** The plan that replaces this one after a change. */
  readonly replacedBy: string | null
  readonly undoneBy: string | null
  /** Findings that it leaves or causes, simulated on the records at planning time; null: unknown before it runs. */
  readonly foreseen: readonly FindingBriefView[] | null
  /** Findings of the same subjects at the audit after it was applied, and new ones; null before. */
  readonly verified: { readonly at: Ms; readonly left: number; readonly found: readonly FindingBriefView[] } | null
  readonly permitted: { readonly apply: Permit; readonly undo: Permit }
  /** True when applying what is left needs a second person first. */
  readonly asks: boolean
  /** Set when a second person must agree first. */
  readonly approval: ProposalView | null
}

const LISTED = 200
const AT_ONCE = 200
const planId = recordId('a heal')
const findings = z
  .array(recordId('a finding'), { error: 'expected a list of ids of findings' })
  .min(1, 'expected at least one finding')
  .max(AT_ONCE, `expected at most ${AT_ONCE} findings at once`)
  .transform((list) => [...new Set(list)])
const part = z.int({ error: 'expected a number of a part' }).min(1, 'expected a number of a part')
const parts = z
  .array(part, { error: 'expected numbers of parts' })
  .min(1, 'expected at least one part')
  .max(AT_ONCE, `expected at most ${AT_ONCE} parts at once`)
  .transform((list) => [...new Set(list)])

export const healRouter = router({
  list: viewer.query(async ({ ctx }): Promise<readonly HealPlanRow[]> => {
    return (await listPlans(ctx.services.database, LISTED)).map(planRow)
  }),

  byId: viewer.input(object({ id: planId })).query(async ({ ctx, input }): Promise<HealPlanDetail> => {
    return planDetail(ctx.services, await planOr404(ctx.services, input.id), ctx.caller)
  }),

  /** Makes and stores a plan for these findings; writes nothing else. */
  plan: proposer
    .on(object({ findings }), (input) => input.findings.map((id) => ({ of: 'finding', id })))
    .mutation(async ({ ctx, input }): Promise<{ plan: string }> => {
      const { services, caller } = ctx
      return planned(await services.audit.healing.plan(input.findings, caller.username), 'Plan a repair')
    }),

  /** Applies the chosen parts as they were shown. A part whose rows changed is not written: `replacedBy` has the new diff. */
  applyParts: proposer
    .on(object({ id: planId, parts, reason }), (input) => [{ of: 'repair', id: input.id, parts: input.parts }])
    .mutation(async ({ ctx, input }): Promise<ApplyAnswer> => {
      const { services, caller } = ctx
      const found = await planOr404(services, input.id)
      checkParts(found, input.parts)
      const action = { plan: input.id, parts: input.parts, actor: actorOf(ctx, input.reason) }
      if (await mustAsk(services, caller, input)) {
        const proposal = await propose(ctx, { kind: 'heal', ...action })
        return { state: found.plan.state, applied: 0, replacedBy: null, whyNotReplaced: null, found: [], proposal }
      }
      const { found: next, conflicts: _, ...answer } = await applyHeal(services, action)
      const names = await namesOf(services, idsOfBriefs(next))
      return { ...answer, found: next.map((each) => briefView(each, names)), proposal: null }
    }),

  /** A new plan that reverses the applied one; it is reviewed and applied like any other. */
  undo: proposer
    .on(object({ id: planId }), ({ id }) => [{ of: 'repair', id }])
    .mutation(async ({ ctx, input }): Promise<{ plan: string }> => {
      const { services, caller } = ctx
      await planOr404(services, input.id)
      return planned(await services.audit.healing.undo(input.id, caller.username), 'Undo the repair')
    }),
})

interface ApplyAnswer {
  readonly state: HealState
  readonly applied: number
  readonly replacedBy: string | null
  readonly whyNotReplaced: string | null
  readonly found: readonly FindingBriefView[]
  readonly proposal: string | null
}

function planned(made: HealPlanResult, what: string): { plan: string } {
  if (made.ok) return { plan: made.plan }
  return refuse('not-permitted', { need: what, have: made.why, what, notChanged: 'Nothing was planned.' })
}

interface PartSelection {
  readonly id: string
  readonly parts: readonly number[]
}

/** A user who may not repair alone proposes it; with two-person approval, so does everyone. */
async function mustAsk(
  services: ApiServices,
  rights: Caller,
  { id: plan, parts: chosen }: PartSelection,
): Promise<boolean> {
  const subject = { of: 'repair', id: plan, parts: chosen } as const
  if (!(await permitTo(services, { rights, capability: 'operate' }, [subject])).ok) return true
  if (!(await needsApproval(services, 'heal'))) return false
  const proposal = await readProposalOfPlan(services.database, plan)
  return proposal?.state !== 'approved' || !chosen.every((part) => proposal.parts.includes(part))
}

async function planDetail(services: ApiServices, found: FoundPlan, caller: Caller): Promise<HealPlanDetail> {
  const { database, fleet } = services
  const [of, proposal] = await Promise.all([
    readFindings<FindingBody>(
      database,
      found.parts.map(({ finding }) => finding),
    ),
    readProposalOfPlan(database, found.plan.id),
  ])
  const { foreseen, verified } = found.plan
  const asked = { rights: caller, capability: 'propose' } as const
  const mine = await permitShown(services, asked, [{ of: 'repair', id: found.plan.id }])
  const briefs = idsOfBriefs([...(foreseen ?? []), ...(verified?.found ?? [])])
  const names = await namesOf(services, [...idsIn(of), ...idsOfParts(found.parts), ...briefs])
  const providers = new Map<string, string>(
    fleet.hosts().flatMap((host) => host.providers.map(({ id, name }) => [id, name] as const)),
  )
  const findingOf = new Map(of.map((each) => [each.id, each]))
  const left = found.parts.filter(isLeft).map((each) => each.n)
  return {
    ...planRow(found.plan),
    asks: await mustAsk(services, caller, { id: found.plan.id, parts: left }),
    part: found.parts.flatMap((stored) => {
      const finding = findingOf.get(stored.finding)
      return finding
        ? [partView(stored, { finding, names, providers, rights: caller, host: (id) => fleet.host(id) })]
        : []
    }),
    ...{ replacedBy: found.plan.replacedBy, undoneBy: found.plan.undoneBy },
    foreseen: foreseen?.map((each) => briefView(each, names)) ?? null,
    verified: verified && { ...verified, found: verified.found.map((each) => briefView(each, names)) },
    permitted: { apply: applyPermit(found, mine), undo: undoPermit(found, mine) },
    approval: proposal && (await proposalView(services, proposal, { names, caller })),
  }
}

function applyPermit({ plan, parts: all }: FoundPlan, mine: Permit): Permit {
  if (!mine.ok) return mine
  if (plan.replacedBy !== null) return { ok: false, why: 'Rows have changed meanwhile; a new plan replaced it.' }
  return all.some(isLeft) ? { ok: true } : { ok: false, why: 'It has no part left to apply.' }
}

const isLeft = ({ state }: FoundPlan['parts'][number]): boolean => state === 'open' || state === 'left-out'

function undoPermit({ parts: all }: FoundPlan, mine: Permit): Permit {
  if (!mine.ok) return mine
  const applied = all.some(({ state }) => state === 'applied')
  return applied ? { ok: true } : { ok: false, why: 'Nothing of it was applied.' }
}
