import type { UnitUse } from '../../engine/host'
import { cpuUnit, pciUnit, type UnitName } from '../../engine/words/units'
import type { HypervisorHost, PlacedDomain } from '../../import/hypervisor'
import { deviceForest } from '../device/view'
import { coresOf, type HostMapView, type MapCpu, type MapHolder, type MapNumaNode } from '../host/map'
import type { Ref } from '../names/names'
import type { HostReading } from './host-witness'

// The map of a host that Nova manages, from its libvirt: the CPUs and devices of its domains, where their memory is
// bound, and how many pages are free. libvirt does not know which CPUs Nova reserves for pinned instances, so a CPU
// without a pinned domain is not shown as free.

type BareNode = HypervisorHost['numaNodes'][number]

interface MapDomain extends PlacedDomain {
  readonly index: number
  /** CPUs that one vCPU alone is pinned to. */
  readonly pinned: ReadonlyMap<number, number>
}

export interface DomainMap {
  readonly host: Ref
  readonly seq: string
  /** Display name of a domain. */
  readonly nameOf: (domain: PlacedDomain) => string
}

export function witnessedMap(
  { hypervisor, freePages }: Pick<HostReading, 'hypervisor' | 'freePages'>,
  { host, seq, nameOf }: DomainMap,
): HostMapView {
  const domains = domainsOnHost(hypervisor)
  const uses = usesOf(domains)
  const forest = deviceForest(hypervisor.spec.devices, uses)
  return {
    host,
    seq,
    holders: domains.map((domain) => holderOf(domain, nameOf(domain))),
    floatingVcpus: domains.reduce((sum, { holding, pinned }) => sum + Math.max(0, holding.vcpus - pinned.size), 0),
    cells: hypervisor.numaNodes.map((node) => ({
      ...mapNode(node, { guests: domains, uses, freePages }),
      devices: forest.get(node.id) ?? [],
    })),
    devices: forest.get(null) ?? [],
  }
}

/** A domain that is shut off holds nothing. */
const isHolding = ({ state }: PlacedDomain): boolean => state !== 'shut off' && state !== 'crashed'

const domainsOnHost = ({ domains }: HypervisorHost): readonly MapDomain[] =>
  domains.filter(isHolding).map((domain, index) => ({
    ...domain,
    index,
    pinned: new Map(
      domain.holding.pins.flatMap(({ vcpu, cpus: [cpu, ...others] }): [number, number][] =>
        cpu === undefined || others.length > 0 ? [] : [[cpu, vcpu]],
      ),
    ),
  }))

const holderOf = ({ uuid }: MapDomain, name: string): MapHolder => ({
  ...{ claim: uuid, holder: { kind: 'instance', id: uuid, name }, instance: { id: uuid, name } },
  ...{ migration: null, mark: 'held' },
})

type Uses = ReadonlyMap<UnitName, readonly { readonly holder: number; readonly use: UnitUse }[]>

function usesOf(domains: readonly MapDomain[]): Uses {
  const uses = new Map<UnitName, { holder: number; use: UnitUse }[]>()
  for (const { index: holder, holding, pinned } of domains) {
    const [emulator, ...others] = holding.emulatorCpus
    const ownEmulator = emulator !== undefined && others.length === 0 && !pinned.has(emulator) ? [emulator] : []
    const taken: readonly (readonly [UnitName, UnitUse])[] = [
      ...[...pinned.keys()].map((cpu) => [cpuUnit(cpu), 'pin'] as const),
      ...ownEmulator.map((cpu) => [cpuUnit(cpu), 'emulator'] as const),
      ...holding.pciAddresses.map((address) => [pciUnit(address), 'device'] as const),
    ]
    for (const [unit, use] of taken) uses.set(unit, [...(uses.get(unit) ?? []), { holder, use }])
  }
  return uses
}

interface NodeContext extends Pick<HostReading, 'freePages'> {
  readonly guests: readonly MapDomain[]
  readonly uses: Uses
}

const KIB = 1024

function mapNode(cell: BareNode, { guests: domains, uses, freePages }: NodeContext): Omit<MapNumaNode, 'devices'> {
  const bound = domains.map(({ holding }) =>
    holding.boundMib.reduce((sum, { node, memoryMib }) => sum + (node === cell.id ? memoryMib : 0), 0),
  )
  const floating = domains.map((domain) => floatingIn(cell, domain))
  const pages = [...cell.pages]
    .sort((a, b) => a.sizeKib - b.sizeKib)
    .map(({ sizeKib, total }) => {
      const free = freePages.get(`${cell.id}/${sizeKib}`) ?? null
      const by = domains.flatMap(({ index, holding: { pageKib } }) => {
        const isOfThese = pageKib.length === 1 ? pageKib[0] === sizeKib : pageKib.length === 0 && sizeKib === SMALL_KIB
        return isOfThese ? amount(index, Math.ceil(((bound[index] ?? 0) * KIB) / sizeKib)) : []
      })
      return { sizeKib, total, used: free === null ? null : Math.max(0, total - free), reserved: 0, by }
    })
  const [ordinary] = pages
  const mibOf = ({ used, sizeKib }: (typeof pages)[number]) => (used === null ? null : (used * sizeKib) / KIB)
  return {
    ...{ id: cell.id, socket: cell.socket, memoryMib: cell.memoryMib, pages },
    memoryUsedMib: pages.reduce<number | null>((sum, pool) => plus(sum, mibOf(pool)), pages.length === 0 ? null : 0),
    ordinaryMib: ordinary === undefined ? 0 : Math.floor((ordinary.total * ordinary.sizeKib) / KIB),
    ordinaryUsedMib: ordinary === undefined ? null : mibOf(ordinary),
    memoryBy: bound.flatMap((mib, index) => amount(index, mib)),
    cores: coresOf(cell).map((threads) => ({ threads: threads.map((cpu) => mapCpu(cpu, { guests: domains, uses })) })),
    sharedUsed: floating.reduce((sum, vcpus) => sum + vcpus, 0),
    sharedBy: floating.flatMap((vcpus, index) => amount(index, vcpus)),
    distances: cell.distances ?? null,
    physnets: [],
  }
}

const SMALL_KIB = 4
const amount = (holder: number, value: number) => (value > 0 ? [{ holder, amount: value }] : [])
const plus = (sum: number | null, more: number | null) =>
  sum === null || more === null ? null : Math.floor(sum + more)

/** vCPUs that may run on several CPUs, all in this node. */
function floatingIn(node: BareNode, { holding }: MapDomain): number {
  const here = new Set([...node.sharedCpus, ...node.dedicatedCpus])
  return holding.pins.filter(({ cpus }) => cpus.length > 1 && cpus.every((cpu) => here.has(cpu))).length
}

function mapCpu(cpu: number, { guests: domains, uses }: Pick<NodeContext, 'guests' | 'uses'>): MapCpu {
  const holders = (uses.get(cpuUnit(cpu)) ?? []).map(({ holder, use }) => ({
    ...{ holder, use },
    vcpu: use === 'pin' ? (domains[holder]?.pinned.get(cpu) ?? null) : null,
  }))
  return { id: cpu, pool: holders.length > 0 ? 'dedicated' : 'unreported', holders }
}
