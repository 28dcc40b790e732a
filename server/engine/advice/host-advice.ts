import { isDead } from '../host'
import {
  type Advice,
  type Assessment,
  advice,
  type HealFact,
  impossible,
  repairAssessment,
  STATUS_ACTIONS,
  safe,
} from './advice'
import { deadAssessment, type HostFact, proofOfHost, statusAssessment } from './host-facts'

// Which actions are possible on one host.

/** The host did not answer the last survey. */
export interface Silence {
  /** Time of its last answer; null: never. */
  readonly since: number | null
}

export interface HostFacts {
  readonly host: HostFact
  /** Instances recorded there. */
  readonly instances: number
  /** Migrations that wait for it. */
  readonly waitingMigrations: number
  /** Null while it answers, or before its first survey. */
  readonly silence: Silence | null
  readonly heal: HealFact
}

export interface HostAdvice {
  /** `since` null: the host has never answered. */
  readonly stuck: { readonly why: string; readonly since: number | null } | null
  readonly actions: readonly Advice[]
}

export function adviseHost(facts: HostFacts): HostAdvice {
  const { host, heal } = facts
  const proof = proofOfHost(host)
  return {
    stuck: stuckOf(facts),
    actions: [
      advice('wait', waitOpinion(facts), proof),
      ...STATUS_ACTIONS.map((action) => advice(action, statusAssessment(action, host), proof)),
      advice('evacuate', evacuateOpinion(facts), proof),
      advice('heal', repairAssessment(heal), proof),
    ],
  }
}

function stuckOf({ host, silence }: HostFacts): HostAdvice['stuck'] {
  if (silence === null || host.status !== 'up') return null
  const { since } = silence
  return { why: `${host.name} ${since === null ? 'has never answered' : 'does not answer'}`, since }
}

function waitOpinion({ host, waitingMigrations }: HostFacts): Assessment {
  if (host.status === 'lost') return impossible(`${host.name} never returns.`)
  const waits =
    waitingMigrations === 0
      ? `No migration waits for ${host.name}`
      : `${waitingMigrations} ${waitingMigrations === 1 ? 'migration waits' : 'migrations wait'} for ${host.name}, with both sides claimed`
  return safe(host.answered === true ? `${waits}, and it answers.` : `${waits}; each survey tries to reach it again.`)
}

function evacuateOpinion({ host, instances }: HostFacts): Assessment {
  if (instances === 0) return impossible('It has no instances.')
  if (isDead(host.status)) return deadAssessment(host, `${instances} instances can be rebuilt elsewhere.`)
  if (host.answered === true)
    return impossible(`${host.name} answers. Drain it instead: its instances can live-migrate.`)
  const because = `${host.name} is ${host.status}: its instances may still run, and second copies would write to the same disks.`
  return impossible(because, ['confirmation that it is powered off (mark it as fenced or permanently lost)'])
}
