import type { FindingKind } from '../engine/audit/finding'
import type { Flavor } from '../engine/demand'
import type { FunnelStep } from '../engine/funnel'
import type { UnitUse } from '../engine/host'
import type { Operation } from '../engine/migration/state'
import type { RefusalKind } from '../engine/words/refusal'
import type { UnitKind } from '../engine/words/units'
import type {
  Held,
  HolderRef,
  HostListInput,
  HostRow,
  ListCondition,
  Ms,
  Page,
  PageInput,
  Permit,
  Ref,
} from './contract'
import type { HostMapView } from './contract-map'
import type { MigrationRow, PlanView, RuleInShort, VerdictInShort } from './contract-moves'
import type { Query } from './contract-procedure'
import type { DeviceDriftRow } from './contract-truth'

// What the pages ask that look into the books without changing them: why a thing does not fit, who holds what of whom,
// what is left, and how it was. Same rules as `contract.ts`.

// ── why, asked with any shape ──────────────────────────────────────────────────────────────────────────────────────

/** A shape typed by hand, read as a flavor of that name would be. */
export type ShapeInput = Omit<Flavor, 'name'>

/** `flavor` or `shape`; for a move neither means the shape it has. Without an image it has no properties. */
export interface WhyInput {
  readonly flavor?: string
  readonly shape?: ShapeInput
  readonly image?: string
  readonly zone?: string
  readonly group?: string
  /** Set for a move of that instance; otherwise it is a build. */
  readonly instance?: string
  readonly operation?: Operation
}

export type ShapeAxis = 'size' | 'vcpus' | 'memory' | 'devices'

/** The most of one thing that still fits somewhere, the rest of the shape as asked. */
export interface LargestView {
  readonly axis: ShapeAxis
  /** Null when not even the least of it fits anywhere: then it is not the amount that keeps it away. */
  readonly shape: { readonly vcpus: number; readonly memoryMib: number; readonly devices: number } | null
  /** Null when no host takes it, or for who may not see which. */
  readonly host: Ref | null
  /** False when the search ended before all larger ones were tried: then a larger one may fit as well. */
  readonly exact: boolean
}

export type FixStep =
  | { readonly do: 'enable' | 'state-up' | 'clean' }
  | { readonly do: 'add-aggregate' | 'remove-aggregate' | 'add-trait' | 'remove-trait'; readonly name: string }
  | { readonly do: 'move-away'; readonly instance: Ref; readonly held: Held }
  | { readonly do: 'end-move'; readonly migration: string; readonly instance: Ref; readonly held: Held }

/**
 * The least change of the host after which the very decision that refuses would take it. none: even the host without
 * any guest would refuse.
 */
export type FixView =
  | { readonly is: 'found'; readonly steps: readonly FixStep[] }
  | { readonly is: 'none'; readonly because: RefusalKind }

/** The matrix tells rules, not places. */
export type WhyReason = Omit<RuleInShort, 'where'>

export interface WhyHost extends Omit<VerdictInShort, 'reasons'> {
  readonly reasons: readonly WhyReason[]
}

export interface WhyView {
  readonly permit: Permit
  readonly demand: Held
  /** What was asked, spelled out: the flavor of that name, or the shape as typed. */
  readonly shape: Flavor
  readonly counts: { readonly hosts: number; readonly ok: number; readonly warning: number; readonly refused: number }
  readonly funnel: readonly FunnelStep[]
  /** What `why.nearest` will search along. */
  readonly axes: readonly ShapeAxis[]
  /** As `ExplainView.hosts`; null for who may not see which hosts. */
  readonly hosts: readonly WhyHost[] | null
  readonly tookMs: number
  readonly at: Ms
  readonly seq: string
}

/** What comes nearest to the question: the shapes that do fit, and what would make the hosts take this one. */
export interface WhyNearestView {
  readonly largest: readonly LargestView[]
  /**
   * By host, of the sixty that come first among those that refuse; for another ask for that host. Null for who may not
   * see which hosts.
   */
  readonly fixes: { readonly [host: string]: FixView } | null
}

/** Trees that clients of the Placement API keep, and how often the shape fits there, by amounts alone. */
export interface WhyTreesView {
  /** All such trees, and those that take at least one. */
  readonly counts: { readonly trees: number; readonly taking: number }
  /** Those that take most first, at most fifty. */
  readonly trees: readonly WhyTree[]
  /** The shape also asks for places or devices, of which nothing is known here. */
  readonly needsPlaces: boolean
}
export interface WhyTree extends Ref {
  readonly more: number
  /** The class that ends first. */
  readonly limit: string | null
}

export interface WhyHostView extends PlanView {
  readonly fix: FixView | null
}

