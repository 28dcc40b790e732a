import type { RequestedAction } from '../migration/state'
import type { HostId } from '../words/ids'

// The adviser's result: every action open to an operator, whether it is safe, and the proof for that.

/**
 * attested: safe if the operator's statement is true; no fencing device has verified it. unsafe: it may harm an
 * instance or lose data. impossible: it would be refused. unknown: needs investigation first.
 */
export type AdviceVerdict = 'safe' | 'attested' | 'unsafe' | 'impossible' | 'unknown'

export const STATUS_ACTIONS = ['mark-up', 'mark-down', 'mark-fenced', 'mark-lost'] as const
export type StatusAction = (typeof STATUS_ACTIONS)[number]
export type AdvisedAction = RequestedAction | 'wait' | 'heal' | 'evacuate' | StatusAction

export interface Proof {
  readonly source: 'records' | 'allocations' | 'hypervisor' | 'person' | 'history'
  readonly host: HostId | null
  /** Ready to print. */
  readonly says: string
  readonly at: number | null
}

export interface Advice {
  readonly action: AdvisedAction
  readonly verdict: AdviceVerdict
  /** Its effect, or why it is not possible, in one sentence. */
  readonly because: string
  readonly proof: readonly Proof[]
  /** What must be known before this is safe. */
  readonly needs: readonly string[]
}

export type Assessment = Pick<Advice, 'verdict' | 'because' | 'needs'>

const assessmentOf =
  (verdict: AdviceVerdict) =>
  (because: string, needs: readonly string[] = []): Assessment => ({ verdict, because, needs })

export const safe = assessmentOf('safe')
export const attested = assessmentOf('attested')
export const unsafe = assessmentOf('unsafe')
export const impossible = assessmentOf('impossible')
export const unknown = assessmentOf('unknown')

export const advice = (action: AdvisedAction, assessment: Assessment, proof: readonly Proof[]): Advice => {
  return { action, verdict: assessment.verdict, because: assessment.because, proof, needs: assessment.needs }
}

/** Whether changing rows can repair this, in the planner's words. */
export type HealFact =
  | { readonly is: 'planned'; readonly title: string; readonly locked: string | null }
  | { readonly is: 'none'; readonly why: string }

export function repairAssessment(heal: HealFact): Assessment {
  if (heal.is === 'none') return impossible(heal.why)
  if (heal.locked !== null) return impossible(heal.locked)
  return safe(`${heal.title}. The rows are shown before anything is written, and it can be undone.`)
}
