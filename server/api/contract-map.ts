import type { UnitUse } from '../engine/host'
import type { UnitKind } from '../engine/words/units'
import type { HolderRef, Mark, MoveRef, Ref } from './contract'

// The map of a host: its cells, cores, pages and devices with who holds them. Part of the contract; same rules.

export interface MapHolder {
  readonly claim: string
  readonly holder: HolderRef
  readonly instance: Ref
  readonly migration: MoveRef | null
  readonly mark: Mark
}
/** `holder` is an index into `HostMapView.holders`. */
export interface MapAmount {
  readonly holder: number
  readonly amount: number
}
export interface MapCpu {
  readonly id: number
  /** reserved: in no pool, kept for the host itself. */
  readonly pool: 'dedicated' | 'shared' | 'reserved'
  /** Dedicated CPUs only. More than one entry is a double booking. */
  readonly holders: readonly { readonly holder: number; readonly use: UnitUse; readonly vcpu: number | null }[]
}
export interface MapDevice {
  readonly unit: string
  readonly kind: Exclude<UnitKind, 'cpu'>
  readonly role: 'pf' | 'vf' | 'card' | 'gpu' | 'vgpu' | 'region' | 'namespace'
  readonly name: string
  readonly label: string
  /** blocked: its parent, a child or a sibling type is held. group: a card that is no unit itself. */
  readonly state: 'free' | 'held' | 'blocked' | 'gone' | 'group'
  readonly holders: readonly { readonly holder: number; readonly use: UnitUse }[]
  readonly children: readonly MapDevice[]
}
export interface MapCell {
  readonly id: number
  readonly socket: number | null
  readonly memoryMib: number
  readonly memoryUsedMib: number
  /** What huge-page pools leave for ordinary pages, and what of it is held. */
  readonly ordinaryMib: number
  readonly ordinaryUsedMib: number
  readonly memoryBy: readonly MapAmount[]
  /** One entry per core, its sibling threads inside, ascending by first thread. */
  readonly cores: readonly { readonly threads: readonly MapCpu[] }[]
  readonly sharedUsed: number
  readonly sharedBy: readonly MapAmount[]
  readonly pages: readonly {
    readonly sizeKib: number
    readonly total: number
    readonly used: number
    readonly reserved: number
    readonly by: readonly MapAmount[]
  }[]
  readonly devices: readonly MapDevice[]
  readonly distances: readonly number[] | null
  readonly physnets: readonly string[]
}
export interface HostMapView {
  readonly host: Ref
  readonly seq: string
  readonly holders: readonly MapHolder[]
  readonly cells: readonly MapCell[]
  /** Devices whose cell the hypervisor does not say. */
  readonly devices: readonly MapDevice[]
}
