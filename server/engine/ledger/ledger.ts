import type { ConsumerWithoutClaim, ObservedLeftover, Snapshot, StrayAllocation } from '../audit/snapshot'
import type { Instance } from '../change'
import type { GroupPolicy } from '../demand'
import type { Host } from '../host'
import type { Migration, StepRecord } from '../migration/state'
import type { ConsumerClaim } from '../proof/migration'
import type { ConsumerId, GroupId, HostId, InstanceId, MigrationId } from '../words/ids'
import { byId } from './grouped'

// The records as values: what a change may name. PostgreSQL keeps the same rows; `apply` computes the effect of a
// change on them, and a property test keeps the two equal.

export interface GroupRow {
  readonly id: GroupId
  readonly policy: GroupPolicy
  readonly maxPerHost: number
  readonly generation: number
}

/** Leftovers of an instance on a host; migration null: the instance was deleted. */
export type Leftover = Omit<ObservedLeftover, 'host'>

export interface Ledger {
  readonly hosts: ReadonlyMap<HostId, Host>
  readonly instances: ReadonlyMap<InstanceId, Instance>
  readonly migrations: ReadonlyMap<MigrationId, Migration>
  readonly groups: ReadonlyMap<GroupId, GroupRow>
  /** By migration and number. */
  readonly steps: ReadonlyMap<string, StepRecord>
  readonly leftovers: ReadonlyMap<HostId, readonly Leftover[]>
  /** Allocations and consumers without a claim, if they were read. */
  readonly strayAllocations?: readonly StrayAllocation[] | undefined
  readonly looseConsumers?: readonly ConsumerWithoutClaim[] | undefined
}

/** A mutable copy. Values are frozen, so the original does not change. */
export interface LedgerDraft extends Ledger {
  readonly hosts: Map<HostId, Host>
  readonly instances: Map<InstanceId, Instance>
  readonly migrations: Map<MigrationId, Migration>
  readonly groups: Map<GroupId, GroupRow>
  readonly steps: Map<string, StepRecord>
  readonly leftovers: Map<HostId, readonly Leftover[]>
  strayAllocations?: readonly StrayAllocation[] | undefined
  looseConsumers?: readonly ConsumerWithoutClaim[] | undefined
}

export const draftOf = (ledger: Ledger): LedgerDraft => ({
  hosts: new Map(ledger.hosts),
  instances: new Map(ledger.instances),
  migrations: new Map(ledger.migrations),
  groups: new Map(ledger.groups),
  steps: new Map(ledger.steps),
  leftovers: new Map(ledger.leftovers),
  strayAllocations: ledger.strayAllocations,
  looseConsumers: ledger.looseConsumers,
})

/** The records of a snapshot, without its groups: it has nothing about them that a change could name. */
export function ledgerOf(snapshot: Snapshot): Ledger {
  const { hosts, instances, migrations, strayAllocations, looseConsumers } = snapshot
  const leftovers = new Map<HostId, Leftover[]>()
  for (const { host, ...leftover } of snapshot.leftovers ?? hosts.flatMap(leftoversOf))
    leftovers.set(host, [...(leftovers.get(host) ?? []), leftover])
  return {
    ...{ hosts: byId(hosts), instances: byId(instances), migrations: byId(migrations) },
    ...{ groups: new Map(), steps: new Map(), leftovers, strayAllocations, looseConsumers },
  }
}

/** A host alone says which instances have leftovers, not which migration left them. */
const leftoversOf = ({ id: host, leftovers }: Host): ObservedLeftover[] =>
  leftovers.map((instance) => ({ host, instance, migration: null, side: 'source' }))

/** The snapshot with these records in place of its own; what it omitted stays omitted. */
export function snapshotOfLedger(ledger: Ledger, old: Snapshot): Snapshot {
  const leftovers = [...ledger.leftovers].flatMap(([host, all]) => all.map((each) => ({ host, ...each })))
  return {
    ...old,
    hosts: [...ledger.hosts.values()],
    instances: [...ledger.instances.values()],
    migrations: [...ledger.migrations.values()],
    ...(old.leftovers ? { leftovers } : {}),
    ...(ledger.strayAllocations ? { strayAllocations: ledger.strayAllocations } : {}),
    ...(ledger.looseConsumers ? { looseConsumers: ledger.looseConsumers } : {}),
  }
}

/** A consumer's holdings, on any host. */
export const claimsHeld = ({ hosts }: Pick<Ledger, 'hosts'>, consumer: ConsumerId): readonly ConsumerClaim[] =>
  [...hosts.values()].flatMap(({ id: host, holdings }) =>
    holdings.flatMap(({ consumer: holder, claim, consumerKind: kind, instance }) =>
      holder === consumer ? [{ claim, host, kind, instance }] : [],
    ),
  )
