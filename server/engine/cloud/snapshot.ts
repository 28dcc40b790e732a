import type { Inventory } from '../resources/inventory'

// The known state of one OpenStack cloud (one region) at one time. The connector fills it and the audit judges it;
// words, states and ids are as Nova and Placement print them. Three rules hold throughout:
//
// * Unknown is not empty. A part that was not read says so (`isRead: false`) and a field that the cloud's microversion
// does not have is omitted (`undefined`), while `null` is what the API says when there is none.
// * Times are ms since the epoch by the cloud's own clock. `at` is the `Date` header of the answer with the part; of
// several pages or requests, the first one's, so that nothing in it is older. Times in bodies are the services' own.
// Reports of libvirt are dated by Berth's clock plus the cloud's offset.
// * Memory is MiB, disk GiB, job statistics bytes, as the last word of the field's name says. Nova's `swap` is MiB, as
// in the API.
//
// Where a request is named, the microversion in brackets is the lowest that has the field; requests use the highest
// that both sides know, except `/os-hypervisors/detail`, which uses 2.87 at most (later ones query each host by RPC).

/** A part that was read. */
export interface AvailablePart<T> {
  readonly isRead: true
  readonly at: number
  /** False: rows may be missing (rights of a project, pages not finished), so that absence proves nothing. */
  readonly complete: boolean
  readonly value: T
}

/** A part that was not read. */
export interface UnavailablePart {
  readonly isRead: false
  /** Ready to print: `403: needs the admin role`, `not read yet`, `timed out after 30 s`. */
  readonly why: string
}

export type Part<T> = AvailablePart<T> | UnavailablePart

/** Each by its id. */
type ById<T> = ReadonlyMap<string, T>

/** `GET /os-services` [2.53]. All binaries; the audit reads `nova-compute`. */
export interface CloudService {
  /** Uuid. */
  readonly id: string
  readonly binary: string
  /** Nova's host name (`[DEFAULT] host`), by which instances and migrations name it. */
  readonly host: string
  readonly zone: string
  readonly status: 'enabled' | 'disabled'
  readonly disabledReason: string | null
  /** By Nova's service group: a report within `service_down_time`. Forced down is down. */
  readonly state: 'up' | 'down'
  readonly forcedDown: boolean
  /** Its last report, or the last time that an operator changed it. */
  readonly updatedAt: number | null
}

/** `GET /os-hypervisors/detail` [2.53–2.87]. */
export interface CloudHypervisor {
  /** Uuid: the same as its resource provider's. */
  readonly id: string
  /** `hypervisor_hostname`: the provider's name. Ironic has many for one service. */
  readonly node: string
  /** `service.host`: Nova's host name. */
  readonly host: string
  /** `QEMU`, `fake`, `ironic`, …; power states of `fake` say nothing. */
  readonly type: string
  readonly version?: number
  readonly state: 'up' | 'down'
  readonly address: string | null
  /** Omitted since 2.88. */
  readonly vcpus?: number
  readonly memoryMib?: number
  readonly diskGib?: number
}

/** `GET /os-aggregates` [2.41 uuid]. */
export interface CloudAggregate {
  readonly id: number
  readonly uuid: string
  readonly name: string
  /** Nova host names. */
  readonly hosts: readonly string[]
  readonly zone: string | null
}

/** `GET /os-availability-zone/detail`. */
export interface CloudZone {
  readonly name: string
  readonly hosts: readonly string[]
}

/** `GET /os-server-groups?all_projects=1` [2.64]. Members include instances that were deleted long ago. */
export interface CloudGroup {
  readonly id: string
  readonly name: string
  /** `affinity`, `anti-affinity`, `soft-affinity`, `soft-anti-affinity`. */
  readonly policy: string
  /** `rules.max_server_per_host`; null when not set, which means 1. */
  readonly maxPerHost: number | null
  readonly members: readonly string[]
  readonly project: string
}

