import type { Host } from '../host'
import { type ChildId, layoutObstacle } from '../layout'
import type { HostId } from '../words/ids'
import type { MarkerUpdate } from './change'
import type { Marker } from './marker'

/** The marks that every flat host would get. Pure, so a whole fleet takes a moment. */
export function marksOf(
  hosts: readonly Host[],
  markers: ReadonlyMap<HostId, Marker>,
  idOf: ChildId,
): readonly MarkerUpdate[] {
  return hosts
    .filter(({ layout }) => layout === 'flat')
    .map((host) => {
      const why = layoutObstacle(host, idOf)
      return { host: host.id, before: markers.get(host.id) ?? null, state: why === null ? 'planned' : 'blocked', why }
    })
}
