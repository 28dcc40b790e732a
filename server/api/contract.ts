import type { VmState } from '../engine/books'
import type { Flavor, GroupPolicy, Image } from '../engine/demand'
import type { HostAdmission, HostCpu, HostTruth, UnitUse } from '../engine/host'
import type { OrdinaryMemory } from '../engine/memory/host-memory'
import type { MemoryPolicy } from '../engine/memory/policy'
import type { Operation, Side, Step } from '../engine/migration/state'
import type { PowerAction } from '../engine/power/request'
import type { Place, RefusalKind } from '../engine/words/refusal'
import type { UnitKind } from '../engine/words/units'
import type { PowerView } from './power/contract'

// What the console asks and is answered, agreed between the API and the screens. Types only. Everything is plain
// JSON without a transformer: times are ms since the epoch (UTC), byte counts are numbers, sequences are strings.
// `null` always means "nobody knows" or "does not apply", as the field says; it never stands for zero.
// Sentences are the screen's; moves and the list of procedures are in `contract-moves.ts`; the API answers numbers, names and the reason of a `Permit`.

export type Ms = number

/** A thing with the name people know it by. */
export interface Ref {
  readonly id: string
  readonly name: string
}

/** May this be done now, by this person? The screen restates no rule: it shows `why`. */
export type Permit = { readonly ok: true } | { readonly ok: false; readonly why: string }
export type Permits<A extends string> = Readonly<Record<A, Permit>>

export interface PageInput<SortBy extends string> {
  readonly sort?: SortBy
  readonly dir?: 'asc' | 'desc'
  /** Several columns, the first one first; when it is given, `sort` and `dir` say nothing. */
  readonly order?: readonly { readonly by: SortBy; readonly dir: 'asc' | 'desc' }[]
  readonly offset?: number
  /** At most 2000. */
  readonly limit?: number
}
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /** Event sequence the page was read at. */
  readonly seq: string
}

/**
 * The field fits any of the patterns, or with `not` none of them. Case does not matter, `*` stands for any letters, and
 * the field is compared whole; `text` is looked for anywhere in names, and in ids.
 */
export interface ListCondition<Field extends string> {
  readonly key: Field
  readonly any: readonly string[]
  readonly not?: boolean
}

/** Part of a whole, in the unit of the name around it. */
export interface Share {
  readonly used: number
  readonly total: number
}

// ── refusals and errors ────────────────────────────────────────────────────────────────────────────────────────────

export interface HolderRef {
  readonly kind: 'instance' | 'migration'
  readonly id: string
  readonly name: string
}

/** A refusal with names instead of ids. Amounts carry numbers, other rules the field's own words. */
export interface RefusalView {
  readonly kind: RefusalKind
  readonly where: Place
  readonly need: number | string
  readonly free: number | null
  readonly have: string | null
  readonly shortBy: number | null
  readonly unit: 'CPUs' | 'cores' | 'cells' | 'MiB' | 'GiB' | 'pages' | 'devices' | null
  /** At most 5, most first; `heldByMore` counts the rest. */
  readonly heldBy: readonly HolderRef[]
  readonly heldByMore: number
}

/** `error.data.berth` of every failed procedure. */
export interface ErrorView {
  readonly requestId: string
  /** Stable, frozen code of `api/refusal/refusals.ts`, or `internal`. */
  readonly code: string
  /** What failed, in one sentence; `error.message` is the same. */
  readonly what: string
  /** On what: a name, or where in the input. */
  readonly where: string | null
  readonly refusals: readonly RefusalView[]
  readonly notChanged: string | null
  readonly next: string | null
  /** The same call may succeed later without anybody doing anything. */
  readonly transient: boolean
}

// ── session ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type Role = 'viewer' | 'support' | 'operator' | 'admin'

/** Sign-in itself: POST /api/auth/sign-in/email {email, password}; POST /api/auth/sign-out. */
export interface SessionView {
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
  readonly role: Role
  /** True when any host is driven by the simulator. */
  readonly simulated: boolean
  readonly now: Ms
  readonly version: string
  /** Whether an instance may be built and a move started at all by this person. */
  readonly permitted: Permits<'build' | 'move'>
}

// ── claims ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** held: nothing moves. incoming: the side a move is heading to. outgoing: the side that will be given back. */
export type Mark = 'held' | 'incoming' | 'outgoing'

