import type { MemoryPolicy } from './memory/policy'
import type { Amount, Provider } from './resources/inventory'
import type { PlacedCell } from './topology/guest'
import type { Cell, Device } from './topology/host'
import type { ClaimId, ConsumerId, HostId, InstanceId } from './words/ids'
import type { UnitKind, UnitName } from './words/units'
import type { MayBeUnreadable } from './words/unreadable'

// A host as one decision sees it: what it is made of, who holds what, and the generations it was read at.

/**
 * A host's status, as operators set it and surveys see it. down: silent, its guests may still run. fenced: confirmed
 * powered off, may return. gone: never returns.
 */
export const HOST_STATUSES = ['up', 'down', 'fenced', 'lost'] as const
export type HostStatus = (typeof HOST_STATUSES)[number]

/** A dead host certainly runs no guest. For a host that is only down this is unknown. */
export const isDead = (status: HostStatus): boolean => status === 'fenced' || status === 'lost'

/** open: takes claims. disabled: by a person, with a reason. quarantined: came back and is not cleaned yet (I11). */
export const HOST_SCHEDULING = ['enabled', 'disabled', 'quarantined'] as const
export type HostScheduling = (typeof HOST_SCHEDULING)[number]

/** Source: libvirt capabilities `<cpu>`; compared when a guest moves live. */
export interface HostCpu {
  readonly arch: string
  readonly vendor: string
  readonly model: string
  readonly features: readonly string[]
}

/** Why a unit is held: by a pinned vCPU, for emulator threads, as an idle sibling (legacy isolate), as a device, or
 * along with the PF or GPU it is cut from. */
export type UnitUse = 'pin' | 'emulator' | 'sibling' | 'device' | 'with-parent'

export interface UnitTaken {
  readonly unit: UnitName
  readonly kind: UnitKind
  readonly use: UnitUse
  /** Which request of the flavor or port the device answers. */
  readonly requestId?: string
}

/** All that one consumer holds on one host: amounts, places and units. */
export interface ClaimBody {
  readonly amounts: readonly Amount[]
  readonly cells: readonly PlacedCell[]
  readonly units: readonly UnitTaken[]
}

export interface Holding {
  readonly claim: ClaimId
  readonly consumer: ConsumerId
  readonly consumerKind: 'instance' | 'migration'
  /** The instance it is for, also when a migration holds it. */
  readonly instance: InstanceId
  readonly body: ClaimBody
}

/** What does not change with claims; shared by all snapshots of a host. */
export interface HostFrame {
  readonly id: HostId
  readonly name: string
  readonly status: HostStatus
  readonly scheduling: HostScheduling
  readonly zone: string | null
  readonly cpu: HostCpu
  readonly layout: 'flat' | 'nested'
  readonly driver: 'simulated' | 'libvirt' | 'openstack'
  readonly memory: MemoryPolicy
}

/** A frozen snapshot. Usage in `providers`, `cells` and `devices` is always the sum of `holdings`. */
export interface Host extends HostFrame, MayBeUnreadable {
  /** Provider tree, root first, then sharing providers. The root's generation guards every claim on the host. */
  readonly providers: readonly Provider[]
  readonly cells: readonly Cell[]
  readonly devices: readonly Device[]
  readonly holdings: readonly Holding[]
  /** Guests whose files or shells a move left here and which are not cleaned yet. */
  readonly remains: readonly InstanceId[]
}

/** A host as import and the demo fleet describe it: its frame and bare parts, nothing held yet. */
export interface HostSpec {
  readonly frame: HostFrame
  readonly providers: readonly Provider[]
  readonly cells: readonly Cell[]
  readonly devices: readonly Device[]
}
