import type { HostId } from '../../engine/words/ids'
import type { DriverOperation } from '../driver'
import { type InstanceRecord, type Scene, type SeenFence, withInstance } from './record'

// The highest fences that each host has seen, per migration and for lifecycle operations: older ones are refused (L7).

/** Records the operation's fences on these hosts, so that these refuse older ones and builds; null: stale. */
export function acceptFences(scene: Scene, driverOperation: DriverOperation, hosts: readonly HostId[]): Scene | null {
  const fences = hosts.map(
    (host): SeenFence => ({ migration: driverOperation.migration, host, fence: driverOperation.fence }),
  )
  if (fences.some((fence) => fenceAt(scene.record, fence) > fence.fence)) return null
  const instances = hosts.map((host): SeenFence => ({ migration: null, host, fence: driverOperation.instanceFence }))
  return [...fences, ...instances]
    .filter((fence) => fenceAt(scene.record, fence) < fence.fence)
    .reduce(withFence, scene)
}

const MAX_FENCES = 16 // several migrations back: none of their operations can still be in progress

export function fenceAt(instance: InstanceRecord, { migration, host }: SeenFence): number {
  return instance.fences.find((seen) => seen.migration === migration && seen.host === host)?.fence ?? 0
}

export function withFence(scene: Scene, seen: SeenFence): Scene {
  if (fenceAt(scene.record, seen) === seen.fence) return scene
  const others = scene.record.fences.filter((other) => other.migration !== seen.migration || other.host !== seen.host)
  return withInstance(scene, { fences: [...others, seen].slice(-MAX_FENCES) })
}
