import { createHash } from 'node:crypto'
import type { HostCpu, HostFrame, HostSpec } from '../engine/host'
import type { Inventory, Provider } from '../engine/resources/inventory'
import type { Device, NumaNode, PagePool } from '../engine/topology/host'
import {
  type ClaimId,
  type HostId,
  type InstanceId,
  parseClaimId,
  parseHostId,
  parseInstanceId,
  parseProviderId,
} from '../engine/words/ids'
import { DISK_GB, MEMORY_MB, PCPU, VCPU } from '../engine/words/units'

/** A NUMA node as a source describes it, without usage. */
export interface BareNode {
  readonly id: number
  readonly socket: number | null
  readonly sharedCpus: readonly number[]
  readonly dedicatedCpus: readonly number[]
  readonly siblings: readonly (readonly number[])[]
  readonly memoryMib: number
  readonly pages: readonly { readonly sizeKib: number; readonly total: number }[]
  readonly physnets?: readonly string[]
  readonly tunneled?: boolean
  readonly distances?: readonly number[]
}

export interface HostRecipe {
  readonly name: string
  readonly zone: string | null
  readonly cpu: HostCpu
  readonly numaNodes: readonly BareNode[]
  readonly devices: readonly Device[]
  readonly traits: readonly string[]
  readonly aggregates: readonly string[]
  readonly diskGib: number
  /** Reserved for the hypervisor itself (Nova `reserved_host_memory_mb`). */
  readonly reservedMib: number
  readonly cpuAllocationRatioMilli: number
  readonly ramAllocationRatioMilli: number
  /** The driver of the host; the simulator by default. Nothing is scheduled to a host that Berth only reads. */
  readonly driver?: HostFrame['driver']
}

const UUID_SHAPE = /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/

/** The same text always gives the same id. */
export function uuidOf(text: string): string {
  return createHash('sha1').update(text).digest('hex').replace(UUID_SHAPE, '$1-$2-5$3-a$4-$5')
}

/** The same name always gives the same id, so that a repeated import finds its hosts. */
export function hostIdOf(name: string): HostId {
  return parseHostId(uuidOf(`host ${name}`)) as HostId
}

export function instanceIdOf(name: string): InstanceId {
  return parseInstanceId(uuidOf(`instance ${name}`)) as InstanceId
}

export function claimIdOf(name: string): ClaimId {
  return parseClaimId(uuidOf(`claim ${name}`)) as ClaimId
}

function bareNode(node: BareNode): NumaNode {
  const pages: PagePool[] = node.pages
    .map((pool) => ({ ...pool, used: 0, reserved: 0 }))
    .sort((a, b) => a.sizeKib - b.sizeKib)
  return {
    id: node.id,
    socket: node.socket,
    sharedCpus: node.sharedCpus,
    dedicatedCpus: node.dedicatedCpus,
    siblings: node.siblings,
    pinnedCpus: [],
    sharedUsed: 0,
    memoryMib: node.memoryMib,
    memoryUsedMib: 0,
    pages,
    network: { physnets: node.physnets ?? [], tunneled: node.tunneled ?? false },
    ...(node.distances ? { distances: node.distances } : {}),
  }
}

function inventory(resourceClass: string, total: number, set: Partial<Inventory> = {}): Inventory[] {
  if (total <= 0) return []
  const base = { resourceClass, total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, used: 0 }
  return [{ ...base, allocationRatioMilli: 1000, ...set }]
}

/** A flat host counts device classes on its root; PCI functions are units without an inventory, as in Nova. */
function deviceInventories(devices: readonly Device[]): Inventory[] {
  const totals = new Map<string, number>()
  for (const device of devices) {
    if (device.kind === 'pci') continue
    totals.set(device.resourceClass, (totals.get(device.resourceClass) ?? 0) + 1)
  }
  return [...totals].flatMap(([resourceClass, total]) => inventory(resourceClass, total))
}

function rootInventories(recipe: HostRecipe): Inventory[] {
  // The memory of a NUMA node without CPUs belongs to a device (a GPU's HBM): no instance may be placed there.
  const usable = recipe.numaNodes.filter((node) => node.sharedCpus.length + node.dedicatedCpus.length > 0)
  const sum = (of: (node: BareNode) => number) => usable.reduce((total, node) => total + of(node), 0)
  const memory = sum((node) => node.memoryMib)
  return [
    ...inventory(
      VCPU,
      sum((node) => node.sharedCpus.length),
      { allocationRatioMilli: recipe.cpuAllocationRatioMilli },
    ),
    ...inventory(
      PCPU,
      sum((node) => node.dedicatedCpus.length),
    ),
    ...inventory(MEMORY_MB, memory, {
      reserved: Math.min(recipe.reservedMib, memory),
      allocationRatioMilli: recipe.ramAllocationRatioMilli,
    }),
    ...inventory(DISK_GB, recipe.diskGib),
    ...deviceInventories(recipe.devices),
  ]
}

/** A flat host: everything is on the root provider, which has the host's own uuid, as in Nova. */
export function hostSpec(recipe: HostRecipe): HostSpec {
  const id = hostIdOf(recipe.name)
  const { driver = 'simulated' } = recipe
  const root: Provider = {
    id: parseProviderId(id) as Provider['id'],
    name: recipe.name,
    parent: null,
    generation: 0,
    inventories: rootInventories(recipe),
    traits: recipe.traits,
    aggregates: recipe.aggregates,
    sharing: false,
  }
  return {
    frame: {
      id,
      name: recipe.name,
      status: 'up',
      scheduling: driver === 'simulated' ? 'enabled' : 'disabled',
      zone: recipe.zone,
      cpu: recipe.cpu,
      layout: 'flat',
      driver,
      memory: 'exact',
    },
    providers: [root],
    numaNodes: recipe.numaNodes.map(bareNode),
    devices: recipe.devices,
  }
}
