import type { Holding, Host } from '../engine/host'
import type { Device } from '../engine/topology/host'
import type { UnitName } from '../engine/words/units'
import type { DeviceKindRow, DeviceListInput, DeviceRow } from './contract-look'
import { deviceLabel } from './views/claim'
import { isParentIn, roleOf, stateOf } from './views/devices'
import type { Names } from './views/names'

// Devices of many hosts as rows. In memory, from the snapshots, like the list of hosts.

export function devicesOf(host: Host, names: Names): readonly DeviceRow[] {
  const holders = holdersByUnit(host.holdings)
  const isParent = isParentIn(host.devices)
  return host.devices.map((device) => {
    const held = holders.get(device.unit)
    return {
      ...deviceFacts(host, device),
      role: roleOf(device, isParent(device.unit)),
      state: stateOf(device, held !== undefined),
      holder: held ? holderOf(held.holding, names) : null,
      use: held?.use ?? null,
    }
  })
}

const deviceFacts = ({ id, name }: Host, device: Device) => ({
  id: `${id} ${device.unit}`,
  ...{ host: { id, name }, unit: device.unit, kind: device.kind, label: deviceLabel(device) },
  ...{ card: device.parent, cell: device.cell },
})

const holderOf = ({ consumerKind, consumer, instance }: Holding, names: Names) => ({
  ...{ kind: consumerKind, id: consumer, name: names.instance(instance).name },
})

function holdersByUnit(holdings: readonly Holding[]) {
  const holders = new Map<UnitName, { readonly holding: Holding; readonly use: NonNullable<DeviceRow['use']> }>()
  for (const holding of holdings) for (const { unit, use } of holding.body.units) holders.set(unit, { holding, use })
  return holders
}

type Filter = Pick<{ [K in keyof DeviceListInput]?: DeviceListInput[K] | undefined }, 'q' | 'kind' | 'state' | 'label'>

export function filterDevices(rows: readonly DeviceRow[], { q, kind, state, label }: Filter): readonly DeviceRow[] {
  const text = q?.toLowerCase()
  const hasText = ({ unit, label: shown, host, holder, card }: DeviceRow) =>
    !text || [unit, shown, host.name, holder?.name, card].some((each) => each?.toLowerCase().includes(text))
  return rows.filter(
    (row) =>
      (!kind || kind.includes(row.kind)) &&
      (!state || state.includes(row.state)) &&
      (!label || row.label === label) &&
      hasText(row),
  )
}

const KEYS = {
  host: (row: DeviceRow) => row.host.name,
  label: (row: DeviceRow) => row.label,
  unit: (row: DeviceRow) => row.unit,
  state: (row: DeviceRow) => row.state,
  holder: (row: DeviceRow) => row.holder?.name ?? '￿',
  card: (row: DeviceRow) => row.card ?? row.unit,
} as const
const BY_NAME = new Intl.Collator('en', { numeric: true })

/** Equal rows in the order of host and unit. */
export function sortDevices(
  rows: readonly DeviceRow[],
  { sort = 'host', dir = 'asc' }: { sort?: keyof typeof KEYS | undefined; dir?: 'asc' | 'desc' | undefined },
): readonly DeviceRow[] {
  const sign = dir === 'desc' ? -1 : 1
  return [...rows].sort(
    (a, b) =>
      sign * BY_NAME.compare(KEYS[sort](a), KEYS[sort](b)) ||
      BY_NAME.compare(a.host.name, b.host.name) ||
      BY_NAME.compare(a.unit, b.unit),
  )
}

/** The card of a device and all that is cut from the same one. */
export function familyOf(devices: readonly DeviceRow[], { unit, card }: DeviceRow): readonly DeviceRow[] {
  const head = card ?? unit
  const family = devices.filter((each) => each.unit === head || each.card === head)
  return family.length > 1 ? family : []
}

/** One row for each kind and label, the most numerous first. */
export function deviceKinds(hosts: readonly Host[]): readonly DeviceKindRow[] {
  const kinds = new Map<string, Counted>()
  for (const host of hosts) {
    const holders = holdersByUnit(host.holdings)
    for (const device of host.devices) {
      const label = deviceLabel(device)
      const key = `${device.kind} ${label}`
      const counted = kinds.get(key) ?? newCount(device, label)
      kinds.set(key, counted)
      counted.total++
      counted[stateOf(device, holders.has(device.unit))]++
      counted.hostIds.add(host.id)
      counted.cardIds.add(`${host.id} ${device.parent ?? device.unit}`)
    }
  }
  return [...kinds.values()]
    .map(({ hostIds, cardIds, ...row }) => ({ ...row, hosts: hostIds.size, cards: cardIds.size }))
    .sort((a, b) => b.total - a.total || BY_NAME.compare(a.label, b.label))
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
interface Counted extends Mutable<Omit<DeviceKindRow, 'hosts' | 'cards'>> {
  readonly hostIds: Set<string>
  readonly cardIds: Set<string>
}

const newCount = ({ kind }: Device, label: string): Counted => ({
  ...{ kind, label, total: 0, held: 0, free: 0, blocked: 0, gone: 0 },
  ...{ hostIds: new Set(), cardIds: new Set() },
})
