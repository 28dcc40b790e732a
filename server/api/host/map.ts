import { pageSizeUsed, pagesOf } from '../../engine/holdings'
import type { Holding, Host } from '../../engine/host'
import { nodeMemory } from '../../engine/memory/node-memory'
import type { Cell } from '../../engine/topology/host'
import { cpuUnit, type UnitName } from '../../engine/words/units'
import { type ActiveMoves, markOf, moveRef } from '../claim/view'
import type { HostMapView, MapAmount, MapCell, MapCpu, MapHolder } from '../contract-map'
import { deviceForest } from '../device/view'
import type { Names } from '../names/names'

// The host as a picture: cells with their cores, memory, pages and devices, and at each who holds it. Holders are
// listed once and meant by index, so that a host with hundreds of guests stays a small answer.

export interface MapContext {
  readonly names: Names
  readonly active: ActiveMoves
  readonly seq: string
}

/** Each use of a unit, by the index of its holder. */
export type UsesByUnit = ReadonlyMap<UnitName, readonly { readonly holder: number; readonly use: MapUse }[]>
type MapUse = MapCpu['holders'][number]['use']

export function hostMapView(host: Host, { names, active, seq }: MapContext): HostMapView {
  const uses = usesOf(host.holdings)
  const vcpus = vcpusByCpu(host.holdings)
  const forest = deviceForest(host.devices, uses)
  return {
    host: { id: host.id, name: host.name },
    seq,
    holders: host.holdings.map((holding) => mapHolder(holding, names, active)),
    cells: host.cells.map((cell) => ({
      ...mapCell(cell, { holdings: host.holdings, uses, vcpus }),
      devices: forest.get(cell.id) ?? [],
    })),
    devices: forest.get(null) ?? [],
  }
}

function mapHolder(holding: Holding, names: Names, active: ActiveMoves): MapHolder {
  const instance = names.instance(holding.instance)
  const move = active.get(holding.instance)
  return {
    claim: holding.claim,
    holder: { kind: holding.consumerKind, id: holding.consumer, name: instance.name },
    instance,
    migration: move ? moveRef(move) : null,
    mark: markOf(holding, active),
  }
}

function usesOf(holdings: readonly Holding[]): UsesByUnit {
  const uses = new Map<UnitName, { holder: number; use: MapUse }[]>()
  holdings.forEach(({ body }, holder) => {
    for (const { unit, use } of body.units) uses.set(unit, [...(uses.get(unit) ?? []), { holder, use }])
  })
  return uses
}

interface CellContext {
  readonly holdings: readonly Holding[]
  readonly uses: UsesByUnit
  readonly vcpus: ReadonlyMap<string, number>
}

function mapCell(cell: Cell, { holdings, uses, vcpus }: CellContext): Omit<MapCell, 'devices'> {
  const memory = nodeMemory(cell)
  return {
    id: cell.id,
    socket: cell.socket,
    memoryMib: cell.memoryMib,
    memoryUsedMib: cell.memoryUsedMib,
    ordinaryMib: memory.ordinaryMib,
    ordinaryUsedMib: memory.ordinaryUsedMib,
    memoryBy: amountsBy(cell, holdings, (placed) => placed.memoryMib),
    cores: coresOf(cell).map((threads) => ({ threads: threads.map((cpu) => mapCpu(cpu, { cell, uses, vcpus })) })),
    sharedUsed: cell.sharedUsed,
    sharedBy: amountsBy(cell, holdings, (placed) => placed.sharedVcpus.length),
    pages: cell.pages.map(({ sizeKib, total, used, reserved }) => ({
      ...{ sizeKib, total, used, reserved },
      by: amountsBy(cell, holdings, (placed) =>
        pageSizeUsed(cell, placed) === sizeKib ? pagesOf(placed, sizeKib) : 0,
      ),
    })),
    distances: cell.distances ?? null,
    physnets: cell.network?.physnets ?? [],
  }
}

type Placed = Holding['body']['cells'][number]

function amountsBy(cell: Cell, holdings: readonly Holding[], amountOf: (placed: Placed) => number): MapAmount[] {
  return holdings.flatMap(({ body }, holder) => {
    const here = body.cells.filter((placed) => placed.hostCell === cell.id)
    const amount = here.reduce((total, placed) => total + amountOf(placed), 0)
    return amount > 0 ? [{ holder, amount }] : []
  })
}

/** Sibling groups as the hypervisor says them; a thread in no group is a core by itself. */
export function coresOf(cell: Cell): readonly (readonly number[])[] {
  const grouped = new Set(cell.siblings.flat())
  const alone = [...cell.dedicatedCpus, ...cell.sharedCpus].filter((cpu) => !grouped.has(cpu))
  const cores = [
    ...cell.siblings.map((group) => [...group].sort((a, b) => a - b)),
    ...[...new Set(alone)].map((cpu) => [cpu]),
  ]
  return cores.filter((core) => core.length > 0).sort(([a = 0], [b = 0]) => a - b)
}

/** Which vCPU runs on which CPU, per holder. */
function vcpusByCpu(holdings: readonly Holding[]): ReadonlyMap<string, number> {
  return new Map(
    holdings.flatMap(({ body }, holder) =>
      body.cells.flatMap(({ pins }) => pins.map(([vcpu, cpu]) => [`${holder} ${cpu}`, vcpu] as const)),
    ),
  )
}

interface CpuContext {
  readonly cell: Cell
  readonly uses: UsesByUnit
  readonly vcpus: ReadonlyMap<string, number>
}

function mapCpu(cpu: number, { cell, uses, vcpus }: CpuContext): MapCpu {
  const holders = (uses.get(cpuUnit(cpu)) ?? []).map(({ holder, use }) => ({
    holder,
    use,
    vcpu: vcpus.get(`${holder} ${cpu}`) ?? null,
  }))
  return { id: cpu, pool: poolOf(cell, cpu), holders }
}

function poolOf(cell: Cell, cpu: number): MapCpu['pool'] {
  if (cell.dedicatedCpus.includes(cpu)) return 'dedicated'
  return cell.sharedCpus.includes(cpu) ? 'shared' : 'reserved'
}
