import type { FencingView } from '@/server/api/fencing/view'
import type { EvacuationPlan, EvacuationView } from '@/server/api/run/evacuation'
import type { RunDetail } from '@/server/api/run/view'
import type { BadgeContent } from '../ui/Badge'
import { stillAnswers } from './StillAnswers'
import { evacuationWords } from './words'

const words = evacuationWords.stages

const STAGES = ['down', 'fencing', 'plan', 'progress', 'cleanUp'] as const
export type StageId = (typeof STAGES)[number]

/** One step of an evacuation: its status, what is certain, and what is not. */
export interface Stage {
  readonly id: StageId
  readonly badge: BadgeContent
  readonly known: string
  /** Null if nothing relevant is unknown. */
  readonly unknown: string | null
}

export interface EvacuationFacts {
  readonly view: EvacuationView
  /** Null while it is computed. */
  readonly plan: EvacuationPlan | null
  readonly run: Pick<RunDetail, 'state' | 'done' | 'total' | 'left'> | null
}

export function stagesOf(facts: EvacuationFacts): readonly Stage[] {
  return [downStage(facts), fencingStage(facts), planStage(facts), progressStage(facts), cleanUpStage(facts)]
}

/** An attestation is offered only if no fencing device is configured, or if one tried and failed. */
export const mayAttest = ({ method, attempt }: Pick<FencingView, 'method' | 'attempt'>): boolean =>
  method === null || attempt?.state === 'failed' || attempt?.state === 'unverified'

/** A draft run is only a plan: nothing has begun. */
export const hasBegun = (run: EvacuationFacts['run']) => run !== null && run.state !== 'draft'

const CONTACT_TEXT = { silent: 'silent', 'never-answered': 'neverAnswered' } as const

function downStage({ view }: EvacuationFacts): Stage {
  const { status, contact } = view
  const id = 'down'
  if (stillAnswers(view)) {
    return { id, badge: words.badges.problem, known: words.stillAnswers, unknown: words.whetherRuns }
  }
  if (status !== 'up') return { id, badge: words.badges.done, known: words.recorded(status), unknown: null }
  if (contact === 'silent' || contact === 'never-answered') {
    return { id, badge: words.badges.now, known: words[CONTACT_TEXT[contact]], unknown: words.whetherRuns }
  }
  return { id, badge: words.badges.later, known: words.up, unknown: null }
}

function fencingStage({ view: { fencing, status } }: EvacuationFacts): Stage {
  const id = 'fencing'
  if (fencing.state === 'contradicted') {
    return { id, badge: words.badges.problem, known: words.contradicted, unknown: words.whetherRuns }
  }
  if (fencing.state === 'verified') return { id, badge: words.badges.done, known: words.verified, unknown: null }
  if (fencing.attempt?.state === 'running') {
    return { id, badge: words.badges.running, known: words.fencing, unknown: words.whetherRuns }
  }
  if (fencing.state === 'attested') {
    return { id, badge: words.badges.attested, known: words.attestedBy(fencing.by), unknown: words.notVerified }
  }
  return {
    ...{ id, badge: status === 'up' ? words.badges.later : words.badges.now },
    ...{ known: words.notFenced, unknown: status === 'up' ? null : words.whetherRuns },
  }
}

function planStage({ view, plan, run }: EvacuationFacts): Stage {
  const id = 'plan'
  if (plan === null) return { id, badge: words.badges.running, known: words.planning, unknown: null }
  // Rebuilt instances are no longer in the plan.
  if (plan.guests.length === 0 && run !== null && hasBegun(run)) {
    return { id, badge: words.badges.done, known: words.planned(run.total, run.total), unknown: null }
  }
  if (plan.guests.length === 0) {
    return { id, badge: words.badges.later, known: view.permit.ok ? words.empty : words.noPlan, unknown: null }
  }
  const blocked = plan.guests.filter(({ state }) => state === 'blocked').length
  return {
    ...{ id, badge: blocked > 0 ? words.badges.problem : hasBegun(run) ? words.badges.done : words.badges.ready },
    ...{ known: words.planned(plan.guests.length - blocked, plan.guests.length), unknown: null },
  }
}

function progressStage({ run }: EvacuationFacts): Stage {
  const id = 'progress'
  if (run === null || !hasBegun(run)) return { id, badge: words.badges.later, known: words.notStarted, unknown: null }
  const known = words.rebuilt(run.done, run.total)
  if (run.state === 'done')
    return { id, badge: run.left > 0 ? words.badges.problem : words.badges.done, known, unknown: null }
  const badge = run.state === 'paused' || run.state === 'stopped' ? words.badges[run.state] : words.badges.running
  return { id, badge, known, unknown: null }
}

function cleanUpStage({ view, run }: EvacuationFacts): Stage {
  const id = 'cleanUp'
  const isBack = view.status === 'up' && view.contact === 'answering'
  if (view.quarantined || view.stale.length > 0) {
    return {
      ...{ id, badge: isBack ? words.badges.running : words.badges.waiting },
      ...{ known: words.leftovers(view.stale.length, view.quarantined), unknown: isBack ? null : words.untilItAnswers },
    }
  }
  if (isBack && hasBegun(run)) return { id, badge: words.badges.done, known: words.clean, unknown: null }
  return { id, badge: words.badges.later, known: words.notQuarantined, unknown: null }
}
