import { type CloudState, FLAVORS, generationOf, inventoriesOf, PINS, recordTime } from './cloud-state'

// Response bodies of Keystone, Nova and Placement of a replayed cloud; the server adds transport faults.

export function tokenBody({ clockMs }: CloudState, base: string) {
  return {
    expires_at: new Date(clockMs + 3_600_000).toISOString(),
    ...{ user: { id: 'u1', name: 'reader' }, project: { id: 'p1', name: 'admin' }, roles: [{ name: 'admin' }] },
    catalog: catalogOf(base),
  }
}

function catalogOf(base: string) {
  const endpoint = (path: string) => [{ interface: 'public', region_id: 'RegionOne', url: `${base}${path}` }]
  return [
    { type: 'compute', endpoints: endpoint('/compute/v2.1') },
    { type: 'placement', endpoints: endpoint('/placement') },
    { type: 'identity', endpoints: endpoint('/identity') },
  ]
}

/** Reversed lists: the API does not promise an order of rows. A list with more pages keeps its order. */
export function reversed(body: unknown): unknown {
  const entries = Object.entries(body as object)
  if (entries.some(([key]) => key.endsWith('_links'))) return body
  return Object.fromEntries(entries.map(([key, value]) => [key, Array.isArray(value) ? [...value].reverse() : value]))
}

export function withoutFirst(body: unknown): unknown {
  const { servers } = body as { servers?: unknown[] }
  return servers ? { ...(body as object), servers: servers.slice(servers.length > 1 ? 1 : 0) } : body
}

export interface Replay {
  /** Base URL of all services. */
  readonly base: string
  /** Rows per page. */
  readonly mostRows: number
}

export function bodyOf(state: CloudState, url: string, { base, mostRows }: Replay): unknown {
  const { pathname, searchParams } = new URL(url, 'http://cloud')
  const [, service, ...rest] = pathname.split('/')
  if (service === 'compute') return novaBody(state, rest.slice(1).join('/'), withLimit(searchParams, mostRows))
  if (pathname === '/identity/v3/auth/catalog') return { catalog: catalogOf(base) }
  return service === 'placement' ? placementBody(state, rest) : null
}

/** As a service with its own limit. */
function withLimit(query: URLSearchParams, mostRows: number): URLSearchParams {
  query.set('limit', String(Math.min(Number(query.get('limit') ?? mostRows), mostRows)))
  return query
}

const serviceOf = ({ services }: CloudState, host: string) => ({
  ...{ id: `svc-${host}`, host, disabled_reason: services.get(host)?.disabled_reason },
})

function servicesIn(state: CloudState) {
  const now = recordTime(state)
  return [...state.services].map(([host, { isAlive, updated_at, ...row }]) => ({
    ...{ ...serviceOf(state, host), ...row, binary: 'nova-compute', zone: 'nova' },
    ...{ state: isAlive && !row.forced_down ? 'up' : 'down', updated_at: isAlive ? now : updated_at },
  }))
}

const hypervisorsIn = (state: CloudState) =>
  state.providers.map(({ uuid, name }) => ({
    ...{ id: uuid, hypervisor_hostname: name, service: serviceOf(state, name), state: 'up', status: 'enabled' },
    ...{ hypervisor_type: 'QEMU', hypervisor_version: 1000, host_ip: '10.0.0.1' },
  }))

