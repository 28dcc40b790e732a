import type { HostTruth } from '../host'
import type { HostId } from '../words/ids'
import type { Opinion, Proof, TruthAction } from './advice'

// What is known about one host, and what stating a truth about it would do.

export interface HostFact {
  readonly id: HostId
  readonly name: string
  readonly truth: HostTruth
  readonly statedAt: number | null
  /** Whether its hypervisor answered when it was asked last; null when it was never asked. */
  readonly answered: boolean | null
  readonly lookedAt: number | null
  /** Guests it showed running at its last answer, whenever that was. */
  readonly running: number
}

/** A survey that is younger than the recorded status says otherwise: an answer of a host that is not up, or none of one that is. */
export function isContradicted({ truth, statedAt, answered, lookedAt }: HostFact): boolean {
  if (answered === null || (statedAt !== null && (lookedAt === null || lookedAt <= statedAt))) return false
  return answered !== (truth === 'up')
}

/** What a person said counts only until a survey has found otherwise. */
export function proofOfHost(host: HostFact): readonly Proof[] {
  const says = host.statedAt === null ? `recorded ${host.truth}` : `stated ${host.truth}`
  const source = host.statedAt === null ? 'records' : 'person'
  const stated: Proof = { source, host: host.id, says, at: host.statedAt }
  if (host.answered === null) return [stated]
  return isContradicted(host) ? [surveyOf(host)] : [stated, surveyOf(host)]
}

export function surveyOf({ id, name, truth, ...seen }: HostFact): Proof {
  const found = seen.answered ? `${name} answers, ${seen.running} instances run there` : `${name} does not answer`
  const against = isContradicted({ id, name, truth, ...seen }) ? `; this contradicts its status ${truth}` : ''
  return { source: 'hypervisor', host: id, says: found + against, at: seen.lookedAt }
}

/** Whether guests of a host that is recorded dead may be started elsewhere: by a person's word, as long as it stands. */
export function deadOpinion(host: HostFact, then: string): Opinion {
  if (isContradicted(host)) {
    return {
      verdict: 'unsafe',
      because: `${host.name} is recorded ${host.truth}, and a later survey found it answering with ${host.running} running instances.`,
      needs: [POWER_OFF],
    }
  }
  return {
    verdict: 'attested',
    because: `${host.name} is ${host.truth} by a person's word; no machine has verified it. ${then}`,
  }
}

const POWER_OFF = 'proof that its power is off or its disks are cut off'

export function truthOpinion(action: TruthAction, host: HostFact): Opinion {
  const truth = action.slice('state-'.length) as HostTruth
  if (host.truth === truth) return { verdict: 'impossible', because: `${host.name} is ${truth} already.` }
  if (host.truth === 'gone')
    return { verdict: 'impossible', because: `${host.name} is gone for good. Add it anew instead.` }
  return OPINIONS[truth](host)
}

const OPINIONS: { readonly [T in HostTruth]: (host: HostFact) => Opinion } = {
  up: ({ name, answered }) =>
    answered === true
      ? { verdict: 'safe', because: `${name} answers: moves that wait for it go on.` }
      : {
          verdict: 'unsafe',
          because: `${name} does not answer: moves would wait for it again.`,
          needs: ['an answer of its hypervisor'],
        },
  // Nothing is ever started elsewhere because of it, so the worst that can happen is that moves wait.
  down: ({ name, answered }) =>
    answered === true
      ? { verdict: 'unsafe', because: `${name} answers: moves would wait for a host that could carry them.` }
      : {
          verdict: 'safe',
          because: `${name} takes no claims while its guests may still run; nothing starts elsewhere.`,
        },
  fenced: (host) => dead(host, 'every move that waits for it goes on as if its guests were stopped'),
  gone: (host) => dead(host, 'what it holds is given up for ever'),
}

function dead({ name, answered, running }: HostFact, then: string): Opinion {
  if (answered === true && running > 0) {
    return {
      verdict: 'unsafe',
      because: `${name} answers and runs ${running} guests: a second copy of each would start.`,
      needs: [POWER_OFF],
    }
  }
  if (answered === true)
    return { verdict: 'unsafe', because: `${name} answers, so it is not dead.`, needs: [POWER_OFF] }
  return {
    verdict: 'unknown',
    because: `Once stated, ${then}. A silent host may still run its guests.`,
    needs: [POWER_OFF],
  }
}
