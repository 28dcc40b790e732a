import type {
  Amounts,
  CloudGroup,
  CloudHypervisor,
  CloudInventory,
  CloudMigration,
  CloudProvider,
  CloudServer,
  CloudService,
  CloudSnapshot,
  CloudTopology,
  Part,
  WitnessedDomain,
} from '../snapshot'

// Response bodies of a real cloud, as a snapshot.

export interface RecordedAnswer {
  readonly path: string
  /** The `Date` header. */
  readonly date: string | null
  readonly body: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of a cloud are read here as they come, for tests only
type Body = any

export interface RecordedCloud {
  readonly answers: readonly RecordedAnswer[]
  /** Shifts all answers into the past by this much. */
  readonly earlierMs?: number
  /** By host. */
  readonly domains?: Readonly<Record<string, readonly WitnessedDomain[]>>
  readonly deadHosts?: readonly string[]
}

const NOT_QUERIED = { told: false, why: 'not asked' } as const

export function recordedSnapshot({
  answers,
  earlierMs = 0,
  domains = {},
  deadHosts = [],
}: RecordedCloud): CloudSnapshot {
  const dates = answers.flatMap(({ date }) => (date === null ? [] : [Date.parse(date)]))
  const now = Math.max(...dates) - earlierMs
  // The rig's Placement sends no Date; it was queried last.
  const timeOf = ({ date }: RecordedAnswer) => (date === null ? now : Date.parse(date) - earlierMs)
  const find = (pattern: RegExp) => answers.find(({ path }) => pattern.test(path))
  const part = <T>(pattern: RegExp, read: (body: Body) => T): Part<T> => {
    const answer = find(pattern)
    return answer === undefined
      ? NOT_QUERIED
      : { told: true, at: timeOf(answer), complete: true, value: read(answer.body) }
  }
  const byId = <T>(pattern: RegExp, read: (body: Body) => T): ReadonlyMap<string, Part<T>> =>
    new Map(
      answers.flatMap((answer) => {
        const id = pattern.exec(answer.path)?.[1]
        return id === undefined
          ? []
          : [[id, { told: true, at: timeOf(answer), complete: true, value: read(answer.body) } as const]]
      }),
    )
  const below = (id: string, what: string) => new RegExp(`^/resource_providers/${id}/${what}$`)
  const providerOf = (row: Body): CloudProvider => ({
    ...{ id: row.uuid, name: row.name, generation: row.generation },
    ...{ parent: row.parent_provider_uuid, root: row.root_provider_uuid, usages: NOT_QUERIED },
    inventories: part(below(row.uuid, 'inventories'), ({ inventories }) => mapped(inventories, inventoryOf)),
    traits: part(below(row.uuid, 'traits'), ({ traits }) => traits),
    aggregates: part(below(row.uuid, 'aggregates'), ({ aggregates }) => aggregates),
    allocations: part(below(row.uuid, 'allocations'), ({ allocations }) => {
      const rows = Object.entries<Body>(allocations)
      return new Map(
        rows.map(([id, { resources, consumer_generation }]) => [
          id,
          { resources, consumerGeneration: consumer_generation },
        ]),
      )
    }),
  })
  return {
    now,
    services: part(/^\/os-services/, ({ services }) => services.map(serviceOf)),
    hypervisors: part(/^\/os-hypervisors\/detail/, ({ hypervisors }) => hypervisors.map(hypervisorOf)),
    ...{ aggregates: NOT_QUERIED, zones: NOT_QUERIED, flavors: NOT_QUERIED, actions: new Map() },
    groups: part(/^\/os-server-groups/, ({ server_groups }) => server_groups.map(groupOf)),
    servers: part(/^\/servers\/detail\?all_tenants=1$/, ({ servers }) => servers.map(serverOf)),
    migrations: part(/^\/os-migrations/, ({ migrations }) => migrations.map(migrationOf)),
    topologies: byId(/^\/servers\/([^/]+)\/topology$/, topologyOf),
    providers: part(/^\/resource_providers$/, ({ resource_providers }) => resource_providers.map(providerOf)),
    consumers: byId(/^\/allocations\/(.+)$/, (body) => ({
      allocations: new Map(
        Object.entries<Body>(body.allocations).map(([id, { resources }]) => [id, resources as Amounts]),
      ),
      ...{ generation: body.consumer_generation ?? null, project: body.project_id ?? null, user: body.user_id ?? null },
      type: body.consumer_type,
    })),
    domains: new Map(
      Object.entries(domains).map(([host, value]) => [host, { told: true, at: now, complete: true, value }]),
    ),
    deadHosts: new Map(deadHosts.map((host) => [host, now])),
  }
}

const mapped = <T>(rows: Body, read: (row: Body) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, read(row)]))

