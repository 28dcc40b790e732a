import type { MapDevice } from '@/server/api/device/view'
import type { HostMapView, MapCpu, MapHolder, MapNumaNode } from '@/server/api/host/map'
import type { UnitUse } from '@/server/engine/host'
import { unitKindWords } from '../../claim/words'
import { ranges } from '../../ui/format'
import { mapWords, roleWords, type UnitState } from './words'

// All places of a host as one flat list. Picture, inspector and table all read it, so they cannot differ.

export interface UnitHolder {
  readonly holder: MapHolder
  readonly use: UnitUse
  readonly vcpu: number | null
}

export interface MapUnit {
  /** The unit's name; what `?unit=` carries. */
  readonly unit: string
  readonly title: string
  readonly kind: string
  readonly label: string
  readonly numaNode: number | null
  readonly socket: number | null
  readonly siblings: readonly number[]
  readonly state: UnitState
  readonly holders: readonly UnitHolder[]
  /** Holders alternate between two shades, to distinguish neighbours on the map. */
  readonly shade: 0 | 1
}

function stateOf(holders: readonly UnitHolder[], otherwise: UnitState): UnitState {
  const exclusive = holders.filter((holder) => holder.use !== 'with-parent')
  if (exclusive.length > 1) return 'double'
  return holders[0]?.holder.mark ?? otherwise
}

function cpuPlace(cpu: MapCpu, cell: MapNumaNode, holders: readonly MapHolder[]): MapUnit {
  const core = cell.cores.find(({ threads }) => threads.some((thread) => thread.id === cpu.id))
  const taken = cpu.holders.flatMap(({ holder, use, vcpu }) => {
    const of = holders[holder]
    return of ? [{ holder: of, use, vcpu }] : []
  })
  return {
    unit: `cpu:${cpu.id}`,
    title: mapWords.cpu(cpu.id),
    kind: unitKindWords.cpu,
    label: '',
    numaNode: cell.id,
    socket: cell.socket,
    siblings: core?.threads.map((thread) => thread.id).filter((id) => id !== cpu.id) ?? [],
    state: cpu.pool === 'dedicated' ? stateOf(taken, 'free') : cpu.pool === 'unreported' ? 'unpinned' : cpu.pool,
    holders: taken,
    shade: ((cpu.holders[0]?.holder ?? 0) % 2) as 0 | 1,
  }
}

const deviceStates: Readonly<Record<MapDevice['state'], UnitState>> = {
  free: 'free',
  held: 'held',
  blocked: 'blocked',
  missing: 'missing',
  group: 'free',
}

interface DeviceContext {
  readonly numaNode: number | null
  readonly socket: number | null
  readonly holders: readonly MapHolder[]
}

function devicePlaces(device: MapDevice, near: DeviceContext): readonly MapUnit[] {
  const taken = device.holders.flatMap(({ holder, use }) => {
    const of = near.holders[holder]
    return of ? [{ holder: of, use, vcpu: null }] : []
  })
  const own: MapUnit = {
    unit: device.unit,
    title: device.name,
    kind: roleWords[device.role],
    label: device.label,
    numaNode: near.numaNode,
    socket: near.socket,
    siblings: [],
    state: stateOf(taken, deviceStates[device.state]),
    holders: taken,
    shade: ((device.holders[0]?.holder ?? 0) % 2) as 0 | 1,
  }
  const below = device.children.flatMap((child) => devicePlaces(child, near))
  return device.state === 'group' ? below : [own, ...below]
}

export function unitsOnMap(view: HostMapView): ReadonlyMap<string, MapUnit> {
  const { holders } = view
  const inCells = view.cells.flatMap((cell) => [
    ...cell.cores.flatMap(({ threads }) => threads.map((cpu) => cpuPlace(cpu, cell, holders))),
    ...cell.devices.flatMap((device) => devicePlaces(device, { numaNode: cell.id, socket: cell.socket, holders })),
  ])
  const loose = view.devices.flatMap((device) => devicePlaces(device, { numaNode: null, socket: null, holders }))
  return new Map([...inCells, ...loose].map((place) => [place.unit, place]))
}

export function countStates(places: Iterable<MapUnit>): ReadonlyMap<UnitState, number> {
  const counts = new Map<UnitState, number>()
  for (const { state } of places) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}

export interface TwoHoldings {
  readonly instance: MapHolder['instance']
  readonly migration: MapHolder['migration']
  readonly old: string
  readonly new: string
}

/** Same-host migrations: one instance, two claims, both drawn (N15). */
export function twoHoldings(view: HostMapView): readonly TwoHoldings[] {
  const cpusOf = (claim: MapHolder) => {
    const ids = view.cells.flatMap((cell) =>
      cell.cores.flatMap(({ threads }) =>
        threads
          .filter((cpu) => cpu.holders.some(({ holder }) => view.holders[holder]?.claim === claim.claim))
          .map((cpu) => cpu.id),
      ),
    )
    return ids.length > 0 ? `CPU ${ranges(ids)}` : 'amounts only'
  }
  return view.holders.flatMap((incoming) => {
    if (incoming.mark !== 'incoming') return []
    const outgoing = view.holders.find(
      (other) => other.mark === 'outgoing' && other.instance.id === incoming.instance.id,
    )
    if (!outgoing) return []
    const { instance, migration } = incoming
    return [{ instance, migration, old: cpusOf(outgoing), new: cpusOf(incoming) }]
  })
}
