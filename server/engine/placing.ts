import type { Demand } from './demand'
import type { HostHolders } from './holders'
import { unitsCutFrom } from './holdings'
import type { Host, UnitTaken } from './host'
import { amountsFor } from './resources/candidates'
import { type Amount, inventoryOf, type Provider } from './resources/inventory'
import type { FitLimits, PlacedCell } from './topology/guest'
import type { Device } from './topology/host'
import { type Fit, fitGuest, type PlaceDemand, type PreparedHost, prepareHost } from './topology/numa'
import { cpusTaken } from './topology/usage'
import type { Refusal } from './words/refusal'
import { cpuUnit, MEMORY_MB, type UnitName, VCPU } from './words/units'

// Amounts, cells and devices together. In a nested layout they are one question: a cell may have the CPUs while its
// provider keeps too little memory for guests, and then another choice of cells may still do.

export interface PlaceQuestion {
  readonly demand: Demand
  readonly host: Host
  readonly prepared: PreparedHost | undefined
  readonly wantedTraits: readonly string[]
  readonly holders: HostHolders
}

export interface Placement {
  readonly amounts: readonly Amount[]
  readonly cells: readonly PlacedCell[]
  /** Chosen devices, without those that come along with them. */
  readonly devices: readonly Device[]
  readonly units: readonly UnitTaken[]
  /** Empty when it fits. */
  readonly refusals: readonly Refusal[]
}

export function placeOn(question: PlaceQuestion): Placement {
  const asked = placeDemandOf(question.demand)
  const first = attempt(question, asked, new Set())
  return first.tooSmall.length === 0 ? first : elsewhere(question, asked, first)
}

// Longest search for another choice of cells and devices. Providers that are too small for their own cell are rare,
// and each turn leaves one of them out.
const MOST_ATTEMPTS = 64

interface Attempt extends Placement {
  readonly tooSmall: readonly Provider[]
}

/** Leaves out each too small provider in turn, fewest first; when no choice does, the first attempt's reasons stand. */
function elsewhere(question: PlaceQuestion, asked: PlaceDemand, first: Attempt): Placement {
  const queue: ReadonlySet<Provider>[] = first.tooSmall.map((provider) => new Set([provider]))
  const seen = new Set<string>()
  for (let tries = 0; tries < MOST_ATTEMPTS && queue.length > 0; tries++) {
    const without = queue.shift()!
    const key = [...without]
      .map((provider) => provider.id)
      .sort()
      .join()
    if (seen.has(key)) continue
    seen.add(key)
    const next = attempt(question, asked, without)
    if (next.refusals.length === 0) return next
    for (const provider of next.tooSmall) queue.push(new Set([...without, provider]))
  }
  return first
}

function attempt(question: PlaceQuestion, asked: PlaceDemand, without: ReadonlySet<Provider>): Attempt {
  const { demand, host, holders, wantedTraits } = question
  const fit = wantsPlaces(asked)
    ? fitGuest({ host: hostWithout(question, without), demand: asked, limits: limitsOf(host, demand), holders })
    : NOWHERE
  const devices = fit.ok ? devicesGiven(host, fit) : []
  const placed = fit.ok ? { cells: fit.cells, devices } : null
  const { amounts, refusals, tooSmall } = amountsFor({ demand, host, placed, wantedTraits, holders })
  if (!fit.ok) return { amounts, cells: [], devices, units: [], refusals: [...refusals, ...fit.refusals], tooSmall: [] }
  const units = refusals.length === 0 ? unitsOf(host, fit) : []
  return { amounts, cells: fit.cells, devices, units, refusals, tooSmall: tooSmall.filter(isPlace) }
}

// The root cannot be left out: another choice of places would ask the same of it.
const isPlace = (provider: Provider) => provider.parent !== null

const NOWHERE: Fit = { ok: true, cells: [], devices: [] }

const wantsPlaces = (asked: PlaceDemand) =>
  asked.topology !== null || asked.pci.length > 0 || asked.vgpus.length > 0 || asked.vpmems.length > 0

function placeDemandOf(demand: Demand): PlaceDemand {
  const counts = new Map<string, number>()
  for (const label of demand.vpmem) counts.set(label, (counts.get(label) ?? 0) + 1)
  return {
    topology: demand.guest,
    pci: demand.devices,
    vgpus: demand.vgpus.map((request, index) => ({ ...request, requestId: `vgpu:${index}` })),
    vpmems: [...counts].map(([label, count]) => ({
      requestId: `vpmem:${label}`,
      count,
      resourceClass: vpmemClass(label),
    })),
  }
}

/** Resource class of a label of `hw:pmem`. Source: Nova `CUSTOM_PMEM_NAMESPACE_<LABEL>`. */
export function vpmemClass(label: string): string {
  return `CUSTOM_PMEM_NAMESPACE_${label.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')}`
}

// Ratios are those of the inventories; a nested layout keeps them on its children, all alike.
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

function hostWithout({ host, prepared }: PlaceQuestion, without: ReadonlySet<Provider>): PreparedHost {
  if (without.size === 0) return prepared ?? prepareHost(host.cells, host.devices)
  const cells = new Set([...without].map((provider) => provider.cell))
  const ids = new Set<string>([...without].map((provider) => provider.id))
  return prepareHost(
    host.cells.filter((cell) => !cells.has(cell.id)),
    host.devices.filter((device) => device.provider === undefined || !ids.has(device.provider)),
  )
}

type Given = Extract<Fit, { ok: true }>

function devicesGiven(host: Host, fit: Given): readonly Device[] {
  const units = new Set(fit.devices.flatMap((given) => given.units))
  return units.size === 0 ? [] : host.devices.filter((device) => units.has(device.unit))
}

function unitsOf(host: Host, fit: Given): readonly UnitTaken[] {
  const units = cpusTaken(host.cells, fit.cells).map(
    ({ cpu, use }): UnitTaken => ({ unit: cpuUnit(cpu), kind: 'cpu', use }),
  )
  for (const { requestId, units: given } of fit.devices) {
    for (const unit of given) units.push(...withParts(host, unit, requestId))
  }
  return units
}

// Who takes a PF has its VFs too, and who takes a GPU its vGPUs: they are held as units, so that the database itself
// keeps anybody else from them. The other way round the PF is only blocked, since its other VFs stay free.
function withParts(host: Host, unit: UnitName, requestId: string): UnitTaken[] {
  const kind = host.devices.find((device) => device.unit === unit)!.kind
  const parts = unitsCutFrom(host.devices, unit).map(
    (part): UnitTaken => ({ unit: part.unit, kind: part.kind, use: 'with-parent', requestId }),
  )
  return [{ unit, kind, use: 'device', requestId }, ...parts]
}