/** As embedded in an instance [2.47] or from `GET /flavors/detail?is_public=None` [2.61 extra specs]. */
export interface CloudFlavor {
  /** Omitted in an instance, which keeps a copy without the id. */
  readonly id?: string
  /** `original_name`, or `name`. */
  readonly name: string
  readonly vcpus: number
  readonly memoryMib: number
  readonly rootGib: number
  readonly ephemeralGib: number
  readonly swapMib: number
  /** Omitted where policy hides them: then no amount of the flavor is checked. */
  readonly extraSpecs?: Readonly<Record<string, string>>
}

/**
 * `GET /servers/detail?all_tenants=1` [2.47 flavor copy, 2.3 extended attributes]. Only existing ones: rows that
 * changes-since reports as DELETED are removed from the part.
 */
export interface CloudServer {
  /** Uuid: the consumer of its allocations. Names are not unique. */
  readonly id: string
  readonly name: string
  readonly project: string
  readonly user: string
  /** `OS-EXT-SRV-ATTR:host`; null before it is scheduled and while it is shelved offloaded. */
  readonly host: string | null
  /** `OS-EXT-SRV-ATTR:hypervisor_hostname`. */
  readonly node: string | null
  /** `OS-EXT-STS:vm_state`: `building`, `active`, `stopped`, `resized`, `error`, `shelved_offloaded`, … */
  readonly vmState: string
  /** `OS-EXT-STS:task_state`: null at rest. */
  readonly taskState: string | null
  /** 0 no state, 1 running, 3 paused, 4 shut down, 6 crashed, 7 suspended. As last reported by nova-compute. */
  readonly powerState: number
  /** `ACTIVE`, `VERIFY_RESIZE`, … */
  readonly status: string
  /** Present flavor: in VERIFY_RESIZE the new one. */
  readonly flavor: CloudFlavor
  /** True when `image` is empty: the root disk is a volume and is not counted in DISK_GB. */
  readonly volumeBacked: boolean
  /** Uuid of the image it was built from; null when its root disk is a volume, or unknown. */
  readonly image: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** What Nova reports in place of `updatedAt`, if its clock was ahead when it wrote. */
  readonly writtenAs?: number
  readonly zone: string | null
  readonly locked: boolean
  /** Of an instance in ERROR. */
  readonly fault: { readonly message: string } | null
}

/** Bytes of a live job, `GET /servers/{id}/migrations` [2.23], reported only in `running`. */
export interface CloudJob {
  readonly memoryTotalBytes: number
  readonly memoryProcessedBytes: number
  readonly memoryRemainingBytes: number
  readonly diskTotalBytes: number
  readonly diskProcessedBytes: number
  readonly diskRemainingBytes: number
}

/**
 * `GET /os-migrations` [2.59]. `complete` means that all unfinished ones, and all that ended in the last week, are
 * there. Records outlive their instances, some of them unfinished for ever.
 */
export interface CloudMigration {
  /** The id in `/servers/{id}/migrations/{m}`. */
  readonly id: number
  /** The consumer of the source's allocation, except of an evacuation. */
  readonly uuid: string
  /** `live-migration`, `migration`, `resize`, `evacuation`. */
  readonly type: string
  /** Any of some twenty words; unknown ones are kept as they are. */
  readonly status: string
  readonly instance: string
  /** `source_compute`, `dest_compute`: Nova host names. The target is null until one is chosen. */
  readonly sourceHost: string | null
  readonly targetHost: string | null
  readonly createdAt: number
  readonly updatedAt: number | null
  /** What Nova reports in place of `updatedAt`, or of `createdAt` when that is null, if its clock was ahead. */
  readonly writtenAs?: number
  readonly job?: CloudJob
}

