import { runInSlices } from '../../audit/event-loop'
import type { Demand } from '../../engine/demand'
import { type FitCount, interruptibleFitCount } from '../../engine/fit-count'
import type { Host } from '../../engine/host'
import { memoize } from '../../engine/memoize'
import type { HostId } from '../../engine/words/ids'
import { yieldUnlessAborted } from '../procedure/yield'

// How many more of a listed flavor fit, host by host. Hosts are frozen values, so a count stays valid until its host
// changes: in a busy fleet few hosts are counted again.

/** Decision budget for counting one flavor: exact for small counts, a bound for large ones. */
const BUDGET = 3_000
const HOSTS_AT_ONCE = 40

const countedOn = memoize((_host: Host) => new Map<string, FitCount>())

/** In the order of the hosts. Only exact counts are cached: a bounded count depends on the budget, not on the host. */
export async function fitCountsOf(
  demand: Demand,
  hosts: readonly Host[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<HostId, FitCount>> {
  const key = JSON.stringify(demand)
  const fits = new Map<HostId, FitCount>()
  let left = BUDGET
  for (let at = 0; at < hosts.length; at += HOSTS_AT_ONCE) {
    const some = hosts.slice(at, at + HOSTS_AT_ONCE)
    const unknown = some.filter((host) => !countedOn(host).has(key))
    const counted = await runInSlices(interruptibleFitCount({ demand, hosts: unknown, budget: left }), () =>
      yieldUnlessAborted(signal),
    )
    left -= counted.decisions
    for (const host of some) {
      const room = counted.fits.get(host.id) ?? countedOn(host).get(key)
      if (!room) continue
      if (room.exact) countedOn(host).set(key, room)
      fits.set(host.id, room)
    }
  }
  return fits
}

/** For a custom shape, which is too unlikely to recur to be cached. */
export async function fitCountsOfCustom(
  demand: Demand,
  hosts: readonly Host[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<HostId, FitCount>> {
  const parts = interruptibleFitCount({ demand, hosts, budget: BUDGET })
  return (await runInSlices(parts, () => yieldUnlessAborted(signal))).fits
}
