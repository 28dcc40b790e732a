import type { Flavor, GroupPolicy, PciAlias } from '../engine/demand'
import type { Permit } from './contract'
import type { Mutation, Query } from './contract-procedure'

// What is asked and answered of the catalog: flavors, server groups, PCI aliases. A name never changes.

export interface GroupEntry {
  readonly name: string
  readonly policy: GroupPolicy
  /** Of anti-affinity: how many members may share a host. */
  readonly maxPerHost: number
}

/** What the catalog holds, by kind. */
export interface CatalogValues {
  readonly flavor: Flavor
  readonly group: GroupEntry
  readonly alias: PciAlias
}
export type CatalogKind = keyof CatalogValues

export interface CatalogEntry<Value> {
  readonly value: Value
  /** Instances that were built with it or belong to it; of an alias, also flavors that name it. */
  readonly uses: number
}

export interface CatalogView {
  readonly flavors: readonly CatalogEntry<Flavor>[]
  readonly groups: readonly CatalogEntry<GroupEntry>[]
  readonly aliases: readonly CatalogEntry<PciAlias>[]
  readonly permit: Permit
}

/** `before`: the entry as it was read; null makes a new one. `after`: null deletes it. Refused when it changed since. */
interface Change<Value> {
  readonly before: Value | null
  readonly after: Value | null
  readonly reason: string
}

export interface CatalogProcedures {
  readonly 'catalog.list': Query<void, CatalogView>
  /** Instances keep the flavor they were built with. */
  readonly 'catalog.setFlavor': Mutation<Change<Flavor>, { name: string }>
  readonly 'catalog.setGroup': Mutation<Change<GroupEntry>, { name: string }>
  readonly 'catalog.setAlias': Mutation<Change<PciAlias>, { name: string }>
}
