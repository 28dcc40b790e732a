import type { DemandOptions } from '../engine/demand'
import type { ProviderForest } from '../fleet/candidates-forest'
import type { Projection } from '../fleet/projection'
import type { Database } from '../store/database/database'
import { type Auditing, makeAuditing } from './auditing'
import { type Healing, makeHealing } from './healing'
import { makeTruthMemory, type TruthMemory } from './memory'

export interface TruthParts {
  readonly database: Database
  readonly fleet: Pick<Projection, 'hosts' | 'heard' | 'commit'>
  readonly forest: Pick<ProviderForest, 'audited'>
  demand(): Promise<DemandOptions>
  /** ms since the epoch. */
  now(): number
}

export interface Truth {
  readonly memory: TruthMemory
  readonly auditing: Auditing
  readonly healing: Healing
}

/** One server's audit and heals, with the memory they share. */
export function makeTruth(parts: TruthParts): Truth {
  const memory = makeTruthMemory(parts)
  const auditing = makeAuditing({ ...parts, memory })
  return { memory, auditing, healing: makeHealing({ ...parts, auditing }) }
}