function novaBody(state: CloudState, path: string, query: URLSearchParams): unknown {
  const since = query.get('changes-since')
  const isSince = (at: unknown) => since === null || new Date(String(at)) >= new Date(since)
  if (path === '') return { version: { id: 'v2.1', status: 'CURRENT', version: '2.93', min_version: '2.1' } }
  if (path === 'servers/detail' || path === 'servers') {
    const rows = state.servers.filter((row) => isSince(row.updated) && (since !== null || row.status !== 'DELETED'))
    return pageOf('servers', rows, query)
  }
  if (path === 'os-migrations') {
    const of = query.get('instance_uuid')
    const rows = state.migrations.filter(
      (row) => (of === null || row.instance_uuid === of) && isSince(row.updated_at && `${row.updated_at}Z`),
    )
    return pageOf('migrations', rows, query, ({ uuid }) => uuid)
  }
  if (path === 'os-services') return { services: servicesIn(state) }
  if (path === 'os-hypervisors/detail' || path === 'os-hypervisors')
    return pageOf('hypervisors', hypervisorsIn(state), query)
  if (path === 'flavors/detail') return pageOf('flavors', FLAVORS, query)
  const lists: Record<string, string> = {
    ...{ 'os-aggregates': 'aggregates', 'os-availability-zone/detail': 'availabilityZoneInfo' },
    ...{ 'os-server-groups': 'server_groups' },
  }
  if (lists[path]) return { [lists[path]]: [] }
  const [of, id, part, detail] = path.split('/')
  if (of === 'servers' && part === undefined) {
    const server = state.servers.find((row) => row.id === id && row.status !== 'DELETED')
    return server ? { server } : null
  }
  if (part === 'os-instance-actions') {
    if (detail === undefined) return { instanceActions: [] }
    const fault = state.faults.get(detail)
    const events = fault === undefined ? [] : [{ event: 'conductor_migrate_server', result: 'Error', details: fault }]
    return { instanceAction: { request_id: detail, action: 'migrate', events } }
  }
  if (part === 'topology') {
    const pins = state.servers.find((row) => row.id === id)?.[PINS]
    return { nodes: pins ? [{ cpu_pinning: pins, vcpu_set: [], memory_mb: 0 }] : [], pagesize_kb: null }
  }
  return part === 'migrations' ? { migrations: [] } : null
}

function pageOf<T extends { id: unknown }>(
  key: string,
  rows: readonly T[],
  ...[query, idOf = ({ id }) => String(id)]: [URLSearchParams, ((row: T) => string)?]
) {
  const marker = query.get('marker')
  const from = marker === null ? 0 : rows.findIndex((row) => idOf(row) === marker) + 1
  if (marker !== null && from === 0) return { badRequest: { code: 400, message: `marker [${marker}] not found` } }
  const limit = Number(query.get('limit'))
  const more = from + limit < rows.length
  return {
    [key]: rows.slice(from, from + limit),
    ...(more && { [`${key}_links`]: [{ rel: 'next', href: 'http://elsewhere/' }] }),
  }
}

const allocationsOf = (state: CloudState, { allocations }: CloudState['providers'][number]) =>
  [...allocations].map(([id, row]) => [id, { ...row, consumer_generation: generationOf(state, id) }] as const)

function placementBody(state: CloudState, [kind, id, part]: readonly string[]): unknown {
  const { providers } = state
  if (kind === '') return { versions: [{ id: 'v1.0', status: 'CURRENT', min_version: '1.0', max_version: '1.39' }] }
  if (kind === 'allocations') {
    const held = providers.flatMap(({ uuid, generation, allocations }) => {
      const held = allocations.get(id ?? '')
      return held ? [[uuid, { resources: held.resources, generation }] as const] : []
    })
    const consumer_generation = generationOf(state, id ?? '')
    const of = held.length > 0 && { project_id: 'p1', user_id: 'u1', consumer_generation, consumer_type: 'INSTANCE' }
    return { allocations: Object.fromEntries(held), ...of }
  }
  if (kind !== 'resource_providers') return null
  if (id === undefined) {
    const root = ({ uuid, name, generation }: (typeof providers)[number]) => ({
      ...{ uuid, name, generation, parent_provider_uuid: null, root_provider_uuid: uuid },
    })
    return { resource_providers: providers.map(root) }
  }
  const provider = providers.find(({ uuid }) => uuid === id)
  if (!provider) return null
  const resource_provider_generation = provider.generation
  if (part === 'allocations')
    return { allocations: Object.fromEntries(allocationsOf(state, provider)), resource_provider_generation }
  if (part === 'inventories') return { inventories: inventoriesOf(provider), resource_provider_generation }
  if (part === 'traits') return { traits: provider.traits ?? [], resource_provider_generation }
  return part === 'aggregates' ? { aggregates: [], resource_provider_generation } : null
}
