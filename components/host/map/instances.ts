import type { Mark } from '@/server/api/claim/view'
import type { HostMapView, MapAmount } from '@/server/api/host/map'
import type { Ref } from '@/server/api/names/names'
import type { MapUnit } from './places'

// Each holder on this host once, with both claims of a same-host migration. These are the ends of the lines in the
// picture.

export interface MapInstance {
  readonly instance: Ref
  /** One per claim here: two during a same-host migration. */
  readonly marks: readonly Mark[]
  readonly cpus: number
  readonly memoryMib: number
  readonly devices: number
}

type Counts = { -readonly [K in 'cpus' | 'memoryMib' | 'devices']: number }

/** By name, so that instances are easy to find. */
export function instancesOnMap(view: HostMapView, places: ReadonlyMap<string, MapUnit>): readonly MapInstance[] {
  const counts = view.holders.map((): Counts => ({ cpus: 0, memoryMib: 0, devices: 0 }))
  const at = new Map(view.holders.map(({ claim }, index) => [claim, index]))
  for (const { unit, holders } of places.values()) {
    for (const { holder: of, use } of holders) {
      const count = counts[at.get(of.claim) ?? -1]
      if (count && use !== 'with-parent') count[unit.startsWith('cpu:') ? 'cpus' : 'devices'] += 1
    }
  }
  for (const { holder, amount } of view.cells.flatMap((cell) => cell.memoryBy)) {
    const count = counts[holder]
    if (count) count.memoryMib += amount
  }
  const instances = new Map<string, MapInstance>()
  view.holders.forEach(({ instance, mark }, index) => {
    const own = counts[index] ?? { cpus: 0, memoryMib: 0, devices: 0 }
    const before = instances.get(instance.id)
    instances.set(instance.id, {
      instance,
      marks: [...(before?.marks ?? []), mark],
      cpus: (before?.cpus ?? 0) + own.cpus,
      memoryMib: (before?.memoryMib ?? 0) + own.memoryMib,
      devices: (before?.devices ?? 0) + own.devices,
    })
  })
  return [...instances.values()].sort((a, b) => a.instance.name.localeCompare(b.instance.name, 'en', { numeric: true }))
}

/** The instances that share an amount, as the picture marks them. */
export function instancesIn(by: readonly MapAmount[], holders: HostMapView['holders']): string {
  return [...new Set(by.flatMap(({ holder }) => holders[holder]?.instance.id ?? []))].join(' ')
}