// ── the ledger ─────────────────────────────────────────────────────────────────────────────────────────────────────

export type LedgerSort = 'consumer' | 'provider' | 'host' | 'project' | 'since'
/** `marks` are kinds of findings about the row, and `no-claim`; `wrote` who wrote it, `request` under which request. */
export type LedgerField =
  | 'text'
  | 'consumer'
  | 'kind'
  | 'provider'
  | 'host'
  | 'project'
  | 'class'
  | 'marks'
  | 'wrote'
  | 'request'
export interface LedgerInput extends PageInput<LedgerSort> {
  readonly where?: readonly ListCondition<LedgerField>[]
  /** Part of a name of consumer, provider or host; or a whole id of one. */
  readonly q?: string
  readonly host?: string
  readonly instance?: string
  readonly provider?: string
  readonly resourceClass?: string
  /** Only rows the audit has a finding about, or that no claim stands behind. */
  readonly odd?: boolean
  /** As it was at that moment. */
  readonly at?: Ms
}

/** What one consumer holds of one provider. */
export interface LedgerRow {
  /** Of consumer and provider together. */
  readonly id: string
  readonly consumer: {
    readonly kind: 'instance' | 'migration' | 'other'
    readonly id: string
    /** Of the instance, also when its migration holds; of anybody else the start of its id. */
    readonly name: string
    readonly project: string
    readonly generation: number | null
    /** As clients of the Placement API say it, such as `INSTANCE`; null when nobody said. */
    readonly type: string | null
  }
  readonly provider: {
    readonly id: string
    readonly name: string
    readonly generation: number | null
    /** Of its tree; null when it is gone. */
    readonly root: string | null
  }
  readonly host: Ref | null
  readonly amounts: readonly { readonly resourceClass: string; readonly amount: number }[]
  /** Null when no claim stands behind it. */
  readonly claim: string | null
  readonly since: Ms
  /** What wrote it; null when the event is forgotten, or when it was written behind Berth's back. */
  readonly wrote: {
    readonly seq: string
    readonly kind: string
    readonly who: string
    readonly request: string | null
    readonly reason: string | null
  } | null
  readonly findings: readonly { readonly id: string; readonly kind: FindingKind }[]
}

// ── devices ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type DeviceState = 'free' | 'held' | 'blocked' | 'gone'
export type DeviceSort = 'host' | 'label' | 'unit' | 'state' | 'holder' | 'card'
/** `card` of a card is the card itself; `unit` with or without its kind. */
export type DeviceField = 'text' | 'unit' | 'kind' | 'label' | 'role' | 'card' | 'host' | 'state' | 'holder'
export interface DeviceListInput extends PageInput<DeviceSort> {
  readonly where?: readonly ListCondition<DeviceField>[]
  /** Part of its name, label, card, host or holder. */
  readonly q?: string
  readonly kind?: readonly Exclude<UnitKind, 'cpu'>[]
  readonly state?: readonly DeviceState[]
  readonly label?: string
  readonly host?: string
}
export interface DeviceRow {
  /** Of host and unit together. */
  readonly id: string
  readonly host: Ref
  readonly unit: string
  readonly kind: Exclude<UnitKind, 'cpu'>
  readonly role: 'pf' | 'vf' | 'card' | 'gpu' | 'vgpu' | 'region' | 'namespace'
  /** `VF 8086:154c physnet1`, `nvidia-35`, `6 GiB`. */
  readonly label: string
  /** The unit it is cut from. */
  readonly card: string | null
  readonly cell: number | null
  readonly state: DeviceState
  readonly holder: HolderRef | null
  readonly use: UnitUse | null
}
/** All devices of one kind and label: what the list starts from. */
export interface DeviceKindRow {
  readonly kind: Exclude<UnitKind, 'cpu'>
  readonly label: string
  readonly cards: number
  readonly hosts: number
  readonly total: number
  readonly held: number
  readonly free: number
  readonly blocked: number
  readonly gone: number
}
/** One time that somebody held it. */
export interface UnitSpan {
  readonly holder: HolderRef
  readonly use: UnitUse
  readonly from: Ms
  readonly to: Ms | null
  /** The move that took it; null: it was built with it, or nobody knows any more. */
  readonly cameBy: { readonly id: string; readonly operation: Operation } | null
  /** The move that gave it back. */
  readonly wentBy: { readonly id: string; readonly operation: Operation } | null
}
export interface DeviceDetail {
  /** Null for a CPU. */
  readonly device: DeviceRow | null
  readonly host: Ref
  readonly unit: string
  /** Its card and all that is cut from the same one, itself among them; empty for a CPU. */
  readonly family: readonly DeviceRow[]
  /** The newest first. */
  readonly history: readonly UnitSpan[]
  /** What the books and its host say of it; null for a CPU. */
  readonly drift: DeviceDriftRow | null
  /** From when on the history is known. */
  readonly knownSince: Ms
}

