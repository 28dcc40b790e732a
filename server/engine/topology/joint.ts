import { assignUnits, type Budget } from './device/assign-units'
import { type DevicePool, NO_NODE_INDEX } from './device/pools'
import type { Slot } from './device/slots'
import { type NetworkNeed, networksServed } from './networks'
import type { Candidates, JointCheck, Partial } from './node/search'
import type { PreparedHost } from './prepared'

// Joint constraints on the choice of host NUMA nodes: devices close to them and networks on them. Besides the check
// itself, two things that keep a failing search small: equivalent nodes, and an upper bound on what the remaining nodes
// can add.

export interface JointQuestion {
  readonly host: PreparedHost
  readonly slots: readonly Slot[]
  readonly networks: readonly NetworkNeed[]
  readonly candidates: Candidates
  readonly budget: Budget
}

/** Null: no joint constraint, any assignment will do. */
export function jointCheck(question: JointQuestion): JointCheck | null {
  const { host, slots, networks, budget } = question
  if (slots.length === 0 && networks.length === 0) return null
  const accepts = (chosen: Uint8Array) =>
    networksServed(networks, chosen) &&
    (slots.length === 0 || assignUnits({ host, slots, chosen, budget }).outcome === 'given')
  let bounds: readonly Bound[] | null = null
  return {
    accepts,
    possible: (partial) => {
      bounds ??= boundsOf(question)
      return bounds.every((bound) => bound.need <= mostUnits(bound, partial)) && accepts(partial.superset)
    },
    likeness: () => likenessOf(question),
  }
}

/** Units needed; units available whatever the NUMA nodes; units that each chosen node adds. */
interface Bound {
  readonly need: number
  readonly anywhere: number
  readonly perNode: readonly number[]
}

// One bound per request that must be close, and one for all of those together. Policy `socket` adds units of NUMA nodes
// that are not chosen, so it has none.
function boundsOf({ host, slots }: JointQuestion): readonly Bound[] {
  const near = slots.filter(({ deviceRequest: { policy } }) => policy === 'required' || policy === 'legacy')
  const boundOf = (some: readonly Slot[]): Bound => {
    const pools = [...new Set(some.flatMap((slot) => slot.pools))].map((index) => host.pools[index]!)
    const unitsAt = (node: number) => sum(pools.filter((pool) => pool.nodeIndex === node).map(unitsOf))
    const legacy = some.some((slot) => slot.deviceRequest.policy === 'legacy')
    return {
      need: sum(some.map((slot) => slot.need)),
      anywhere: legacy ? unitsAt(NO_NODE_INDEX) : 0,
      perNode: host.numaNodes.map((_, index) => unitsAt(index)),
    }
  }
  return near.length < 2 ? near.map((slot) => boundOf([slot])) : [...near.map((slot) => boundOf([slot])), boundOf(near)]
}

const unitsOf = (pool: DevicePool) => pool.devices.length
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

function mostUnits({ anywhere, perNode }: Bound, { used, superset, remaining }: Partial): number {
  const chosen = perNode.filter((_, node) => used[node] === 1)
  const open = perNode.filter((_, node) => used[node] === 0 && superset[node] === 1)
  return anywhere + sum(chosen) + sum(open.sort((a, b) => b - a).slice(0, remaining))
}

/**
 * Per host NUMA node a text that is equal for nodes that the request cannot distinguish: the same guest NUMA nodes fit,
 * the same devices are in them, the same networks reach them. Exchanging two such nodes changes no answer.
 */
function likenessOf({ host, slots, networks, candidates }: JointQuestion): readonly string[] {
  const bySocket = slots.some((slot) => slot.deviceRequest.policy === 'socket')
  const devices = deviceLikeness(host, slots)
  return host.numaNodes.map((node, index) =>
    JSON.stringify([
      candidates.map((list) => list.includes(index)),
      devices(index),
      networks.map((network) => network.nodes.includes(index)),
      bySocket ? node.socket : null,
    ]),
  )
}

function deviceLikeness({ pools }: PreparedHost, slots: readonly Slot[]): (node: number) => readonly string[] {
  const wantedBy = pools.map((pool) => slots.flatMap((slot, index) => (slot.pools.includes(pool.index) ? [index] : [])))
  const wanted = (index: number) => wantedBy[index]!.length > 0
  const plain = (pool: DevicePool) => `${wantedBy[pool.index]}:${unitsOf(pool)}`
  return (node) => {
    const here = pools.filter((pool) => pool.nodeIndex === node && wanted(pool.index))
    const texts = here.map((pool) => {
      const above = pool.above.filter(wanted)
      const below = pool.below.filter(wanted).map((index) => pools[index]!)
      const simple = below.every((part) => part.nodeIndex === node && !part.below.some(wanted))
      // Cards whose parts span NUMA nodes or are cut twice make their node unique, which is always safe.
      if (!simple || above.some((index) => pools[index]!.nodeIndex !== node)) return `only ${node}`
      return `${plain(pool)} of ${above.map((index) => plain(pools[index]!))} with ${below.map(plain).sort()}`
    })
    return texts.sort()
  }
}