/** Guest topology cell where it came to lie. */
export interface CellPlace {
  readonly guestCell: number
  readonly hostCell: number
  readonly memoryMib: number
  readonly pageKib: number | null
  readonly sharedVcpus: readonly number[]
  readonly pins: readonly (readonly [vcpu: number, cpu: number])[]
  readonly emulatorCpus: readonly number[]
}

export interface HeldUnit {
  readonly unit: string
  readonly kind: UnitKind
  readonly use: UnitUse
  readonly requestId: string | null
  readonly cell: number | null
  /** `VF 8086:154c physnet1`, `nvidia-35`, `6 GiB`. */
  readonly label: string
}

export interface HeldAmount {
  readonly provider: string
  readonly resourceClass: string
  readonly amount: number
}

/** Numbers that sum a claim up, for rows and consequences. */
export interface Held {
  readonly vcpus: number
  readonly pinnedCpus: number
  readonly memoryMib: number
  readonly diskGib: number
  readonly devices: number
}

export interface ClaimView {
  readonly id: string
  readonly mark: Mark
  readonly holder: HolderRef
  readonly instance: Ref
  readonly host: Ref
  readonly migration: MoveRef | null
  readonly since: Ms | null
  readonly held: Held
  readonly amounts: readonly HeldAmount[]
  readonly cells: readonly CellPlace[]
  readonly units: readonly HeldUnit[]
}

export interface MoveRef {
  readonly id: string
  readonly operation: Operation
  readonly step: Step
  readonly heading: Side
}

/** Old → new, item by item (N11). null: that side has none. */
export interface Change<T> {
  readonly key: string
  readonly old: T | null
  readonly new: T | null
}
export interface MappingView {
  readonly amounts: readonly Change<number>[]
  /** key: guest cell. */
  readonly cells: readonly Change<{ hostCell: number; memoryMib: number; pageKib: number | null }>[]
  /** key: guest vCPU, or `emulator 0`. Values are host CPU ids. */
  readonly cpus: readonly Change<number>[]
  /** key: what was asked (alias, vGPU type, pmem label). */
  readonly devices: readonly Change<{ unit: string; label: string; cell: number | null }>[]
}

// ── hosts ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export type HostAction = 'up' | 'down' | 'fenced' | 'gone' | 'enable' | 'disable'
export type HostSort = 'name' | 'truth' | 'admission' | 'zone' | 'pcpu' | 'vcpu' | 'memory' | 'instances' | 'moves'

export type HostField =
  | 'text'
  | 'host'
  | 'truth'
  | 'admission'
  | 'state'
  | 'zone'
  | 'layout'
  | 'driver'
  | 'moving'
  | 'remains'

export interface HostListInput extends PageInput<HostSort> {
  readonly where?: readonly ListCondition<HostField>[]
  /** Part of the name, or a whole id. */
  readonly q?: string
  readonly truth?: readonly HostTruth[]
  readonly admission?: readonly HostAdmission[]
  readonly zone?: readonly string[]
}

/**
 * silent: it did not answer the last survey, so a migration there would wait for it. never-answered: nothing but an
 * import says that it is up.
 */
export type HostContact = 'answering' | 'silent' | 'never-answered'

export interface HostRow extends Ref {
  readonly zone: string | null
  readonly truth: HostTruth
  /** Of a host that is recorded up; null of any other, and of the past, of which nobody kept it. */
  readonly contact: HostContact | null
  readonly admission: HostAdmission
  readonly reason: string | null
  readonly layout: 'flat' | 'nested'
  readonly driver: 'simulated' | 'libvirt' | 'openstack'
  readonly cells: number
  /** Dedicated CPUs pinned of all dedicated CPUs. */
  readonly pinned: Share
  /** Shared vCPUs placed of what the ratio allows. */
  readonly vcpu: Share
  readonly memoryMib: Share
  readonly diskGib: Share
  readonly devices: Share
  readonly instances: number
  readonly movesIn: number
  readonly movesOut: number
  /** Guests whose remains are not cleaned yet. */
  readonly remains: number
  /** Last answer of its hypervisor; null when it never answered. */
  readonly lastSeenAt: Ms | null
  readonly permitted: Permits<HostAction>
}

export interface ProviderView {
  readonly id: string
  readonly name: string
  readonly parent: string | null
  readonly generation: number
  readonly cell: number | null
  readonly sharing: boolean
  readonly traits: readonly string[]
  readonly aggregates: readonly string[]
  readonly inventories: readonly {
    readonly resourceClass: string
    readonly total: number
    readonly reserved: number
    readonly used: number
    readonly capacity: number
    readonly allocationRatioMilli: number
  }[]
}

