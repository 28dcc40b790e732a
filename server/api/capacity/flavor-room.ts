import { inTurns } from '../../audit/turns'
import type { Demand } from '../../engine/demand'
import type { Host } from '../../engine/host'
import { remembered } from '../../engine/remembered'
import { type Room, roomInParts } from '../../engine/room'
import type { HostId } from '../../engine/words/ids'
import { turnOfOthers } from '../procedure/turn'

// How many more of a flavor of the list fit, host by host. Hosts are frozen values, so of each what was counted holds
// until something changes on it: of a fleet at work a few are counted anew, the others are known.

/** Decisions that counting one flavor may cost: enough to say exactly how little is left, not how much. */
const BUDGET = 3_000
const HOSTS_AT_ONCE = 40

const countedOn = remembered((_host: Host) => new Map<string, Room>())

/** In the order of the hosts. Only exact counts are kept: how far the others came is the bound's doing, not the host's. */
export async function roomsOf(
  demand: Demand,
  hosts: readonly Host[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<HostId, Room>> {
  const key = JSON.stringify(demand)
  const rooms = new Map<HostId, Room>()
  let left = BUDGET
  for (let at = 0; at < hosts.length; at += HOSTS_AT_ONCE) {
    const some = hosts.slice(at, at + HOSTS_AT_ONCE)
    const unknown = some.filter((host) => !countedOn(host).has(key))
    const counted = await inTurns(roomInParts({ demand, hosts: unknown, budget: left }), () => turnOfOthers(signal))
    left -= counted.asked
    for (const host of some) {
      const room = counted.rooms.get(host.id) ?? countedOn(host).get(key)
      if (!room) continue
      if (room.exact) countedOn(host).set(key, room)
      rooms.set(host.id, room)
    }
  }
  return rooms
}

/** Of a shape that somebody typed: any may be, so nothing of it is worth remembering. */
export async function roomsOfTyped(
  demand: Demand,
  hosts: readonly Host[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<HostId, Room>> {
  const parts = roomInParts({ demand, hosts, budget: BUDGET })
  return (await inTurns(parts, () => turnOfOthers(signal))).rooms
}
