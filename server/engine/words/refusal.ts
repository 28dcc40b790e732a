import type { ConsumerId } from './ids'
import type { UnitName } from './units'

// A refusal is a domain-level no: a value, never an exception. It always has the rule, the location, and, when
// something is short, the need, the free amount, the shortage and the holders.

/** Where on a host the rule failed. Only the applicable fields are set. */
export interface RefusalLocation {
  readonly hostCell?: number
  readonly guestCell?: number
  readonly resourceClass?: string
  readonly provider?: string
  readonly pageKib?: number
  readonly requestId?: string
  readonly unit?: UnitName
  /** Memory in MiB reserved there by huge-page pools. */
  readonly hugeMib?: number
  /** A row that cannot be read, as `table key=value`, and why. */
  readonly record?: string
  readonly column?: string
}

/** Too little of something. `need`, `free` and `shortBy` are in the unit of the kind (CPUs, MiB, pages, devices). */
interface Short<K extends string> {
  readonly kind: K
  readonly where: RefusalLocation
  readonly need: number
  readonly free: number
  readonly shortBy: number
  /** Holders of what is not free, the largest holder there first. */
  readonly heldBy: readonly ConsumerId[]
}

/** A rule that is not about amounts. `need` and `have` are the field's own words, ready to print. */
interface Broken<K extends string> {
  readonly kind: K
  readonly where: RefusalLocation
  readonly need: string
  readonly have: string
  readonly heldBy?: readonly ConsumerId[]
}

export type Refusal =
  // amounts (Placement)
  | Short<'amount'>
  | Broken<'amount-shape'>
  | Broken<'no-inventory'>
  // properties of a host
  | Broken<'trait-missing'>
  | Broken<'trait-forbidden'>
  | Broken<'aggregate-missing'>
  | Broken<'aggregate-forbidden'>
  | Broken<'zone'>
  | Broken<'host-not-up'>
  | Broken<'host-disabled'>
  | Broken<'host-quarantined'>
  | Broken<'host-has-remains'>
  | Broken<'host-is-source'>
  | Broken<'other-hypervisor'>
  | Broken<'unreadable-record'>
  // groups
  | Broken<'affinity'>
  | Broken<'anti-affinity'>
  // NUMA: one guest cell against one host cell, or the cells together
  | Short<'too-few-cells'>
  | Short<'dedicated-cpus'>
  | Short<'shared-cpus'>
  | Short<'sibling-threads'>
  | Short<'whole-cores'>
  | Short<'overcommit-cpus'>
  | Short<'overcommit-memory'>
  | Short<'memory'>
  | Short<'ordinary-memory'>
  | Short<'pages'>
  | Broken<'page-size'>
  | Broken<'thread-policy'>
  | Broken<'emulator-threads'>
  | Broken<'network-affinity'>
  | Broken<'no-joint-fit'>
  | Broken<'search-exhausted'>
  // devices
  | Short<'devices'>
  | Short<'device-affinity'>
  | Broken<'device-off-node'>
  | Short<'vgpus'>
  | Short<'vpmem'>
  // live migration
  | Broken<'cpu-model'>
  | Broken<'page-size-change'>
  | Broken<'device-not-migratable'>
  | Broken<'storage-shared'>
  | Broken<'storage-not-shared'>
  // the migration itself
  | Broken<'already-moving'>
  | Broken<'not-permitted'>
  | Broken<'no-slot'>
  | Broken<'no-host'>
  | Broken<'changed-meanwhile'>
  | Broken<'wrong-state'>
  // request parsing
  | Broken<'unknown'>
  | Broken<'bad-input'>

export type RefusalKind = Refusal['kind']

/** One host's verdict on a demand: what the explain matrix shows and the scheduler ranks. */
export interface HostRefusals {
  readonly host: string
  readonly refusals: readonly Refusal[]
}
