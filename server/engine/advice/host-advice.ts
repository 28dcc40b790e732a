import { isDead } from '../host'
import { type Advice, advice, type HealFact, healOpinion, type Opinion, TRUTH_ACTIONS } from './advice'
import { type HostFact, proofOfHost, truthOpinion } from './host-facts'

// What may be done about one host.

export interface HostFacts {
  readonly host: HostFact
  /** Instances that live there by the records. */
  readonly instances: number
  /** Moves that wait for it. */
  readonly movesWaiting: number
  /** Since when it has not answered; null while it answers or was never asked. */
  readonly silentSince: number | null
  readonly heal: HealFact
}

export interface HostAdvice {
  readonly stuck: { readonly why: string; readonly since: number } | null
  readonly actions: readonly Advice[]
}

export function adviseHost(facts: HostFacts): HostAdvice {
  const { host, silentSince, heal } = facts
  const proof = proofOfHost(host)
  const stuck =
    silentSince === null || host.truth !== 'up' ? null : { why: `${host.name} does not answer`, since: silentSince }
  return {
    stuck,
    actions: [
      advice('wait', waitOpinion(facts), proof),
      ...TRUTH_ACTIONS.map((action) => advice(action, truthOpinion(action, host), proof)),
      advice('evacuate', evacuateOpinion(facts), proof),
      advice('heal', healOpinion(heal), proof),
    ],
  }
}

function waitOpinion({ host, movesWaiting }: HostFacts): Opinion {
  if (host.truth === 'gone') return { verdict: 'impossible', because: `${host.name} never returns.` }
  const moves = movesWaiting === 0 ? 'Nothing waits for it' : `${movesWaiting} moves wait for it, with both sides held`
  return { verdict: 'safe', because: `${moves}; it is asked again at every survey.` }
}

function evacuateOpinion({ host, instances }: HostFacts): Opinion {
  if (instances === 0) return { verdict: 'impossible', because: 'No instance lives there.' }
  if (isDead(host.truth))
    return {
      verdict: 'safe',
      because: `${host.name} surely runs nothing: ${instances} guests may be brought up elsewhere.`,
    }
  if (host.answered === true)
    return { verdict: 'impossible', because: `${host.name} answers. Drain it instead: guests move while they run.` }
  const because = `${host.name} is ${host.truth}: its guests may still run, and a second copy would write to the same disks.`
  return { verdict: 'impossible', because, needs: ['proof that its power is off, stated as fenced or gone'] }
}
