import { constraintRefusal, numbersWrong, resourcesOf, traitsOf } from './extra-specs'
import { guestTopologyOf } from './topology/constraint/constraints'
import { type AnyDeviceRequest, requestedDevicesOf } from './topology/device/devices'
import type { GuestTopology, PciRequest } from './topology/guest-topology'
import type { GroupId, HostId } from './words/ids'
import type { Refusal } from './words/refusal'
import { DISK_GB, MEMORY_MB, PCPU, VCPU } from './words/units'

// The requirements of a flavor, an image and policy, before any host is chosen. Values that do not parse or contradict
// each other are refused here, with the wrong key, so that every demand can be checked against any host.

/** Frozen copy of a Nova flavor. */
export interface Flavor {
  readonly name: string
  readonly vcpus: number
  readonly memoryMib: number
  readonly diskGib: number
  readonly extraSpecs: Readonly<Record<string, string>>
}

/** Raw image properties; strings as Glance keeps them. */
export interface Image {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
}

/** PCI alias table of the fleet (Nova `[pci] alias`): name → specs and default NUMA policy. */
export interface PciAlias {
  readonly name: string
  readonly spec: readonly Readonly<Record<string, string>>[]
  readonly numaPolicy: PciRequest['numaPolicy']
}

/** Restrictions on hosts, other than capacity. */
export interface Constraints {
  readonly requiredTraits: readonly string[]
  readonly forbiddenTraits: readonly string[]
  /** Each entry: the host must be in at least one of these aggregates. */
  readonly memberOf: readonly (readonly string[])[]
  readonly notMemberOf: readonly string[]
  readonly zone: string | null
  readonly network: { readonly physnets: readonly string[]; readonly tunneled: boolean } | null
}

export const GROUP_POLICIES = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] as const
export type GroupPolicy = (typeof GROUP_POLICIES)[number]

/** A server group with its members' present and future hosts, without the requesting instance. */
export interface Group {
  readonly id: GroupId
  readonly generation: number
  readonly policy: GroupPolicy
  /** Nova `max_server_per_host` of anti-affinity; 1 by default. */
  readonly maxPerHost: number
  /** Hosts that hold a claim of another member, one entry per member and host. */
  readonly memberHosts: readonly HostId[]
}

export interface Demand {
  /** Resource class → amount, from vcpus, memory, disk and `resources:` extra specs. */
  readonly amounts: Readonly<Record<string, number>>
  readonly topology: GuestTopology | null
  readonly devices: readonly AnyDeviceRequest[]
  readonly constraints: Constraints
}

/** Inputs of a demand besides flavor and image: the fleet's tables, and additions from ports and policy. */
export interface DemandOptions {
  readonly aliases?: readonly PciAlias[]
  /** Resource classes that stand for one mdev type each (Nova `[devices]` `mdev_class`). */
  readonly vgpuClasses?: readonly string[]
  /** Aggregates reserved for instances that require these traits (Nova `enable_isolated_aggregate_filtering`). */
  readonly isolatedAggregates?: readonly { readonly aggregate: string; readonly traits: readonly string[] }[]
  readonly portRequests?: readonly PciRequest[]
  readonly network?: Demand['constraints']['network']
  readonly zone?: string | null
  readonly memberOf?: readonly (readonly string[])[]
  readonly notMemberOf?: readonly string[]
  /** The root disk is a volume elsewhere: no local disk is claimed. */
  readonly volumeBacked?: boolean
}

export type DemandAnswer =
  | { readonly ok: true; readonly demand: Demand }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }

export function demandOf(flavor: Flavor, image: Image, options: DemandOptions = {}): DemandAnswer {
  const wrong = numbersWrong(flavor)
  const built = guestTopologyOf(flavor, image.properties)
  if (!built.ok) wrong.push(constraintRefusal(built.error))
  const topology = built.ok ? built.topology : null
  const resources = resourcesOf(flavor, wrong)
  const traits = traitsOf(flavor, image, wrong)
  const { aliases = [], portRequests = [], vgpuClasses = [] } = options
  const devices = requestedDevicesOf({ flavor, image, aliases, portRequests, vgpuClasses, resources, wrong })
  if (wrong.length > 0) return { ok: false, refusals: wrong }
  const demand: Demand = {
    amounts: amountsOf({ flavor, topology, options, resources: resources }),
    topology,
    devices,
    constraints: {
      requiredTraits: traits.required,
      forbiddenTraits: traits.forbidden,
      memberOf: options.memberOf ?? [],
      notMemberOf: [...(options.notMemberOf ?? []), ...aggregatesClosed(options, traits.required)],
      zone: options.zone ?? null,
      network: options.network ?? null,
    },
  }
  return { ok: true, demand }
}

interface AmountQuestion {
  readonly flavor: Flavor
  readonly topology: GuestTopology | null
  readonly options: DemandOptions
  readonly resources: ReadonlyMap<string, number>
}

// Nova requests PCPU for every pinned vCPU and one more for isolated emulator threads; `resources:CLASS` overrides what
// the flavor's own number would request. PCPU is the exception: the topology has already checked that both agree.
function amountsOf({ flavor, topology, options, resources }: AmountQuestion): Record<string, number> {
  const dedicated = topology?.cells.reduce((sum, node) => sum + node.dedicatedVcpus.length, 0) ?? 0
  const emulator = dedicated > 0 && topology?.emulatorThreads === 'isolate' ? 1 : 0
  const amounts = new Map<string, number>([
    [VCPU, flavor.vcpus - dedicated],
    [MEMORY_MB, flavor.memoryMib],
    [DISK_GB, options.volumeBacked ? 0 : flavor.diskGib],
  ])
  for (const [resourceClass, amount] of resources) amounts.set(resourceClass, amount)
  amounts.set(PCPU, dedicated + emulator)
  return Object.fromEntries([...amounts].filter(([, amount]) => amount > 0))
}

/** An isolated aggregate accepts only instances that require all of its traits. */
function aggregatesClosed(options: DemandOptions, required: readonly string[]): readonly string[] {
  const closed = (options.isolatedAggregates ?? []).filter((each) => each.traits.some((t) => !required.includes(t)))
  return closed.map((each) => each.aggregate)
}
