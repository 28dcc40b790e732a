import type { ConsumerId } from './ids'
import type { UnitName } from './units'

// A refusal is a value, never an exception. It always has the rule, the location, and, when something is short, the
// need, the free amount, the shortage and the holders.

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
interface RuleRefusal<K extends string> {
  readonly kind: K
  readonly where: RefusalLocation
  readonly need: string
  readonly have: string
  readonly heldBy?: readonly ConsumerId[]
}

export type Refusal =
  // amounts (Placement)
  | Short<'amount'>
  | RuleRefusal<'amount-shape'>
  | RuleRefusal<'no-inventory'>
  // properties of a host
  | RuleRefusal<'trait-missing'>
  | RuleRefusal<'trait-forbidden'>
  | RuleRefusal<'aggregate-missing'>
  | RuleRefusal<'aggregate-forbidden'>
  | RuleRefusal<'zone'>
  | RuleRefusal<'host-not-up'>
  | RuleRefusal<'host-not-fenced'>
  | RuleRefusal<'host-disabled'>
  | RuleRefusal<'host-quarantined'>
  | RuleRefusal<'host-has-remains'>
  | RuleRefusal<'host-is-source'>
  | RuleRefusal<'other-hypervisor'>
  | RuleRefusal<'unreadable-record'>
  // groups
  | RuleRefusal<'affinity'>
  | RuleRefusal<'anti-affinity'>
  // NUMA: one guest NUMA node against one host NUMA node, or the nodes together
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
  | RuleRefusal<'page-size'>
  | RuleRefusal<'thread-policy'>
  | RuleRefusal<'emulator-threads'>
  | RuleRefusal<'network-affinity'>
  | RuleRefusal<'no-joint-fit'>
  | RuleRefusal<'search-exhausted'>
  // devices
  | Short<'devices'>
  | Short<'device-affinity'>
  | RuleRefusal<'device-off-node'>
  | Short<'vgpus'>
  | Short<'vpmem'>
  // live migration
  | RuleRefusal<'cpu-model'>
  | RuleRefusal<'page-size-change'>
  | RuleRefusal<'device-not-migratable'>
  | RuleRefusal<'storage-shared'>
  | RuleRefusal<'storage-not-shared'>
  // the migration itself
  | RuleRefusal<'already-moving'>
  | RuleRefusal<'not-permitted'>
  | RuleRefusal<'no-slot'>
  | RuleRefusal<'no-host'>
  | RuleRefusal<'changed-meanwhile'>
  | RuleRefusal<'wrong-state'>
  // request parsing
  | RuleRefusal<'unknown'>
  | RuleRefusal<'bad-input'>

export type RefusalKind = Refusal['kind']

/** One host's verdict on a demand: what the explain matrix shows and the scheduler ranks. */
export interface HostRefusals {
  readonly host: string
  readonly refusals: readonly Refusal[]
}
