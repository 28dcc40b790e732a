import type { CloudProvider, CloudSnapshot, Part } from '../../engine/cloud/snapshot'
import { groupOf, hypervisorOf, migrationOf, serverOf, serviceOf, topologyOf } from '../answers/from-nova'
import { consumerOf, holdersOf, inventoriesOf } from '../mirror/placement-trees'

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
  readonly deadHosts?: readonly string[]
}

const NOT_QUERIED = { isRead: false, why: 'not asked' } as const

export function recordedSnapshot({ answers, earlierMs = 0, deadHosts = [] }: RecordedCloud): CloudSnapshot {
  const dates = answers.flatMap(({ date }) => (date === null ? [] : [Date.parse(date)]))
  const now = Math.max(...dates) - earlierMs
  // The rig's Placement sends no Date; it was queried last.
  const timeOf = ({ date }: RecordedAnswer) => (date === null ? now : Date.parse(date) - earlierMs)
  const partOf = <T>(answer: RecordedAnswer, read: (body: Body) => T): Part<T> => ({
    ...{ isRead: true, at: timeOf(answer), complete: true, value: read(answer.body) },
  })
  const part = <T>(pattern: RegExp, read: (body: Body) => T): Part<T> => {
    const answer = answers.find(({ path }) => pattern.test(path))
    return answer === undefined ? NOT_QUERIED : partOf(answer, read)
  }
  const byId = <T>(pattern: RegExp, read: (body: Body) => T): ReadonlyMap<string, Part<T>> =>
    new Map(
      answers.flatMap((answer) => {
        const id = pattern.exec(answer.path)?.[1]
        return id === undefined ? [] : [[id, partOf(answer, read)]]
      }),
    )
  const below = (id: string, what: string) => new RegExp(`^/resource_providers/${id}/${what}$`)
  const providerOf = (row: Body): CloudProvider => ({
    ...{ id: row.uuid, name: row.name, generation: row.generation },
    ...{ parent: row.parent_provider_uuid, root: row.root_provider_uuid, usages: NOT_QUERIED },
    inventories: part(below(row.uuid, 'inventories'), ({ inventories }) => inventoriesOf(inventories)),
    traits: part(below(row.uuid, 'traits'), ({ traits }) => traits),
    aggregates: part(below(row.uuid, 'aggregates'), ({ aggregates }) => aggregates),
    allocations: part(below(row.uuid, 'allocations'), ({ allocations }) => holdersOf(allocations)),
  })
  return {
    now,
    services: part(/^\/os-services/, ({ services }) => services.map(serviceOf)),
    hypervisors: part(/^\/os-hypervisors\/detail/, ({ hypervisors }) => hypervisors.map(hypervisorOf)),
    ...{ aggregates: NOT_QUERIED, zones: NOT_QUERIED, flavors: NOT_QUERIED },
    groups: part(/^\/os-server-groups/, ({ server_groups }) => server_groups.map(groupOf)),
    servers: part(/^\/servers\/detail\?all_tenants=1$/, ({ servers }) => servers.map(serverOf)),
    migrations: part(/^\/os-migrations/, ({ migrations }) => migrations.map(migrationOf)),
    topologies: byId(/^\/servers\/([^/]+)\/topology$/, topologyOf),
    providers: part(/^\/resource_providers$/, ({ resource_providers }) => resource_providers.map(providerOf)),
    consumers: byId(/^\/allocations\/(.+)$/, consumerOf),
    domains: new Map(),
    deadHosts: new Map(deadHosts.map((host) => [host, now])),
  }
}
