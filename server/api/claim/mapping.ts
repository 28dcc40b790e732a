import type { ClaimBody, ClaimedUnit } from '../../engine/host'
import type { Device } from '../../engine/topology/host'
import type { UnitName } from '../../engine/words/units'
import { deviceLabel } from './view'

// Source → target resources, item by item. Items are matched by the guest's view: its NUMA nodes, its vCPUs and what it
// requested; only the host's ids change.

/** Old → new, item by item (N11). null: that side has none. */
export interface Change<T> {
  readonly key: string
  readonly old: T | null
  readonly new: T | null
}

export interface MappingView {
  readonly amounts: readonly Change<number>[]
  /** key: guest NUMA node. */
  readonly cells: readonly Change<{ hostCell: number; memoryMib: number; pageKib: number | null }>[]
  /** key: guest vCPU, or `emulator 0`. Values are host CPU ids. */
  readonly cpus: readonly Change<number>[]
  /** key: what was requested (alias, vGPU type, pmem label). */
  readonly devices: readonly Change<{ unit: string; label: string; cell: number | null }>[]
}

export interface MappingSide {
  readonly body: ClaimBody
  readonly devices: readonly Device[]
}

/** Null when neither side holds anything. */
export function mappingView(old: MappingSide | null, next: MappingSide | null): MappingView | null {
  if (old === null && next === null) return null
  return {
    amounts: paired(amountsBy(old), amountsBy(next)),
    cells: paired(nodesBy(old), nodesBy(next)),
    cpus: paired(cpusBy(old), cpusBy(next)),
    devices: paired(devicesBy(old), devicesBy(next)),
  }
}

function paired<T>(old: ReadonlyMap<string, T>, next: ReadonlyMap<string, T>): Change<T>[] {
  const keys = [...new Set([...old.keys(), ...next.keys()])]
  return keys.map((key) => ({ key, old: old.get(key) ?? null, new: next.get(key) ?? null }))
}

function amountsBy(side: MappingSide | null): Map<string, number> {
  const amounts = new Map<string, number>()
  for (const { resourceClass, amount } of side?.body.amounts ?? []) {
    amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount)
  }
  return amounts
}

function nodesBy(side: MappingSide | null) {
  const nodes = [...(side?.body.cells ?? [])].sort((a, b) => a.guestCell - b.guestCell)
  return new Map(
    nodes.map(({ guestCell, hostCell, memoryMib, pageKib }) => [`${guestCell}`, { hostCell, memoryMib, pageKib }]),
  )
}

function cpusBy(side: MappingSide | null): Map<string, number> {
  const nodes = side?.body.cells ?? []
  const pins = nodes.flatMap((node) => node.pins).sort((a, b) => a[0] - b[0])
  const emulator = nodes.flatMap((node) => node.reservedCpus)
  return new Map([
    ...pins.map(([vcpu, cpu]) => [`${vcpu}`, cpu] as const),
    ...emulator.map((cpu, at) => [`emulator ${at}`, cpu] as const),
  ])
}

/** Devices that came with a parent are not listed: the instance did not request them. */
function devicesBy(side: MappingSide | null) {
  const devices = new Map<UnitName, Device>(side?.devices.map((device) => [device.unit, device]))
  const taken = new Map<string, ClaimedUnit[]>()
  for (const unit of side?.body.units ?? []) {
    if (unit.use !== 'device') continue
    const asked = unit.requestId ?? unit.kind
    taken.set(asked, [...(taken.get(asked) ?? []), unit])
  }
  const rows = [...taken].flatMap(([asked, units]) =>
    units.map(({ unit }, at) => {
      const device = devices.get(unit)
      const label = device ? deviceLabel(device) : unit
      return [units.length === 1 ? asked : `${asked} ${at + 1}`, { unit, label, cell: device?.cell ?? null }] as const
    }),
  )
  return new Map(rows)
}
