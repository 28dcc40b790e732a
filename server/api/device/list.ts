import type { Condition } from '@/lists/condition'
import { DEVICE_LIST, type DeviceSort } from '@/lists/device'
import { fieldValuesOf } from '@/lists/list'
import { compareValues, orderRows, whereRows } from '@/lists/rows'
import type { Holding, Host, UnitUse } from '../../engine/host'
import { memoize } from '../../engine/memoize'
import type { Device } from '../../engine/topology/host'
import type { UnitKind, UnitName } from '../../engine/words/units'
import type { ListOrder } from '../../store/database/condition'
import { deviceLabel } from '../claim/view'
import type { HolderRef, Names, Ref } from '../names/names'
import { isParentIn, roleOf, stateOf } from './view'

// Devices of many hosts as rows, computed in memory from the snapshots, like the list of hosts.

export type DeviceState = 'free' | 'held' | 'blocked' | 'missing'

export interface DeviceRow {
  /** Host and unit together. */
  readonly id: string
  readonly host: Ref
  readonly unit: string
  readonly kind: Exclude<UnitKind, 'cpu'>
  readonly role: 'pf' | 'vf' | 'card' | 'gpu' | 'vgpu' | 'region' | 'namespace'
  /** `VF 8086:154c physnet1`, `nvidia-35`, `6 GiB`. */
  readonly label: string
  /** The parent unit from which it is created. */
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
  readonly missing: number
}

type NamesOfInstances = Pick<Names, 'instance'>

export function devicesOf(host: Host, names: NamesOfInstances): readonly DeviceRow[] {
  return unnamedOf(host).map(({ holding, ...row }) => ({ ...row, holder: holding && holderOf(holding, names) }))
}

/** Excludes names, which may change while the host stays the same. */
const unnamedOf = memoize((host: Host) => {
  const holders = holdersByUnit(host.holdings)
  const isParent = isParentIn(host.devices)
  return host.devices.map((device) => {
    const held = holders.get(device.unit)
    return {
      ...deviceFacts(host, device),
      role: roleOf(device, isParent(device.unit)),
      state: stateOf(device, held !== undefined),
      holding: held?.holding ?? null,
      use: held?.use ?? null,
    }
  })
})

/** Instances whose claims hold devices: most of a fleet hold none. */
export function holdersOfDevices(hosts: readonly Host[]): readonly string[] {
  const holdings = hosts.flatMap((host) => host.holdings)
  return holdings.flatMap(({ instance, body }) => (body.units.some(({ kind }) => kind !== 'cpu') ? [instance] : []))
}

const deviceFacts = ({ id, name }: Host, device: Device) => ({
  id: `${id} ${device.unit}`,
  ...{ host: { id, name }, unit: device.unit, kind: device.kind, label: deviceLabel(device) },
  ...{ card: device.parent, cell: device.cell },
})

const holderOf = ({ consumerKind, consumer, instance }: Holding, names: NamesOfInstances) => ({
  ...{ kind: consumerKind, id: consumer, name: names.instance(instance).name },
})

function holdersByUnit(holdings: readonly Holding[]) {
  const holders = new Map<UnitName, { readonly holding: Holding; readonly use: NonNullable<DeviceRow['use']> }>()
  for (const holding of holdings) for (const { unit, use } of holding.body.units) holders.set(unit, { holding, use })
  return holders
}

/** True when rows are searched or sorted by holder; otherwise the names of the visible rows suffice. */
export function needsHolders({ q, where, order, sort }: Filter & ListOrder<DeviceSort>): boolean {
  const inFilter = where?.some(({ key }) => key === 'text' || key === 'holder') ?? false
  return Boolean(q) || inFilter || sort === 'holder' || (order?.some(({ by }) => by === 'holder') ?? false)
}

/** The consumer may be a migration that no longer exists. */
const UNNAMED: NamesOfInstances = { instance: (id) => ({ id, name: id }) }

