import { flavorAmounts } from '../amounts'
import type {
  Amounts,
  CloudFlavor,
  CloudHypervisor,
  CloudMigration,
  CloudProvider,
  CloudServer,
  CloudService,
  CloudSnapshot,
  CloudTopology,
  Part,
  ProviderAllocation,
  WitnessedDomain,
} from '../snapshot'

// The records of a cloud: Nova's, Placement's and libvirt's, and a reader of all of them in one snapshot.

type Writable<T> = { -readonly [K in keyof T]: T[K] }
export type ModelServer = Writable<CloudServer> & {
  pins: ReadonlyMap<number, number> | null
  /** Between a resize and its confirm or revert. */
  oldFlavor: CloudFlavor | null
}
export type ModelMigration = Writable<CloudMigration>
export type Pace = 'soon' | 'later'
export type Operation = Generator<Pace, void, void>

export interface ModelHost {
  readonly name: string
  provider: string
  up: boolean
  enabled: boolean
  forcedDown: boolean
  dead: boolean
  domains: Map<string, WitnessedDomain>
}

export interface ModelConsumer {
  generation: number
  readonly parts: Map<string, Amounts>
}

export interface ModelCloud {
  now: number
  serial: number
  readonly hosts: Map<string, ModelHost>
  readonly servers: Map<string, ModelServer>
  readonly migrations: ModelMigration[]
  readonly consumers: Map<string, ModelConsumer>
  /** Providers without a hypervisor: name by id. */
  readonly looseProviders: Map<string, string>
  readonly generations: Map<string, number>
  readonly groups: { id: string; policy: string; members: string[] }[]
  readonly operations: { readonly work: Operation; pace: Pace; since: number; readonly instance: string }[]
  /** Disk comes from one shared provider. */
  readonly shared: boolean
  /** libvirt is connected on every host. */
  readonly witness: boolean
}

const uuid = (serial: number): string => `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`
export const nextId = (cloud: ModelCloud): string => uuid(++cloud.serial)
export const SHARED = uuid(999_999)
const AGGREGATE = uuid(999_998)

const flavorOf = (
  name: string,
  sizes: readonly [number, number, number],
  more: Partial<CloudFlavor> = {},
): CloudFlavor => {
  const [vcpus, memoryMib, rootGib] = sizes
  return { name, vcpus, memoryMib, rootGib, ephemeralGib: 0, swapMib: 0, extraSpecs: {}, ...more }
}
export const FLAVORS = [
  flavorOf('small', [2, 1024, 1]),
  flavorOf('large', [4, 2048, 2], { swapMib: 512, ephemeralGib: 3 }),
  flavorOf('pinned', [2, 128, 1], { extraSpecs: { 'hw:cpu_policy': 'dedicated' } }),
] as const

export function newCloud(set: {
  readonly hosts: number
  readonly shared: boolean
  readonly witness: boolean
}): ModelCloud {
  const cloud: ModelCloud = {
    ...{ now: 1_800_000_000_000, serial: 0, shared: set.shared, witness: set.witness },
    ...{ hosts: new Map(), servers: new Map(), migrations: [], consumers: new Map(), looseProviders: new Map() },
    ...{ generations: new Map(), groups: [], operations: [] },
  }
  for (let at = 0; at < set.hosts; at++) addHost(cloud)
  return cloud
}

export function addHost(cloud: ModelCloud): ModelHost {
  const host: ModelHost = {
    ...{ name: `host-${++cloud.serial}`, provider: nextId(cloud), up: true, enabled: true },
    ...{ forcedDown: false, dead: false, domains: new Map() },
  }
  cloud.hosts.set(host.name, host)
  return host
}

export const hostNamed = (cloud: ModelCloud, name: string | null): ModelHost => {
  const host = cloud.hosts.get(name ?? '')
  if (host === undefined) throw new Error(`no host ${name}`)
  return host
}

