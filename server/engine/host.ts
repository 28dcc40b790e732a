import type { MemoryPolicy } from './memory/policy'
import type { Amount, Provider } from './resources/inventory'
import type { PlacedNode } from './topology/guest-topology'
import type { Device, NumaNode } from './topology/host'
import type { DriverKind } from './words/driver-kinds'
import type { ClaimId, ConsumerId, HostId, InstanceId } from './words/ids'
import type { UnitKind, UnitName } from './words/units'
import type { MayBeUnreadable } from './words/unreadable'

// A host as one decision sees it: its parts, its holdings, and the generations it was read at.

/**
 * Status of a host, as set by operators and observed by surveys. down: no answer, its instances may still run. fenced:
 * confirmed powered off, may return. lost: never returns.
 */
export const HOST_STATUSES = ['up', 'down', 'fenced', 'lost'] as const
export type HostStatus = (typeof HOST_STATUSES)[number]

/** True when the host certainly runs no instance. For a host that is only down, that is unknown. */
export const isDead = (status: HostStatus): boolean => status === 'fenced' || status === 'lost'

/** enabled: takes claims. disabled: by an operator, with a reason. quarantined: returned, not cleaned up yet (I11). */
export const HOST_SCHEDULING = ['enabled', 'disabled', 'quarantined'] as const
export type HostScheduling = (typeof HOST_SCHEDULING)[number]

/** Source: libvirt capabilities `<cpu>`; compared for live migrations. */
export interface HostCpu {
  readonly arch: string
  readonly vendor: string
  readonly model: string
  readonly features: readonly string[]
}

/** Why a unit is held: by a pinned vCPU, for emulator threads, as an idle sibling (legacy isolate), as a device, or
 * along with the PF or GPU it is cut from. */
export type UnitUse = 'pin' | 'emulator' | 'sibling' | 'device' | 'with-parent'

export interface ClaimedUnit {
  readonly unit: UnitName
  readonly kind: UnitKind
  readonly use: UnitUse
  /** The request of the flavor or port that the device satisfies. */
  readonly requestId?: string
}

/** All that one consumer holds on one host: amounts, NUMA nodes and units. */
export interface ClaimBody {
  readonly amounts: readonly Amount[]
  readonly cells: readonly PlacedNode[]
  readonly units: readonly ClaimedUnit[]
}

export interface Holding {
  readonly claim: ClaimId
  readonly consumer: ConsumerId
  readonly consumerKind: 'instance' | 'migration'
  /** The instance it is for, even when a migration holds it. */
  readonly instance: InstanceId
  readonly body: ClaimBody
}

/** The parts that claims do not change; shared by all snapshots of a host. */
export interface HostFrame {
  readonly id: HostId
  readonly name: string
  readonly status: HostStatus
  readonly scheduling: HostScheduling
  readonly zone: string | null
  readonly cpu: HostCpu
  readonly layout: 'flat' | 'nested'
  readonly driver: DriverKind
  readonly memory: MemoryPolicy
}

/** A frozen snapshot. Usage in `providers`, `numaNodes` and `devices` is always the sum of `holdings`. */
export interface Host extends HostFrame, MayBeUnreadable {
  /** Provider tree, root first, then sharing providers. The root's generation guards every claim on the host. */
  readonly providers: readonly Provider[]
  readonly numaNodes: readonly NumaNode[]
  readonly devices: readonly Device[]
  readonly holdings: readonly Holding[]
  /** Instances with leftovers of a migration here that are not cleaned up yet. */
  readonly leftovers: readonly InstanceId[]
}

/** A host as import and the demo fleet describe it: its frame and bare parts, without holdings. */
export interface HostSpec {
  readonly frame: HostFrame
  readonly providers: readonly Provider[]
  readonly numaNodes: readonly NumaNode[]
  readonly devices: readonly Device[]
}
