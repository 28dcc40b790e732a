import type { HostStatus } from '../host'
import type { HostId } from '../words/ids'
import { type Assessment, attested, impossible, type Proof, type StatusAction, safe, unknown, unsafe } from './advice'

// Known facts about one host, and the effects of changing its status.

export interface HostFact {
  readonly id: HostId
  readonly name: string
  readonly status: HostStatus
  readonly statedAt: number | null
  /** Whether its hypervisor answered the last survey; null before the first one. */
  readonly answered: boolean | null
  readonly lookedAt: number | null
  /** Instances that its last answer reported as running, however old that answer is. */
  readonly running: number
}

/** A survey newer than the recorded status contradicts it: a host not up answered, or one that is up did not. */
export function isContradicted({ status, statedAt, answered, lookedAt }: HostFact): boolean {
  if (answered === null || (statedAt !== null && (lookedAt === null || lookedAt <= statedAt))) return false
  return answered !== (status === 'up')
}

/** An attestation counts only until a survey finds otherwise. */
export function proofOfHost(host: HostFact): readonly Proof[] {
  const says = host.statedAt === null ? `recorded as ${host.status}` : `marked as ${host.status}`
  const source = host.statedAt === null ? 'records' : 'person'
  const stated: Proof = { source, host: host.id, says, at: host.statedAt }
  if (host.answered === null) return [stated]
  return isContradicted(host) ? [surveyOf(host)] : [stated, surveyOf(host)]
}

export function surveyOf({ id, name, status, ...seen }: HostFact): Proof {
  const found = seen.answered ? `${name} answers; ${seen.running} instances run there` : `${name} does not answer`
  const against = isContradicted({ id, name, status, ...seen }) ? `; this contradicts its status ${status}` : ''
  return { source: 'hypervisor', host: id, says: found + against, at: seen.lookedAt }
}

/** Whether instances of a host recorded as dead may be started elsewhere: yes, while the attestation stands. */
export function deadAssessment(host: HostFact, then: string): Assessment {
  if (isContradicted(host)) {
    return unsafe(
      `${host.name} is recorded as ${host.status}, but a later survey found it answering with ${host.running} running instances.`,
      [POWER_OFF],
    )
  }
  return attested(`${host.name} is attested as ${host.status}; no fencing device has verified it. ${then}`)
}

const POWER_OFF = 'confirmation that it is powered off or cut off from its disks'

export function statusAssessment(action: StatusAction, host: HostFact): Assessment {
  const status = action.slice('mark-'.length) as HostStatus
  if (host.status === status) return impossible(`${host.name} is already ${status}.`)
  if (host.status === 'lost') return impossible(`${host.name} is permanently lost. Import it again instead.`)
  return ASSESSMENTS[status](host)
}

const ASSESSMENTS: { readonly [T in HostStatus]: (host: HostFact) => Assessment } = {
  up: ({ name, answered }) =>
    answered === true
      ? safe(`${name} answers: migrations that wait for it continue.`)
      : unsafe(`${name} does not answer: migrations would wait for it again.`, ['an answer of its hypervisor']),
  // This status never starts anything elsewhere, so at worst migrations wait.
  down: ({ name, answered }) =>
    answered === true
      ? unsafe(`${name} answers: migrations would wait although it could run them.`)
      : safe(`${name} accepts no claims while its instances may still run; nothing starts elsewhere.`),
  fenced: (host) => dead(host, 'every migration that waits for it continues as if its instances were stopped'),
  lost: (host) => dead(host, 'its claims and instances are given up permanently'),
}

function dead({ name, answered, running }: HostFact, then: string): Assessment {
  if (answered === true && running > 0) {
    return unsafe(`${name} answers and runs ${running} instances: a second copy of each would start.`, [POWER_OFF])
  }
  if (answered === true) return unsafe(`${name} answers, so it is not dead.`, [POWER_OFF])
  return unknown(`Afterwards, ${then}. An unreachable host may still run its instances.`, [POWER_OFF])
}