/** `GET /servers/{id}/topology` [2.78]. */
export interface CloudTopology {
  /** Guest NUMA nodes; none when the instance has no NUMA topology. */
  readonly nodes: readonly {
    /** Guest CPU → host CPU, for administrators; empty when it is not pinned. */
    readonly pins?: ReadonlyMap<number, number>
  }[]
}

/** `GET /resource_providers/{u}/inventories`, by class. */
export type CloudInventory = Omit<Inventory, 'resourceClass' | 'used'>

/** Amounts by resource class. */
export type Amounts = Readonly<Record<string, number>>

/** One consumer in `GET /resource_providers/{u}/allocations`. */
export interface ProviderAllocation {
  readonly resources: Amounts
  /** `consumer_generation` [1.28]; null where the cloud has older consumers without one. */
  readonly consumerGeneration: number | null
}

/** `GET /resource_providers` [1.14 tree], and what was read below it. */
export interface CloudProvider {
  readonly id: string
  readonly name: string
  /** Generation in the newest answer that has it. */
  readonly generation: number
  readonly parent: string | null
  /** Itself when it has no parent. */
  readonly root: string
  readonly inventories: Part<Readonly<Record<string, CloudInventory>>>
  readonly traits: Part<readonly string[]>
  readonly aggregates: Part<readonly string[]>
  readonly usages: Part<Amounts>
  /** By consumer. Includes everything claimed until `at`; what was released since it was read may still be there. */
  readonly allocations: Part<ById<ProviderAllocation>>
  /** When they were read, if that was before `at`: a release raises no generation. */
  readonly allocationsReadAt?: number
}

/**
 * `GET /allocations/{c}`: all that one consumer has, and the only request that returns its project, user [1.12],
 * generation [1.28] and type [1.38]. An empty answer is a consumer that has nothing.
 */
export interface CloudConsumer {
  /** By provider. */
  readonly allocations: ById<Amounts>
  readonly generation: number | null
  readonly project: string | null
  readonly user: string | null
  /** `INSTANCE`, `MIGRATION`, another client's word, or `unknown`; omitted below 1.38. */
  readonly type?: string
}

/** A domain as libvirt reports it, if a libvirt connection to the same host exists. */
export interface WitnessedDomain {
  /** Uuid: the instance's. */
  readonly instance: string
  readonly name: string
  readonly state: 'running' | 'paused' | 'shut off' | 'crashed' | 'other'
  /** Guest CPU → host CPUs (`vcpupin`); omitted where they were not read. */
  readonly pins?: ReadonlyMap<number, readonly number[]>
}

/** Frozen. An unchanged part may be the same object as in the previous snapshot. */
export interface CloudSnapshot {
  /** The cloud's clock when the newest part was read. Ages are relative to it. */
  readonly now: number
  /** The cloud's clock just after a step of it was detected: earlier times are by another clock. Omitted: no step. */
  readonly steadySince?: number
  readonly services: Part<readonly CloudService[]>
  readonly hypervisors: Part<readonly CloudHypervisor[]>
  readonly aggregates: Part<readonly CloudAggregate[]>
  readonly zones: Part<readonly CloudZone[]>
  readonly groups: Part<readonly CloudGroup[]>
  readonly flavors: Part<readonly CloudFlavor[]>
  readonly servers: Part<readonly CloudServer[]>
  readonly migrations: Part<readonly CloudMigration[]>
  /** By instance; without a row: not queried. */
  readonly topologies: ById<Part<CloudTopology>>
  readonly providers: Part<readonly CloudProvider[]>
  /** By consumer; without a row: not queried. Newer than the provider's list, so it takes precedence. */
  readonly consumers: ById<Part<CloudConsumer>>
  /** The third source, by Nova host name; without a row: no libvirt connection to that host. */
  readonly domains: ById<Part<readonly WitnessedDomain[]>>
  /**
   * Hosts that an operator attested or a BMC verified as powered off, and since when. Excludes hosts that are only
   * forced down.
   */
  readonly deadHosts: ById<number>
}
