import { ANONYMOUS_QUESTION, type ClaimPlan, type Decide } from '../claim'
import type { Demand } from '../demand'
import type { ClaimBody, Host } from '../host'
import type { PlacedNode } from '../topology/guest-topology'
import type { NumaNode } from '../topology/host'
import { cpusTaken } from '../topology/usage'
import type { Refusal } from '../words/refusal'

// A claim for an instance where it already runs: `decide` gets a host that offers only the CPUs, NUMA nodes and devices
// that the domain has. So amounts and units are decided as for any claim, and a repair never records other CPUs for a
// running instance.

export type ClaimedPlaces = Pick<ClaimBody, 'cells' | 'units'>

export type ConfinementResult =
  | { readonly ok: true; readonly body: ClaimBody; readonly guards: ClaimPlan['guards']; readonly plan: ClaimPlan }
  | { readonly ok: false; readonly refusals: readonly Refusal[]; readonly why: string | null }

export interface Confinement {
  readonly decide: Decide
  readonly demand: Demand
  /** Without what the instance itself holds there. */
  readonly host: Host
  /** Null: the instance has no placement yet, so `decide` chooses one. */
  readonly places: ClaimedPlaces | null
}

export function confined({ decide, demand, host, places }: Confinement): ConfinementResult {
  const here = places && withPolicies(demand, places)
  const open = standing(here ? offering(host, here) : host)
  const verdict = decide({ ...ANONYMOUS_QUESTION, demand, host: open })
  if (!verdict.ok) return { ok: false, refusals: verdict.refusals, why: null }
  const { amounts, cells, units, guards } = verdict.plan
  if (here === null) return { ok: true, body: { amounts, cells, units }, guards, plan: verdict.plan }
  const placed = asPlaced(cells, here.cells)
  const why = 'what the domain has does not match flavor and image'
  if (placed === null) return { ok: false, refusals: [], why }
  return { ok: true, body: { amounts, cells: placed, units }, guards, plan: { ...verdict.plan, cells: placed } }
}

// The instance is there already, so neither the host's status nor its scheduling is checked, only capacity.
const standing = (host: Host): Host => ({ ...host, status: 'up', scheduling: 'enabled', leftovers: [] })

/** Thread policies come from the demand: hypervisors do not report them, and they determine which siblings are held. */
function withPolicies({ topology }: Demand, { cells, units }: ClaimedPlaces): ClaimedPlaces {
  const policy = (id: number) => topology?.cells.find((node) => node.id === id)?.threadPolicy ?? null
  return { units, cells: cells.map((node) => ({ ...node, threadPolicy: node.threadPolicy ?? policy(node.guestCell) })) }
}

function offering(host: Host, { cells, units }: ClaimedPlaces): Host {
  const cpus = new Set(cpusTaken(host.numaNodes, cells).map(({ cpu }) => cpu))
  const named = new Set(cells.map(({ hostCell }) => hostCell))
  const taken = new Set(units.map(({ unit }) => unit))
  return {
    ...host,
    numaNodes: host.numaNodes.map((node) => (named.size === 0 || named.has(node.id) ? only(node, cpus) : closed(node))),
    devices: host.devices.map((device) => ({ ...device, free: device.free && taken.has(device.unit) })),
  }
}

const only = (node: NumaNode, cpus: ReadonlySet<number>): NumaNode => ({
  ...node,
  pinnedCpus: node.dedicatedCpus.filter((cpu) => !cpus.has(cpu) || node.pinnedCpus.includes(cpu)),
})

/**
 * No vCPU finds a CPU there. Its memory is unchanged: it counts for the host as a whole, and a node marked as full
 * would be counted once more for every instance without a node.
 */
const closed = (node: NumaNode): NumaNode => {
  const cpus = [...new Set([...node.sharedCpus, ...node.dedicatedCpus])]
  return { ...node, sharedCpus: [], dedicatedCpus: cpus, pinnedCpus: cpus }
}

/**
 * The decided placement, arranged as the instance already is: it chooses which of its NUMA nodes is on which host node,
 * and which vCPU on which CPU, as long as each host node gives the same. Null when one does not.
 */
function asPlaced(decided: readonly PlacedNode[], placed: readonly PlacedNode[]): readonly PlacedNode[] | null {
  if (decided.length !== placed.length) return null
  const nodes: PlacedNode[] = []
  for (const plan of decided) {
    const own = placed.find(({ guestCell }) => guestCell === plan.guestCell)
    const there = own && decided.find(({ hostCell }) => hostCell === own.hostCell)
    if (own === undefined || there === undefined) return null
    const alike = there.memoryMib === plan.memoryMib && there.sharedVcpus.length === plan.sharedVcpus.length
    if (!alike || !sameCpus(there, own)) return null
    const { hostCell, pageKib, reservedCpus, reservedSharesCore } = there
    const shares = reservedSharesCore === undefined ? {} : { reservedSharesCore }
    const { reservedSharesCore: _, ...bare } = plan
    nodes.push({ ...bare, hostCell, pageKib, reservedCpus, ...shares, pins: own.pins })
  }
  return nodes
}

function sameCpus(one: PlacedNode, other: PlacedNode): boolean {
  const cpus = (node: PlacedNode) => [...node.pins.map(([, cpu]) => cpu), ...node.reservedCpus].sort().join()
  return cpus(one) === cpus(other) && one.pins.length === other.pins.length
}