const unitsInOrder = memoize((host: Host) => devicesOf(host, UNNAMED).toSorted((a, b) => compareValues(a.unit, b.unit)))

/** Ordered by host and unit. Holders go by their instances' ids until `withHolders`. */
export const devicesInOrder = memoize((hosts: readonly Host[]): readonly DeviceRow[] =>
  hosts.toSorted((a, b) => compareValues(a.name, b.name)).flatMap(unitsInOrder),
)

/** Rows of `devicesInOrder`, with the names that their holders go by. */
export const withHolders = (rows: readonly DeviceRow[], names: NamesOfInstances): readonly DeviceRow[] =>
  rows.map((row) =>
    row.holder ? { ...row, holder: { ...row.holder, name: names.instance(row.holder.name).name } } : row,
  )

interface Filter {
  readonly q?: string | undefined
  readonly kind?: readonly DeviceRow['kind'][] | undefined
  readonly state?: readonly DeviceState[] | undefined
  readonly label?: string | undefined
  readonly where?: readonly Condition[] | undefined
}

export function filterDevices(
  rows: readonly DeviceRow[],
  { q, kind, state, label, where }: Filter,
): readonly DeviceRow[] {
  const text = q?.toLowerCase()
  const found = rows.filter(
    (row) =>
      (!kind || kind.includes(row.kind)) &&
      (!state || state.includes(row.state)) &&
      (!label || row.label === label) &&
      (!text || DEVICE_LIST.text(row).some((each) => each?.toLowerCase().includes(text))),
  )
  return whereRows(found, where, fieldValuesOf(DEVICE_LIST))
}

/** Equal rows keep their order, by host and unit. Most requests want just that. */
export function sortDevices(
  rows: readonly DeviceRow[],
  { order, sort = 'host', dir = 'asc' }: ListOrder<DeviceSort>,
): readonly DeviceRow[] {
  const wanted = order?.length ? order : [{ by: sort, dir }]
  if (wanted[0]?.by === 'host' && wanted[0].dir === 'asc' && wanted.length === 1) return rows
  return orderRows(rows, wanted, DEVICE_LIST)
}

/** The card of a device and all units created from that card. */
export function familyOf(devices: readonly DeviceRow[], { unit, card }: DeviceRow): readonly DeviceRow[] {
  const head = card ?? unit
  const family = devices.filter((each) => each.unit === head || each.card === head)
  return family.length > 1 ? family : []
}

/** One row for each kind and label, the most numerous first. */
export function deviceKinds(hosts: readonly Host[]): readonly DeviceKindRow[] {
  const kinds = new Map<string, Mutable<DeviceKindRow>>()
  for (const host of hosts) {
    for (const here of kindsOn(host)) {
      const key = `${here.kind} ${here.label}`
      const sum = kinds.get(key)
      if (!sum) kinds.set(key, { ...here })
      else for (const count of COUNTS) sum[count] += here[count]
    }
  }
  return [...kinds.values()].sort((a, b) => b.total - a.total || compareValues(a.label, b.label))
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
const COUNTS = ['cards', 'hosts', 'total', 'held', 'free', 'blocked', 'missing'] as const

const kindsOn = memoize((host: Host): readonly DeviceKindRow[] => {
  const kinds = new Map<string, Mutable<DeviceKindRow>>()
  const cards = new Map<DeviceKindRow, Set<string>>()
  for (const { kind, label, state, card, unit } of unnamedOf(host)) {
    const key = `${kind} ${label}`
    const counted = kinds.get(key) ?? newCount(kind, label)
    kinds.set(key, counted)
    counted.total++
    counted[state]++
    const known = cards.get(counted) ?? new Set()
    cards.set(counted, known.add(card ?? unit))
    counted.cards = known.size
  }
  return [...kinds.values()]
})

const newCount = (kind: DeviceRow['kind'], label: string): Mutable<DeviceKindRow> => ({
  ...{ kind, label, cards: 0, hosts: 1, total: 0, held: 0, free: 0, blocked: 0, missing: 0 },
})
