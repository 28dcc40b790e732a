import { ANONYMOUS_QUESTION, type ClaimPlan, type Decide } from '../claim'
import type { Demand } from '../demand'
import type { ClaimBody, Host } from '../host'
import type { PlacedNode } from '../topology/guest-topology'
import type { NumaNode } from '../topology/host'
import { cpusTaken } from '../topology/usage'
import type { Refusal } from '../words/refusal'

// A claim for an instance where it already runs: `decide` gets a host that offers only the places the instance has. So
// amounts and units are decided as for any claim, and the records never move a running instance to other CPUs.

export type Places = Pick<ClaimBody, 'cells' | 'units'>

export type ConfinementResult =
  | { readonly ok: true; readonly body: ClaimBody; readonly guards: ClaimPlan['guards']; readonly plan: ClaimPlan }
  | { readonly ok: false; readonly refusals: readonly Refusal[]; readonly why: string | null }

export interface Confinement {
  readonly decide: Decide
  readonly demand: Demand
  /** Without what the instance itself holds there. */
  readonly host: Host
  /** Null leaves the choice to the decision: the instance has no place yet. */
  readonly places: Places | null
}

export function confined({ decide, demand, host, places }: Confinement): ConfinementResult {
  const here = places && withPolicies(demand, places)
  const open = standing(here ? offering(host, here) : host)
  const verdict = decide({ ...ANONYMOUS_QUESTION, demand, host: open })
  if (!verdict.ok) return { ok: false, refusals: verdict.refusals, why: null }
  const { amounts, cells, units, guards } = verdict.plan
  if (here === null) return { ok: true, body: { amounts, cells, units }, guards, plan: verdict.plan }
  const lain = asLain(cells, here.cells)
  const why = 'what the domain has does not match flavor and image'
  if (lain === null) return { ok: false, refusals: [], why }
  return { ok: true, body: { amounts, cells: lain, units }, guards, plan: { ...verdict.plan, cells: lain } }
}

// The instance is there already, so neither the host's status nor its scheduling is checked, only capacity.
const standing = (host: Host): Host => ({ ...host, status: 'up', scheduling: 'enabled', leftovers: [] })

/** Thread policies come from the demand: hypervisors do not report them, and they determine which siblings are held. */
function withPolicies({ topology }: Demand, { cells, units }: Places): Places {
  const policy = (id: number) => topology?.cells.find((cell) => cell.id === id)?.threadPolicy ?? null
  return { units, cells: cells.map((cell) => ({ ...cell, threadPolicy: cell.threadPolicy ?? policy(cell.guestCell) })) }
}

function offering(host: Host, { cells, units }: Places): Host {
  const cpus = new Set(cpusTaken(host.numaNodes, cells).map(({ cpu }) => cpu))
  const named = new Set(cells.map(({ hostCell }) => hostCell))
  const taken = new Set(units.map(({ unit }) => unit))
  return {
    ...host,
    numaNodes: host.numaNodes.map((cell) => (named.size === 0 || named.has(cell.id) ? only(cell, cpus) : closed(cell))),
    devices: host.devices.map((device) => ({ ...device, free: device.free && taken.has(device.unit) })),
  }
}

const only = (cell: NumaNode, cpus: ReadonlySet<number>): NumaNode => ({
  ...cell,
  pinnedCpus: cell.dedicatedCpus.filter((cpu) => !cpus.has(cpu) || cell.pinnedCpus.includes(cpu)),
})

/**
 * No vCPU finds a CPU there. Its memory is unchanged: it counts for the host as a whole, and a node marked as full
 * would be counted once more for every instance without a node.
 */
const closed = (cell: NumaNode): NumaNode => {
  const cpus = [...new Set([...cell.sharedCpus, ...cell.dedicatedCpus])]
  return { ...cell, sharedCpus: [], dedicatedCpus: cpus, pinnedCpus: cpus }
}

/**
 * The decided cells in the arrangement of the guest: which of its cells is on which host cell, and which vCPU on which
 * CPU, is up to the guest as long as each host cell gives the same. Null when it does not.
 */
function asLain(decided: readonly PlacedNode[], lain: readonly PlacedNode[]): readonly PlacedNode[] | null {
  if (decided.length !== lain.length) return null
  const cells: PlacedNode[] = []
  for (const plan of decided) {
    const own = lain.find(({ guestCell }) => guestCell === plan.guestCell)
    const there = own && decided.find(({ hostCell }) => hostCell === own.hostCell)
    if (own === undefined || there === undefined) return null
    const alike = there.memoryMib === plan.memoryMib && there.sharedVcpus.length === plan.sharedVcpus.length
    if (!alike || !sameCpus(there, own)) return null
    const { hostCell, pageKib, reservedCpus, reservedSharesCore } = there
    const shares = reservedSharesCore === undefined ? {} : { reservedSharesCore }
    const { reservedSharesCore: _, ...bare } = plan
    cells.push({ ...bare, hostCell, pageKib, reservedCpus, ...shares, pins: own.pins })
  }
  return cells
}

function sameCpus(one: PlacedNode, other: PlacedNode): boolean {
  const cpus = (cell: PlacedNode) => [...cell.pins.map(([, cpu]) => cpu), ...cell.reservedCpus].sort().join()
  return cpus(one) === cpus(other) && one.pins.length === other.pins.length
}
