import type { DemandOptions } from '../engine/demand'
import type { ProviderForest } from '../fleet/candidates-forest'
import type { Projection } from '../fleet/projection'
import type { Database } from '../store/database/database'
import { type AuditService, makeAuditing } from './auditing'
import { type HealService, makeHealing } from './healing'
import { makeSnapshotCache, type SnapshotCache } from './memory'

export interface AuditParts {
  readonly database: Database
  readonly fleet: Pick<Projection, 'hosts' | 'adopt' | 'commit'>
  readonly forest: Pick<ProviderForest, 'audited'>
  demand(): Promise<DemandOptions>
  /** ms since the epoch. */
  now(): number
}

export interface Audit {
  readonly memory: SnapshotCache
  readonly auditing: AuditService
  readonly healing: HealService
}

/** One server's audit and repairs, with their shared cache. */
export function makeAudit(parts: AuditParts): Audit {
  const memory = makeSnapshotCache(parts)
  const auditing = makeAuditing({ ...parts, memory })
  return { memory, auditing, healing: makeHealing({ ...parts, auditing }) }
}