/** By provider, as the scheduler claims it. */
export function claimOn(cloud: ModelCloud, host: ModelHost, flavor: CloudFlavor): ReadonlyMap<string, Amounts> {
  const amounts = flavorAmounts(flavor, false) ?? {}
  if (!cloud.shared) return new Map([[host.provider, amounts]])
  const { DISK_GB = 0, ...rest } = amounts
  return new Map([
    [host.provider, rest],
    [SHARED, { DISK_GB }],
  ])
}

/** Placement's write: replaces all allocations of a consumer. */
export function put(cloud: ModelCloud, id: string, parts: Iterable<readonly [string, Amounts]>): void {
  const before = cloud.consumers.get(id)
  const after = new Map(parts)
  for (const provider of [...(before?.parts.keys() ?? []), ...after.keys()]) {
    cloud.generations.set(provider, (cloud.generations.get(provider) ?? 0) + 1)
  }
  if (after.size === 0) cloud.consumers.delete(id)
  else cloud.consumers.set(id, { generation: (before?.generation ?? 0) + 1, parts: after })
}

export const partsOf = (cloud: ModelCloud, id: string): ReadonlyMap<string, Amounts> =>
  cloud.consumers.get(id)?.parts ?? new Map()

export function write<T extends { updatedAt: number | null }>(cloud: ModelCloud, row: T, set: Partial<T>): void {
  Object.assign(row, set, { updatedAt: cloud.now })
}

export const newPins = (cloud: ModelCloud, flavor: CloudFlavor): ReadonlyMap<number, number> | null =>
  flavor.extraSpecs?.['hw:cpu_policy'] !== 'dedicated'
    ? null
    : new Map(Array.from({ length: flavor.vcpus }, (_, vcpu) => [vcpu, ++cloud.serial]))

export const domainOf = ({ id, name, pins }: ModelServer): WitnessedDomain => ({
  ...{ instance: id, name, state: 'running' },
  pins: new Map([...(pins ?? [])].map(([vcpu, host]) => [vcpu, [host]])),
})

export function addServer(cloud: ModelCloud, host: ModelHost, flavor: CloudFlavor): ModelServer {
  const id = nextId(cloud)
  const server: ModelServer = {
    ...{ id, name: `instance-${cloud.serial}`, project: 'project', user: 'user', host: host.name, node: host.name },
    ...{
      vmState: 'active',
      taskState: null,
      powerState: 1,
      status: 'ACTIVE',
      flavor,
      volumeBacked: false,
      image: 'img',
    },
    ...{ createdAt: cloud.now, updatedAt: cloud.now, zone: null, locked: false, fault: null },
    pins: newPins(cloud, flavor),
    oldFlavor: null,
  }
  cloud.servers.set(id, server)
  put(cloud, id, claimOn(cloud, host, flavor))
  host.domains.set(id, domainOf(server))
  return server
}

export function addMigration(
  cloud: ModelCloud,
  server: ModelServer,
  set: Pick<CloudMigration, 'type' | 'status' | 'targetHost'>,
): ModelMigration {
  const migration: ModelMigration = {
    ...{
      id: ++cloud.serial,
      uuid: nextId(cloud),
      instance: server.id,
      sourceHost: server.host,
    },
    ...{ ...set, createdAt: cloud.now, updatedAt: cloud.now },
  }
  cloud.migrations.push(migration)
  return migration
}

/** The POST that moves all allocations of one consumer to another. */
export function moveAllocations(cloud: ModelCloud, from: string, to: string): void {
  const parts = partsOf(cloud, from)
  put(cloud, from, [])
  put(cloud, to, parts)
}

const partAt =
  ({ now }: ModelCloud) =>
  <T>(value: T): Part<T> => ({ isRead: true, at: now, complete: true, value })

const OFFER = { total: 1_000_000, reserved: 0, minUnit: 1, maxUnit: 1_000_000, stepSize: 1, allocationRatioMilli: 1000 }

