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

export function proofOfHost(host: HostFact): readonly Proof[] {
  const stated: Proof = { source: 'person', host: host.id, says: `stated ${host.truth}`, at: host.statedAt }
  if (host.answered === null) return [stated]
  const says = host.answered ? `${host.name} answers, ${host.running} guests run there` : `${host.name} does not answer`
  return [stated, { source: 'hypervisor', host: host.id, says, at: host.lookedAt }]
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
