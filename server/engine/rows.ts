import type { VmState } from './change'
import type { Flavor } from './demand'
import type { UnitUse } from './host'
import type { Marker } from './layout/marker'
import type { Rollout } from './layout/rollout'
import type { Migration } from './migration/state'
import type { Inventory } from './resources/inventory'
import type { PlacedNode } from './topology/guest-topology'
import type { Device } from './topology/host'
import type { ClaimId, ConsumerId, HostId, InstanceId, MigrationId, ProviderId } from './words/ids'
import type { UnitName } from './words/units'
import type { RawColumns } from './words/unreadable'

// Rows for an operator's review. Repairs and layout conversions list, row by row, the present and the new value. A line
// applies only while its row equals `before`, so exactly the displayed change is made or none; a reversed line undoes
// it.

/** Key and value of every row that a line may name. Values have every column that a repair or conversion may change. */
export interface RowShapes {
  readonly consumer: { readonly key: { readonly id: ConsumerId }; readonly value: { readonly type: string } }
  readonly claim: {
    readonly key: { readonly id: ClaimId }
    readonly value: {
      readonly consumer: ConsumerId
      readonly consumerKind: 'instance' | 'migration'
      readonly instance: InstanceId
      readonly host: HostId
    }
  }
  readonly allocation: {
    readonly key: { readonly consumer: ConsumerId; readonly provider: ProviderId; readonly resourceClass: string }
    readonly value: { readonly amount: number }
  }
  readonly 'claim-cell': {
    readonly key: { readonly claim: ClaimId; readonly guestCell: number }
    readonly value: Omit<PlacedNode, 'guestCell'>
  }
  /** The holder of a unit; a free unit has no such row. */
  readonly 'unit-holding': {
    readonly key: { readonly host: HostId; readonly unit: UnitName }
    readonly value: { readonly claim: ClaimId; readonly use: UnitUse; readonly requestId: string | null }
  }
  readonly instance: {
    readonly key: { readonly id: InstanceId }
    readonly value: { readonly host: HostId | null; readonly vmState: VmState; readonly flavor: Flavor }
  }
  /** State of a migration; a repair only ever ends one. `home` is the side on which its instance is then. */
  readonly migration: {
    readonly key: { readonly id: MigrationId }
    readonly value: Pick<Migration, 'step' | 'home' | 'outcome' | 'cause' | 'waiting'>
  }
  readonly remain: {
    readonly key: { readonly host: HostId; readonly instance: InstanceId; readonly migration: MigrationId | null }
    readonly value: { readonly side: 'source' | 'target' }
  }
  readonly host: {
    readonly key: { readonly id: HostId }
    readonly value: { readonly layout: 'flat' | 'nested' }
  }
  readonly provider: {
    readonly key: { readonly id: ProviderId }
    readonly value: {
      readonly name: string
      readonly parent: ProviderId | null
      readonly root: ProviderId
      readonly cell: number | null
    }
  }
  readonly inventory: {
    readonly key: { readonly provider: ProviderId; readonly resourceClass: string }
    readonly value: Omit<Inventory, 'resourceClass' | 'used'>
  }
  readonly 'provider-trait': {
    readonly key: { readonly provider: ProviderId; readonly trait: string }
    readonly value: Readonly<Record<never, never>>
  }
  /** Which provider carries a unit (its id, as `Device.provider` is), and whether the host still reports it. */
  readonly unit: {
    readonly key: { readonly host: HostId; readonly unit: UnitName }
    readonly value: {
      readonly provider: string | null
      readonly state: 'present' | 'gone'
      /** Only for a row that is created. */
      readonly made?: NewUnit
    }
  }
  /** Columns of an unreadable row, as the database prints them. A repair makes them readable or deletes the row. */
  readonly record: {
    readonly key: { readonly table: string; readonly id: RawColumns }
    readonly value: RawColumns
  }
  readonly 'layout-marker': {
    readonly key: { readonly host: HostId }
    readonly value: Omit<Marker, 'host'>
  }
  /** Progress of a rollout; only its first line has `made`. */
  readonly 'layout-wave': {
    readonly key: { readonly id: string }
    readonly value: Omit<Rollout, 'id' | keyof NewRollout> & { readonly made?: NewRollout }
  }
}
export type NewUnit = Pick<Device, 'kind' | 'cell' | 'parent' | 'resourceClass' | 'pci' | 'mdevType' | 'sizeMib'>
type NewRollout = Pick<Rollout, 'hosts' | 'by' | 'reason' | 'at'>
export type RowKind = keyof RowShapes

/** One row before and after. `before` null: it is created. `after` null: it is deleted. */
export type Line = {
  readonly [K in RowKind]: {
    readonly row: K
    readonly key: RowShapes[K]['key']
    readonly before: RowShapes[K]['value'] | null
    readonly after: RowShapes[K]['value'] | null
    /** Host whose records the row belongs to: its root generation is raised. Null for rows without a host. */
    readonly host: HostId | null
    /** Why this line, in one sentence for the reviewer. */
    readonly why: string
  }
}[RowKind]

// A row may be created only after what it references, and deleted only after what references it.
const ORDER: readonly RowKind[] = [
  'record',
  'provider',
  'provider-trait',
  'inventory',
  'host',
  'unit',
  'instance',
  'consumer',
  'claim',
  'allocation',
  'claim-cell',
  'unit-holding',
  'migration',
  'remain',
  'layout-marker',
  'layout-wave',
]
const place = ({ row }: Line) => ORDER.indexOf(row)

/**
 * In an order that the tables accept: deletions of referencing rows first, then changes, then creations of referenced
 * rows first. A unit that passes to another claim is deleted and created, because either claim may be deleted or
 * created as well.
 */
export function inOrder(all: readonly Line[]): readonly Line[] {
  const lines = all.flatMap((line) => (passesOn(line) ? parted(line) : [line]))
  const gone = lines.filter((line) => line.after === null).sort((a, b) => place(b) - place(a))
  const changed = lines.filter((line) => line.before !== null && line.after !== null)
  const made = lines.filter((line) => line.before === null).sort((a, b) => place(a) - place(b))
  return [...gone, ...changed, ...made]
}

/** The lines as writes of one change, in an order that the tables accept. */
export const writesOf = (lines: readonly Line[]) => inOrder(lines).map((line) => ({ do: 'row', line }) as const)

const passesOn = (line: Line) =>
  line.row === 'unit-holding' && line.before !== null && line.after !== null && line.before.claim !== line.after.claim

const parted = (line: Line): readonly Line[] => [{ ...line, after: null } as Line, { ...line, before: null } as Line]

/** The lines that revert these lines. */
export const undone = (lines: readonly Line[]): readonly Line[] =>
  lines.map((line) => ({ ...line, before: line.after, after: line.before }) as Line)

/** The row that a line is about. */
export const keyOf = ({ row, key }: Pick<Line, 'row' | 'key'>): string =>
  `${row} ${JSON.stringify(Object.entries(key).sort())}`

export const sameValue = (a: Line['after'], b: Line['after']): boolean => textOf(a) === textOf(b)

/** An omitted field equals an undefined one, and the order of keys is ignored. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (each === null || typeof each !== 'object' || Array.isArray(each)) return each
    const entries = Object.entries(each).filter(([, inner]) => inner !== undefined)
    return Object.fromEntries(entries.sort(([x], [y]) => (x < y ? -1 : 1)))
  })
}
