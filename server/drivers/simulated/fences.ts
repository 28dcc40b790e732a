import type { HostId } from '../../engine/words/ids'
import type { DriverOperation } from '../driver'
import { type GuestRecord, type Scene, type SeenFence, withGuest } from './record'

// The highest fences that each host has seen, per migration and for lifecycle operations: older ones are refused (L7).

/** Records the operation's fences on these hosts, so that these refuse older ones and builds; null: stale. */
export function acceptFences(scene: Scene, driverOperation: DriverOperation, hosts: readonly HostId[]): Scene | null {
  const fences = hosts.map(
    (host): SeenFence => ({ migration: driverOperation.migration, host, fence: driverOperation.fence }),
  )
  if (fences.some((fence) => fenceAt(scene.guest, fence) > fence.fence)) return null
  const guests = hosts.map((host): SeenFence => ({ migration: null, host, fence: driverOperation.instanceFence }))
  return [...fences, ...guests].filter((fence) => fenceAt(scene.guest, fence) < fence.fence).reduce(withFence, scene)
}

const MAX_FENCES = 16 // several migrations back: none of their operations can still be in progress

export function fenceAt(guest: GuestRecord, { migration, host }: SeenFence): number {
  return guest.fences.find((seen) => seen.migration === migration && seen.host === host)?.fence ?? 0
}

export function withFence(scene: Scene, seen: SeenFence): Scene {
  if (fenceAt(scene.guest, seen) === seen.fence) return scene
  const others = scene.guest.fences.filter((other) => other.migration !== seen.migration || other.host !== seen.host)
  return withGuest(scene, { fences: [...others, seen].slice(-MAX_FENCES) })
}
