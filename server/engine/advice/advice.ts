import type { RequestedAction } from '../migration/state'
import type { HostId } from '../words/ids'

// What an adviser answers: every action that a person could take, whether it is safe, and by what proof.

/**
 * attested: safe if the operator's confirmation is right; no fencing device has verified it. unsafe: it may harm a
 * guest or lose data. impossible: it would be refused. unknown: needs an investigation first.
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
  /** What it would do, or why not, in one sentence. */
  readonly because: string
  readonly proof: readonly Proof[]
  /** What would have to be known before this is safe. */
  readonly needs: readonly string[]
}

export interface Opinion {
  readonly verdict: AdviceVerdict
  readonly because: string
  readonly needs?: readonly string[]
}

export const advice = (action: AdvisedAction, opinion: Opinion, proof: readonly Proof[]): Advice => {
  return { action, verdict: opinion.verdict, because: opinion.because, proof, needs: opinion.needs ?? [] }
}

/** Whether rows can put right what is wrong here: the planner's own words. */
export type HealFact =
  | { readonly is: 'planned'; readonly title: string; readonly locked: string | null }
  | { readonly is: 'none'; readonly why: string }

export function healOpinion(heal: HealFact): Opinion {
  if (heal.is === 'none') return { verdict: 'impossible', because: heal.why }
  if (heal.locked !== null) return { verdict: 'impossible', because: heal.locked }
  return {
    verdict: 'safe',
    because: `${heal.title}. The rows are shown before anything is written, and it can be undone.`,
  }
}
