import type { Demand } from './demand'
import type { HostHolders } from './holders'
import { unitsCutFrom } from './holdings'
import type { ClaimedUnit, Host } from './host'
import { fitWithOrdinary, ordinaryShortage } from './memory/ordinary-need'
import { amountsFor, deviceCapacity, nodeHasRoom } from './resources/candidates'
import { type Amount, inventoryOf } from './resources/inventory'
import type { FitLimits, PlacedNode } from './topology/guest-topology'
import type { Device } from './topology/host'
import { type Fit, type FitDemand, type FitInput, type PreparedHost, prepareHost } from './topology/numa'
import { cpusTaken } from './topology/usage'
import type { Refusal } from './words/refusal'
import { cpuUnit, MEMORY_MB, type UnitName, VCPU } from './words/units'

// Fits amounts, NUMA nodes and devices together. In a nested layout they depend on each other: a node may have the CPUs
// while its provider lacks memory, and another choice of nodes may still fit.

export interface PlacementQuestion {
  readonly demand: Demand
  readonly host: Host
  readonly prepared: PreparedHost | undefined
  readonly wantedTraits: readonly string[]
  readonly holders: HostHolders
  readonly verdictOnly?: true | undefined
}

export interface Placement {
  readonly amounts: readonly Amount[]
  readonly cells: readonly PlacedNode[]
  /** Chosen devices, without those that come with them. */
  readonly devices: readonly Device[]
  readonly units: readonly ClaimedUnit[]
  /** Empty when it fits. */
  readonly refusals: readonly Refusal[]
}

export const UNPLACED: Placement = { amounts: [], cells: [], devices: [], units: [], refusals: [] }

export function placeOn(question: PlacementQuestion): Placement {
  const shortage = ordinaryShortage(question)
  if (shortage === null) return placedOn(question)
  if (question.verdictOnly) return { ...UNPLACED, refusals: [shortage] }
  const placement = placedOn(question)
  return { ...placement, refusals: [...placement.refusals, shortage] }
}

function placedOn(question: PlacementQuestion): Placement {
  const places = { topology: question.demand.topology, devices: question.demand.devices }
  const first = attempt(question, places, null)
  if (!first.tooSmall || (question.host.layout === 'flat' && first.devices.length === 0)) return first
  // When no other choice of places fits, the first attempt's reasons are reported.
  const second = attempt(question, places, roomOf(question))
  return second.refusals.length === 0 ? second : first
}

interface Attempt extends Placement {
  /** True when places were found, but a provider that counts them has no room. */
  readonly tooSmall: boolean
}

/**
 * Limits from inventories: excluded pairs of guest and host NUMA nodes, and at most as many devices as their provider
 * has free.
 */
interface Room {
  readonly prepared: PreparedHost
  readonly bars: FitInput['bars']
}

function roomOf({ host, demand }: PlacementQuestion): Room {
  const counts = new Map<string, number>()
  const devices = host.devices.filter((device) => {
    const room = device.free ? deviceCapacity(host, device) : null
    if (room === null) return true
    const taken = (counts.get(room.key) ?? 0) + 1
    counts.set(room.key, taken)
    return taken <= room.free
  })
  const isolated = demand.topology?.emulatorThreads === 'isolate'
  return {
    prepared: prepareHost(host.numaNodes, devices),
    bars: (guestNode, hostCell) =>
      !nodeHasRoom(host, hostCell, {
        guestNode,
        reserve: isolated && guestNode.id === demand.topology?.cells[0]?.id ? 1 : 0,
      }),
  }
}

function attempt(question: PlacementQuestion, places: FitDemand, room: Room | null): Attempt {
  const { demand, host, holders, wantedTraits, prepared, verdictOnly } = question
  const on = room?.prepared ?? prepared
  const ask = {
    demand: places,
    limits: limitsOf(host, demand),
    holders,
    verdictOnly,
    ...(room ? { bars: room.bars } : {}),
  }
  const fit = needsPlaces(demand)
    ? fitWithOrdinary({ host: on ?? prepareHost(host.numaNodes, host.devices), ...ask }, host, holders)
    : NOWHERE
  if (!fit.ok && verdictOnly) return { ...UNPLACED, refusals: fit.refusals, tooSmall: false }
  const devices = fit.ok ? devicesGiven(host, fit) : []
  const placed = fit.ok ? { cells: fit.cells, devices } : null
  const { amounts, refusals, tooSmall } = amountsFor({ demand, host, placed, wantedTraits, holders })
  if (!fit.ok) {
    return { amounts, cells: [], devices, units: [], refusals: [...refusals, ...fit.refusals], tooSmall: false }
  }
  const units = refusals.length === 0 ? unitsOf(host, fit) : []
  return { amounts, cells: fit.cells, devices, units, refusals, tooSmall }
}

const NOWHERE: Fit = { ok: true, cells: [], devices: [] }

/** NUMA nodes or devices, not only amounts. */
export const needsPlaces = ({ topology, devices }: Pick<Demand, 'topology' | 'devices'>) =>
  topology !== null || devices.length > 0

// Ratios are those of the inventories; a nested layout has them on its children, all alike.
function limitsOf(host: Host, demand: Demand): FitLimits {
  const network = demand.constraints.network
  return {
    cpuAllocationRatio: ratioOf(host, VCPU),
    ramAllocationRatio: ratioOf(host, MEMORY_MB),
    ...(network ? { network } : {}),
  }
}

function ratioOf(host: Host, resourceClass: string): number {
  for (const provider of host.providers) {
    const inventory = inventoryOf(provider, resourceClass)
    if (inventory) return inventory.allocationRatioMilli / 1000
  }
  return 1
}

type FitSuccess = Extract<Fit, { ok: true }>

function devicesGiven(host: Host, fit: FitSuccess): readonly Device[] {
  const units = new Set(fit.devices.flatMap((given) => given.units))
  return units.size === 0 ? [] : host.devices.filter((device) => units.has(device.unit))
}

function unitsOf(host: Host, fit: FitSuccess): readonly ClaimedUnit[] {
  const units = cpusTaken(host.numaNodes, fit.cells).map(
    ({ cpu, use }): ClaimedUnit => ({ unit: cpuUnit(cpu), kind: 'cpu', use }),
  )
  for (const { requestId, units: given } of fit.devices) {
    for (const unit of given) units.push(...withParts(host, unit, requestId))
  }
  return units
}

// A claim of a PF also holds its VFs, and one of a GPU its vGPUs, so that the database itself keeps other claims from
// them. Conversely the PF is only blocked, since its other VFs stay free.
function withParts(host: Host, unit: UnitName, requestId: string): ClaimedUnit[] {
  const kind = host.devices.find((device) => device.unit === unit)!.kind
  const parts = unitsCutFrom(host.devices, unit).map(
    (part): ClaimedUnit => ({ unit: part.unit, kind: part.kind, use: 'with-parent', requestId }),
  )
  return [{ unit, kind, use: 'device', requestId }, ...parts]
}