/** How a host accounts for memory, and its ordinary memory in MiB; null where nothing is known of its NUMA nodes. */
export interface HostMemoryView {
  readonly policy: MemoryPolicy
  readonly ordinary: OrdinaryMemory | null
}

export interface HostDetail extends HostRow {
  readonly memory: HostMemoryView
  readonly cpu: HostCpu
  readonly providers: readonly ProviderView[]
  readonly remainsOf: readonly Ref[]
  /** null unless the host is driven by the simulator. */
  readonly simulator: SimulatorHost | null
}

/** What a stated truth or admission would set going. */
export interface HostConsequences {
  readonly action: HostAction
  readonly permit: Permit
  readonly instances: number
  readonly movesThatGoOn: readonly MoveRef[]
  readonly movesTouched: number
  readonly needsTypedName: boolean
  readonly needsReason: boolean
}

// ── simulator ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type Verb =
  | 'prepare'
  | 'transfer'
  | 'stopTransfer'
  | 'forceTransfer'
  | 'locate'
  | 'runAt'
  | 'clean'
  | 'build'
  | 'destroy'
  | 'power'
export type SimulatorFault =
  | { readonly do: 'go-silent' | 'return' | 'fence' | 'kill' | 'power-cycle' | 'clear-faults'; readonly host: string }
  | {
      readonly do: 'next-verb'
      readonly host: string
      readonly verb: Verb
      readonly then: 'fail' | 'lose-answer' | 'half'
    }
  | { readonly do: 'bandwidth'; readonly host: string; readonly bytesPerS: number }
  | {
      readonly do: 'take-device' | 'put-device-back' | 'detach-device'
      readonly host: string
      /** As on the map: `pci:0000:3b:02.1`. */
      readonly unit: string
    }
  /** It stays attached to the guest that has it, also when that guest has left. */
  | { readonly do: 'keep-attached'; readonly host: string; readonly unit: string }
  | { readonly do: 'crash' | 'shut-down' | 'ignore-button' | 'heed-button'; readonly instance: string }
  | { readonly do: 'dirty-rate'; readonly instance: string; readonly bytesPerS: number }
export interface SimulatorHost {
  /** booting: its power is back and it does not answer yet. */
  readonly power: 'running' | 'silent' | 'booting' | 'fenced' | 'killed'
  readonly bandwidthBytesPerS: number
  readonly planned: readonly { readonly verb: Verb; readonly then: string }[]
  /** Devices that were taken away. */
  readonly missing: readonly string[]
  /** Devices that are not let go, with the guest's id. */
  readonly keptAttached: readonly { readonly unit: string; readonly instance: string }[]
}

// ── instances ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type InstanceAction = Operation | PowerAction | 'delete'
export type InstanceSort = 'name' | 'vmState' | 'power' | 'host' | 'flavor' | 'vcpus' | 'memory' | 'project'

export type InstanceField =
  | 'text'
  | 'name'
  | 'state'
  | 'host'
  | 'zone'
  | 'flavor'
  | 'image'
  | 'project'
  | 'group'
  | 'moving'
  | 'power'

export interface InstanceListInput extends PageInput<InstanceSort> {
  readonly where?: readonly ListCondition<InstanceField>[]
  readonly q?: string
  readonly vmState?: readonly VmState[]
  readonly host?: string
  readonly zone?: readonly string[]
  readonly moving?: boolean
}
export interface InstanceRow extends Ref {
  readonly project: string
  readonly vmState: VmState
  readonly power: PowerView | null
  readonly host: Ref | null
  readonly zone: string | null
  readonly flavor: { readonly name: string; vcpus: number; memoryMib: number; diskGib: number }
  readonly image: string
  readonly group: Ref | null
  readonly held: Held
  /** Host cells it lies on; empty when it has no NUMA topology. */
  readonly cells: readonly number[]
  readonly migration: MoveRef | null
  readonly permitted: Permits<InstanceAction>
}
export interface InstanceDetail extends InstanceRow {
  readonly flavorFull: Flavor
  readonly imageFull: Image
  readonly groupPolicy: GroupPolicy | null
  readonly generation: number
  /** All that is held for it, on every host: one entry, or two while it moves. */
  readonly claims: readonly ClaimView[]
  /** Simulated guests only. */
  readonly dirtyBytesPerS: number | null
}
export interface BuildInput {
  readonly name: string
  readonly project: string
  readonly flavor: string
  readonly image: string
  readonly host?: string
  readonly zone?: string
  readonly group?: string
}