/** Nova writes times without a zone; they are UTC. */
const utc = (text: string | null): number | null => (text === null ? null : Date.parse(text.replace(/Z?$/, 'Z')))

const inventoryOf = (row: Body): CloudInventory => ({
  ...{
    total: row.total,
    reserved: row.reserved,
    minUnit: row.min_unit,
    maxUnit: row.max_unit,
    stepSize: row.step_size,
  },
  allocationRatioMilli: Math.round(row.allocation_ratio * 1000),
})

const serviceOf = (row: Body): CloudService => ({
  ...{ id: row.id, binary: row.binary, host: row.host, zone: row.zone, status: row.status, state: row.state },
  ...{ disabledReason: row.disabled_reason, forcedDown: row.forced_down, updatedAt: utc(row.updated_at) },
})

const hypervisorOf = (row: Body): CloudHypervisor => ({
  ...{ id: row.id, node: row.hypervisor_hostname, host: row.service.host, type: row.hypervisor_type },
  ...{ state: row.state, address: row.host_ip },
})

const groupOf = (row: Body): CloudGroup => ({
  ...{ id: row.id, name: row.name, policy: row.policy, members: row.members, project: row.project_id },
  maxPerHost: row.rules.max_server_per_host ?? null,
})

const serverOf = (row: Body): CloudServer => ({
  ...{ id: row.id, name: row.name, project: row.tenant_id, user: row.user_id, status: row.status },
  ...{ host: row['OS-EXT-SRV-ATTR:host'], node: row['OS-EXT-SRV-ATTR:hypervisor_hostname'] },
  ...{ vmState: row['OS-EXT-STS:vm_state'], taskState: row['OS-EXT-STS:task_state'] },
  powerState: row['OS-EXT-STS:power_state'],
  flavor: {
    ...{ name: row.flavor.original_name, vcpus: row.flavor.vcpus, memoryMib: row.flavor.ram, rootGib: row.flavor.disk },
    ...{ ephemeralGib: row.flavor.ephemeral, swapMib: row.flavor.swap, extraSpecs: row.flavor.extra_specs },
  },
  ...{
    volumeBacked: row.image === '',
    image: row.image?.id ?? null,
    createdAt: utc(row.created) ?? 0,
    updatedAt: utc(row.updated) ?? 0,
  },
  ...{ launchedAt: null, zone: null, locked: false, fault: null },
})

const migrationOf = (row: Body): CloudMigration => ({
  ...{ id: row.id, uuid: row.uuid, type: row.migration_type, status: row.status, instance: row.instance_uuid },
  ...{
    sourceHost: row.source_compute,
    targetHost: row.dest_compute,
    sourceNode: row.source_node,
    targetNode: row.dest_node,
  },
  ...{ createdAt: utc(row.created_at) ?? 0, updatedAt: utc(row.updated_at) },
})

const topologyOf = (body: Body): CloudTopology => ({
  nodes: body.nodes.map((node: Body) => ({
    ...{ guestCpus: node.vcpu_set, memoryMib: node.memory_mb, hostNode: node.host_node },
    pins: new Map(Object.entries(node.cpu_pinning ?? {}).map(([guest, host]) => [Number(guest), Number(host)])),
  })),
  pageKib: body.pagesize_kb,
})
