import { pageSizeUsed, pagesOf } from '../../engine/holdings'
import type { Holding, Host, UnitUse } from '../../engine/host'
import { nodeMemory } from '../../engine/memory/node-memory'
import type { PlacedNode } from '../../engine/topology/guest-topology'
import type { NumaNode } from '../../engine/topology/host'
import { cpuUnit, type UnitName, VCPU } from '../../engine/words/units'
import { type ActiveMigrations, type Mark, type MigrationRef, markOf, migrationRef } from '../claim/view'
import { deviceForest, type MapDevice, type UsesByUnit } from '../device/view'
import type { HolderRef, Names, Ref } from '../names/names'

// The host map: NUMA nodes with their cores, memory, pages and devices, each with its holders. Holders are listed once
// and referenced by index, so that the answer for a host with hundreds of instances stays small.

export interface MapHolder {
  readonly claim: string
  readonly holder: HolderRef
  readonly instance: Ref
  readonly migration: MigrationRef | null
  readonly mark: Mark
}

/** `holder` is an index into `HostMapView.holders`. */
export interface MapAmount {
  readonly holder: number
  readonly amount: number
}

export interface MapCpu {
  readonly id: number
  /** reserved: in no pool, for the host itself. unreported: no vCPU is pinned to it, and its pool is not reported. */
  readonly pool: 'dedicated' | 'shared' | 'reserved' | 'unreported'
  /** Dedicated CPUs only. More than one entry means that two claims hold it. */
  readonly holders: readonly { readonly holder: number; readonly use: UnitUse; readonly vcpu: number | null }[]
}

export interface MapNumaNode {
  readonly id: number
  readonly socket: number | null
  readonly memoryMib: number
  /** Null, here and below: not reported. */
  readonly memoryUsedMib: number | null
  /** Memory that huge-page pools leave for ordinary pages, and how much of it is held. */
  readonly ordinaryMib: number
  readonly ordinaryUsedMib: number | null
  readonly memoryBy: readonly MapAmount[]
  /** One entry per core, its sibling threads inside, ascending by first thread. */
  readonly cores: readonly { readonly threads: readonly MapCpu[] }[]
  readonly sharedUsed: number
  readonly sharedBy: readonly MapAmount[]
  readonly pages: readonly {
    readonly sizeKib: number
    readonly total: number
    readonly used: number | null
    readonly reserved: number
    readonly by: readonly MapAmount[]
  }[]
  readonly devices: readonly MapDevice[]
  readonly distances: readonly number[] | null
  readonly physnets: readonly string[]
}

export interface HostMapView {
  readonly host: Ref
  readonly seq: string
  readonly holders: readonly MapHolder[]
  /** vCPUs that are not pinned to one CPU, in NUMA nodes and in none. */
  readonly floatingVcpus: number
  readonly cells: readonly MapNumaNode[]
  /** Devices whose NUMA node the hypervisor does not report. */
  readonly devices: readonly MapDevice[]
}

export interface MapContext {
  readonly names: Names
  readonly active: ActiveMigrations
  readonly seq: string
}

export function hostMapView(host: Host, { names, active, seq }: MapContext): HostMapView {
  const uses = usesOf(host.holdings)
  const vcpus = vcpusByCpu(host.holdings)
  const forest = deviceForest(host.devices, uses)
  return {
    host: { id: host.id, name: host.name },
    seq,
    holders: host.holdings.map((holding) => mapHolder(holding, names, active)),
    floatingVcpus: floatingVcpus(host.holdings),
    cells: host.numaNodes.map((node) => ({
      ...mapNode(node, { holdings: host.holdings, uses, vcpus }),
      devices: forest.get(node.id) ?? [],
    })),
    devices: forest.get(null) ?? [],
  }
}

function mapHolder(holding: Holding, names: Names, active: ActiveMigrations): MapHolder {
  const instance = names.instance(holding.instance)
  const migration = active.get(holding.instance)
  return {
    claim: holding.claim,
    holder: { kind: holding.consumerKind, id: holding.consumer, name: instance.name },
    instance,
    migration: migration ? migrationRef(migration) : null,
    mark: markOf(holding, active),
  }
}

const floatingVcpus = (holdings: readonly Holding[]): number =>
  holdings
    .flatMap(({ body }) => body.amounts)
    .reduce((sum, { resourceClass, amount }) => sum + (resourceClass === VCPU ? amount : 0), 0)

function usesOf(holdings: readonly Holding[]): UsesByUnit {
  const uses = new Map<UnitName, { holder: number; use: UnitUse }[]>()
  holdings.forEach(({ body }, holder) => {
    for (const { unit, use } of body.units) uses.set(unit, [...(uses.get(unit) ?? []), { holder, use }])
  })
  return uses
}

interface NodeContext {
  readonly holdings: readonly Holding[]
  readonly uses: UsesByUnit
  readonly vcpus: ReadonlyMap<string, number>
}

function mapNode(node: NumaNode, { holdings, uses, vcpus }: NodeContext): Omit<MapNumaNode, 'devices'> {
  const memory = nodeMemory(node)
  return {
    id: node.id,
    socket: node.socket,
    memoryMib: node.memoryMib,
    memoryUsedMib: node.memoryUsedMib,
    ordinaryMib: memory.ordinaryMib,
    ordinaryUsedMib: memory.ordinaryUsedMib,
    memoryBy: amountsBy(node, holdings, (placed) => placed.memoryMib),
    cores: coresOf(node).map((threads) => ({
      threads: threads.map((cpu) => mapCpu(cpu, { cell: node, uses, vcpus })),
    })),
    sharedUsed: node.sharedUsed,
    sharedBy: amountsBy(node, holdings, (placed) => placed.sharedVcpus.length),
    pages: node.pages.map(({ sizeKib, total, used, reserved }) => ({
      ...{ sizeKib, total, used, reserved },
      by: amountsBy(node, holdings, (placed) =>
        pageSizeUsed(node, placed) === sizeKib ? pagesOf(placed, sizeKib) : 0,
      ),
    })),
    distances: node.distances ?? null,
    physnets: node.network?.physnets ?? [],
  }
}

function amountsBy(
  node: NumaNode,
  holdings: readonly Holding[],
  amountOf: (placed: PlacedNode) => number,
): MapAmount[] {
  return holdings.flatMap(({ body }, holder) => {
    const here = body.cells.filter((placed) => placed.hostCell === node.id)
    const amount = here.reduce((total, placed) => total + amountOf(placed), 0)
    return amount > 0 ? [{ holder, amount }] : []
  })
}

/** Sibling groups as the hypervisor reports them; a thread in no group is a core of its own. */
export function coresOf(
  node: Pick<NumaNode, 'siblings' | 'dedicatedCpus' | 'sharedCpus'>,
): readonly (readonly number[])[] {
  const grouped = new Set(node.siblings.flat())
  const alone = [...node.dedicatedCpus, ...node.sharedCpus].filter((cpu) => !grouped.has(cpu))
  const cores = [
    ...node.siblings.map((group) => [...group].sort((a, b) => a - b)),
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
  readonly cell: NumaNode
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

function poolOf(node: NumaNode, cpu: number): MapCpu['pool'] {
  if (node.dedicatedCpus.includes(cpu)) return 'dedicated'
  return node.sharedCpus.includes(cpu) ? 'shared' : 'reserved'
}
