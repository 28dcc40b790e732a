import { confidenceFinder } from '../audit/confidence'
import { type AuditRecords, type Finding, type HeldClaim, rememberedDemands } from '../audit/finding'
import { indexSnapshot } from '../audit/index-snapshot'
import type { Confidence } from '../audit/kinds'
import { type Observations, observationsOf } from '../audit/observations'
import type { ConsumerWithoutClaim, Snapshot, StrayAllocation } from '../audit/snapshot'
import { isOurs } from '../audit/unclaimed-row-checks'
import { grouped } from '../ledger/grouped'
import type { Migration } from '../migration/state'
import type { ConsumerId, HostId, InstanceId } from '../words/ids'
import type { Owner } from '../words/owner'
import type { HealOptions } from './plan-words'

// What a repair is decided on: the indexed records, both surveys, and the rows without a claim.

export interface HealContext {
  readonly snapshot: Snapshot
  readonly records: AuditRecords
  readonly latest: Observations
  readonly earlier: Observations
  readonly options: HealOptions
  /** Everything held for the instance, by any consumer. */
  readonly claimsForInstance: ReadonlyMap<InstanceId, readonly HeldClaim[]>
  readonly migrationsOf: ReadonlyMap<InstanceId, readonly Migration[]>
  readonly strayAllocationsOf: ReadonlyMap<ConsumerId, readonly StrayAllocation[]>
  /** Consumers of other clients: nothing of theirs is written. */
  readonly ownerOf: ReadonlyMap<ConsumerId, Owner>
  readonly consumersWithoutClaim: ReadonlyMap<ConsumerId, ConsumerWithoutClaim>
  /** Types of consumer rows that do not match their claims. */
  readonly typeOf: ReadonlyMap<ConsumerId, string>
  readonly confidence: (finding: Finding) => Confidence
}

export function contextOf(snapshot: Snapshot, options: HealOptions): HealContext {
  const records = indexSnapshot(snapshot)
  const held = snapshot.hosts.flatMap((host) => host.holdings.map((holding) => ({ host, holding })))
  return {
    snapshot,
    records,
    options: { ...options, demandFor: rememberedDemands(options.demandFor) },
    confidence: confidenceFinder(snapshot),
    latest: observationsOf(snapshot, 'latest'),
    earlier: observationsOf(snapshot, 'earlier'),
    claimsForInstance: grouped(held, ({ holding }) => holding.instance),
    migrationsOf: grouped(snapshot.migrations, ({ instance }) => instance),
    strayAllocationsOf: grouped((snapshot.strayAllocations ?? []).filter(isOurs), ({ consumer }) => consumer),
    ownerOf: new Map(
      (snapshot.strayAllocations ?? []).flatMap(({ consumer, owner }) => (owner ? [[consumer, owner]] : [])),
    ),
    typeOf: new Map((snapshot.mistypedConsumers ?? []).map(({ id, type }) => [id, type])),
    consumersWithoutClaim: new Map((snapshot.looseConsumers ?? []).map((each) => [each.id, each])),
  }
}

export const hostName = ({ records }: HealContext, host: HostId | null): string =>
  host === null ? 'no host' : (records.hosts.get(host)?.name ?? host)

/** The consumers whose rows go with the instance: itself and all its migrations. */
export const consumersOf = (context: HealContext, instance: InstanceId): readonly ConsumerId[] => [
  instance,
  ...(context.migrationsOf.get(instance) ?? []).map(({ id }) => id),
]
