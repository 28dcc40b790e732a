import type { Instance } from '../change'
import type { Migration } from '../migration/state'
import type { ConsumerId, HostId } from '../words/ids'
import { otherSide } from '../words/side'
import { type Disproof, disproof } from './disproof'
import type { ConsumerClaim } from './migration'

// The laws as checked in the writing transaction: prisma/functions/proof.sql for PostgreSQL, these functions for the
// simulation's ledger.

export interface ReleaseRecords {
  readonly held: readonly ConsumerClaim[]
  /** The consumer's own row, as a migration or as an instance. */
  readonly migration: Migration | null
  readonly instanceOf: (id: ConsumerId) => Instance | null
  /** True when the instance itself holds a claim on its host. */
  readonly isClaimedOnHost: (instance: Instance) => boolean
}

/** The released claim is the consumer's own, and does not cover an instance. */
export function releaseDisproof(consumer: ConsumerId, records: ReleaseRecords): Disproof | null {
  const { held, migration: m, instanceOf, isClaimedOnHost } = records
  for (const claim of held) {
    if (claim.kind === 'migration') {
      if (m === null || m.instance !== claim.instance) return disproof('instance', 'no migration of its instance')
      if (m[otherSide(m.home)] !== claim.host) return disproof('home', 'it is not on the side that is left')
      const instance = instanceOf(claim.instance)
      if (instance !== null && instance.host !== null && !isClaimedOnHost(instance)) {
        return disproof('claims', 'the instance holds no claim on its current host')
      }
    } else if (claim.instance !== consumer || instanceOf(consumer)?.host !== claim.host) {
      return disproof('home', 'the instance is not on that host')
    }
  }
  return null
}

export interface ExchangeRecords {
  readonly instance: ConsumerId
  readonly migration: Migration | null
  /** After the exchange. */
  readonly heldByInstance: readonly ConsumerClaim[]
  readonly heldByMigration: readonly ConsumerClaim[]
}

/** After the exchange each holds its side of this migration. */
export function exchangeDisproof({ instance, migration: m, ...held }: ExchangeRecords): Disproof | null {
  if (m === null || m.instance !== instance || m.step === 'ended') {
    return disproof('instance', 'no migration of this instance is active')
  }
  const isOwn = ({ direction }: Migration) =>
    held.heldByInstance.every((each) => each.kind === 'instance' && each.host === m[direction]) &&
    held.heldByMigration.every((each) => each.kind === 'migration' && each.host === m[otherSide(direction)])
  const all = [...held.heldByInstance, ...held.heldByMigration]
  if (!isOwn(m) || all.some((each) => each.instance !== instance)) {
    return disproof('claims', 'claims of other hosts or instances would be exchanged')
  }
  if (m[otherSide(m.direction)] !== null && held.heldByMigration.length === 0) {
    return disproof('claims', 'there is nothing to exchange')
  }
  return null
}

export interface LeftoverRecords {
  readonly host: HostId
  /** The instance's host; null: none, or it was deleted. */
  readonly currentHost: HostId | null
  /** The migration that left it. */
  readonly migration: Migration | null
}

/** An instance has no leftovers on its own host, unless a migration within that host left them. */
export function leftoverDisproof({ host, currentHost, migration: m }: LeftoverRecords): Disproof | null {
  if (currentHost !== host) return null
  if (m !== null && m.source === m.target && m.step === 'ended') return null
  return disproof('resident', 'the instance is on that host')
}