function providersOf(cloud: ModelCloud): readonly CloudProvider[] {
  const part = partAt(cloud)
  const provider = (id: string, name: string, offers: readonly string[]): CloudProvider => {
    const held = [...cloud.consumers].flatMap(([consumer, { generation, parts }]): [string, ProviderAllocation][] => {
      const resources = parts.get(id)
      return resources === undefined ? [] : [[consumer, { resources, consumerGeneration: generation }]]
    })
    return {
      ...{ id, name, generation: cloud.generations.get(id) ?? 0, parent: null, root: id, usages: part({}) },
      inventories: part(Object.fromEntries(offers.map((each) => [each, OFFER]))),
      traits: part(id === SHARED ? ['MISC_SHARES_VIA_AGGREGATE'] : ['COMPUTE_NODE']),
      aggregates: part([AGGREGATE]),
      allocations: part(new Map(held)),
    }
  }
  const own = ['VCPU', 'PCPU', 'MEMORY_MB', ...(cloud.shared ? [] : ['DISK_GB'])]
  const hosts = [...cloud.hosts.values()].filter((host) => host.provider !== '')
  return [
    ...hosts.map(({ provider: id, name }) => provider(id, name, own)),
    ...[...cloud.looseProviders].map(([id, name]) => provider(id, name, own)),
    ...(cloud.shared ? [provider(SHARED, 'nfs', ['DISK_GB'])] : []),
  ]
}

const serviceOf = (now: number, { name, up, enabled, forcedDown }: ModelHost): CloudService => ({
  ...{ id: name, binary: 'nova-compute', host: name, zone: 'nova', status: enabled ? 'enabled' : 'disabled' },
  ...{ disabledReason: null, state: up ? 'up' : 'down', forcedDown, updatedAt: now },
})

const hypervisorOf = ({ name, provider, up }: ModelHost): CloudHypervisor => ({
  ...{ id: provider === '' ? `lost ${name}` : provider, node: name, host: name },
  ...{ type: 'QEMU', state: up ? 'up' : 'down', address: null },
})

const topologyOf = ({ pins }: ModelServer): CloudTopology => ({
  nodes: pins === null ? [] : [{ pins: new Map(pins) }],
})

/** Reads everything at one moment. */
export function capture(cloud: ModelCloud): CloudSnapshot {
  const part = partAt(cloud)
  const hosts = [...cloud.hosts.values()]
  const servers = [...cloud.servers.values()]
  const seen = cloud.witness ? hosts.filter(({ dead }) => !dead) : []
  const more = { project: 'project', user: 'user', type: 'unknown' }
  return {
    now: cloud.now,
    services: part(hosts.map((host) => serviceOf(cloud.now, host))),
    hypervisors: part(hosts.map(hypervisorOf)),
    ...{
      aggregates: part([]),
      zones: part([]),
      flavors: part(FLAVORS.map((each) => ({ ...each, id: `id-of-${each.name}` }))),
    },
    groups: part(
      cloud.groups.map(({ id, policy, members }) => {
        return { id, name: id, policy, maxPerHost: null, members: [...members], project: 'project' }
      }),
    ),
    servers: part(servers.map(({ pins: _pins, oldFlavor: _old, ...server }) => server)),
    migrations: part(cloud.migrations.map((migration) => ({ ...migration }))),
    topologies: new Map(servers.map((server) => [server.id, part(topologyOf(server))])),
    providers: part(providersOf(cloud)),
    consumers: new Map(
      [...cloud.consumers].map(([id, { generation, parts }]) => [
        id,
        part({ allocations: new Map(parts), generation, ...more }),
      ]),
    ),
    domains: new Map(seen.map(({ name, domains }) => [name, part([...domains.values()])])),
    deadHosts: new Map(hosts.filter(({ dead }) => dead).map(({ name }) => [name, cloud.now])),
  }
}