// ── capacity ───────────────────────────────────────────────────────────────────────────────────────────────────────

export interface CapacityRow {
  readonly resourceClass: string
  /** Of MEMORY_MB the part in such pages, of hosts whose NUMA nodes are known; the row without it is the whole class. */
  readonly pages?: 'ordinary' | 'huge'
  readonly total: number
  readonly reserved: number
  /** What may be held in all: (total − reserved) × ratio. */
  readonly capacity: number
  readonly held: number
  /** Of `held`, what migrations hold beside their instances. */
  readonly heldTwice: number
  readonly free: number
  /** Of `free`, what is on hosts that take nothing now. */
  readonly closed: number
}
export interface FlavorRoom {
  readonly flavor: string
  readonly vcpus: number
  readonly memoryMib: number
  /** How many more of it fit, zone by zone, each placed after the ones before; null for what contradicts itself. */
  readonly zones: readonly { readonly zone: string | null; readonly more: number; readonly exact: boolean }[]
  readonly more: number
  /** False when counting ended at its bound: then it is at least so many. */
  readonly exact: boolean
}
export interface CapacityView {
  readonly classes: readonly CapacityRow[]
  /** Of provider trees that clients of the Placement API keep; nothing of them is in `classes`. */
  readonly trees: readonly CapacityRow[]
  readonly seq: string
}
export interface FlavorsView {
  readonly flavors: readonly FlavorRoom[]
  readonly tookMs: number
  readonly seq: string
}
export interface RoomInput {
  readonly flavor?: string
  /** In place of a flavor of the list. */
  readonly shape?: ShapeInput
}
/** How many more of one shape fit on each host; hosts that take none are left out. */
export interface RoomView {
  /** Null for a typed shape. */
  readonly flavor: string | null
  /** The largest of the same proportions. */
  readonly largest: LargestView
  readonly hosts: readonly { readonly id: string; readonly more: number; readonly exact: boolean }[]
  readonly seq: string
}

/** Guests as they are usually asked for, 2 GiB to a vCPU: by what their CPUs and memory are. */
export type UsualShape = 'shared' | 'pinned' | 'pinned-large-pages'
export interface LargestRow {
  readonly kind: UsualShape
  readonly largest: LargestView
  /** Extra specs of the kind, to ask further. */
  readonly extraSpecs: Readonly<Record<string, string>>
  /** CPUs of that kind which are free on all hosts that take claims: what the largest one is a part of. */
  readonly freeCpus: number
}

// ── how it was ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** A moment at which something became true on a host; of several things at once the last one, and how many. */
export interface PastMoment {
  readonly events: number
  readonly seq: string
  readonly at: Ms
  readonly kind: string
  readonly instance: Ref | null
  readonly migration: string | null
  readonly who: string
}
export interface PastRange {
  /** Before this nobody kept anything. */
  readonly from: Ms
  readonly to: Ms
}
export type PastMove = Pick<
  MigrationRow,
  'id' | 'instance' | 'operation' | 'source' | 'target' | 'step' | 'heading' | 'startedAt' | 'stepSince'
>

export interface LookProcedures {
  readonly 'ledger.list': Query<LedgerInput, Page<LedgerRow>>
  readonly 'device.kinds': Query<void, readonly DeviceKindRow[]>
  readonly 'device.list': Query<DeviceListInput, Page<DeviceRow>>
  readonly 'device.byUnit': Query<{ readonly host: string; readonly unit: string }, DeviceDetail>
  readonly 'capacity.get': Query<void, CapacityView>
  readonly 'capacity.flavors': Query<void, FlavorsView>
  readonly 'capacity.room': Query<RoomInput, RoomView>
  readonly 'capacity.largest': Query<void, readonly LargestRow[]>
  readonly 'past.range': Query<void, PastRange>
  readonly 'past.moments': Query<{ readonly host: string }, readonly PastMoment[]>
  readonly 'past.hosts': Query<HostListInput & { readonly at: Ms }, Page<HostRow>>
  readonly 'past.map': Query<{ readonly id: string; readonly at: Ms }, HostMapView>
  readonly 'past.migrations': Query<{ readonly at: Ms }, readonly PastMove[]>
  readonly 'why.ask': Query<WhyInput, WhyView>
  readonly 'why.nearest': Query<WhyInput, WhyNearestView>
  readonly 'why.trees': Query<WhyInput, WhyTreesView>
  readonly 'why.host': Query<WhyInput & { readonly host: string }, WhyHostView>
}
