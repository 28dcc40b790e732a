import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CloudSettings } from '../settings/cloud-settings'
import { Secret } from '../settings/secret'
import { type CloudState, FLAVORS, inventoriesOf, recordTime } from './cloud-state'
import { runPending, writeOf } from './replayed-writes'

// A cloud for tests: a real HTTP server on loopback with Keystone, Nova and Placement over a CloudState, and with faults as asked for.

export type Fault =
  /** No answer at all. */
  | 'late'
  | 'reset'
  | 'truncated'
  /** The body of the same request as it was asked before. */
  | 'repeated'
  /** A list of instances lacks its first row, as while a cell is down. */
  | 'missing'
  /** Rows of a list in another order. */
  | 'shuffled'
  | 401
  | 409
  | 500
  | 503

export interface ReplayedCloud {
  readonly state: CloudState
  readonly settings: CloudSettings
  /** Method and path of every request, in their order. */
  readonly log: readonly string[]
  /** Of the next requests, in this order; then there are none. Keystone has none of its own. */
  readonly fail: (faults: readonly (Fault | null)[]) => void
  readonly close: () => Promise<void>
}

const PASSWORD = 'replayed-password'
export const TOKEN_PREFIX = 'replayed-token'
/** So few that lists have pages, where nothing else is said. */
const MOST_ROWS = 3

export interface ReplayOptions {
  readonly deadlineMs?: number
  /** Rows of a page. */
  readonly mostRows?: number
  /** How long Nova works on what it accepted, by the cloud's clock. */
  readonly takesMs?: number
  /** Method and path of each request as it comes. */
  readonly onRequest?: (request: string) => void
  /** Answers of these paths, before all others. */
  readonly answers?: Readonly<Record<string, { readonly status: number; readonly body?: unknown }>>
}

export async function replayCloud(state: CloudState, options: ReplayOptions = {}): Promise<ReplayedCloud> {
  const log: string[] = []
  const faults: (Fault | null)[] = []
  const before = new Map<string, { readonly body: unknown; readonly at: number }>()
  const tokens = new Set<string>()
  let issued = 0
  const { mostRows = MOST_ROWS } = options
  const { send, sendText } = answersOf(state)
  const server = createServer((request, response) => {
    const { method = '', url = '/' } = request
    log.push(`${method} ${url}`)
    options.onRequest?.(`${method} ${url}`)
    if (url.startsWith('/identity/v3/auth/tokens')) return void issueToken(request, response)
    if (/^\/identity\/v3\/?$/.test(url)) return send(response, 200, { version: { id: 'v3.14', status: 'stable' } })
    const fault = faults.shift() ?? null
    const told = options.answers?.[url.replace(/\?.*/, '')]
    const token = String(request.headers['x-auth-token'])
    if (fault === 401) tokens.delete(token)
    const isSignedIn = tokens.has(token)
    if (!isSignedIn) return send(response, 401, { error: { code: 401, message: 'Unauthorized' } })
    runPending(state)
    // Whoever is not signed in changes nothing.
    if (request.method !== 'GET')
      return void writeOf(state, request, options.takesMs ?? 0).then(({ status, body: answer, requestId }) => {
        response.setHeader('x-openstack-request-id', requestId)
        send(response, status, answer)
      })
    if (told) return send(response, told.status, told.body ?? {})
    const old = fault === 'repeated' ? before.get(url) : undefined
    const body = old ? old.body : bodyOf(state, url, mostRows)
    if (body === null) return send(response, 404, { itemNotFound: { code: 404, message: `no ${url}` } })
    if (!old) before.set(url, { body: structuredClone(body), at: state.clockMs })
    if (fault === 'reset') return void request.socket.destroy()
    if (typeof fault === 'number')
      return send(response, fault, { computeFault: { code: fault, message: 'made to fail' } })
    if (fault === 'late') return
    const changed = fault === 'shuffled' ? reversed(body) : fault === 'missing' ? withoutFirst(body) : body
    const text = JSON.stringify(changed)
    if (old) response.setHeader('date', new Date(old.at).toUTCString())
    sendText(response, 200, fault === 'truncated' ? text.slice(0, text.length / 2) : text)
  })

  async function issueToken(request: IncomingMessage, response: ServerResponse) {
    let sent = ''
    for await (const chunk of request) sent += chunk
    if (!sent.includes(PASSWORD)) return send(response, 401, { error: { message: `wrong: ${sent}` } })
    const token = `${TOKEN_PREFIX}-${++issued}`
    tokens.add(token)
    response.setHeader('x-subject-token', token)
    send(response, 201, { token: tokenBody(state, base) })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const fail = (next: readonly (Fault | null)[]) => void faults.splice(0, faults.length, ...next)
  return { ...{ state, log, fail, close }, settings: settingsOf(base, options.deadlineMs ?? 5_000) }
}

/** Answers that are dated by the clock of the cloud. */
function answersOf(state: CloudState) {
  const sendText = (response: ServerResponse, status: number, text: string) => {
    response.sendDate = false
    if (!response.hasHeader('date')) response.setHeader('date', new Date(state.clockMs).toUTCString())
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(text)
  }
  const send = (response: ServerResponse, status: number, body: unknown) =>
    sendText(response, status, body === undefined ? '' : JSON.stringify(body))
  return { send, sendText }
}

/** What its operator would upload. */
export const yamlOf = ({ settings: { authUrl, region } }: Pick<ReplayedCloud, 'settings'>) => ({
  clouds: `clouds:
  replayed:
    region_name: ${region}
    auth:
      auth_url: ${authUrl}
      username: reader
      user_domain_id: default
      project_id: p1
`,
  secure: `clouds: {replayed: {auth: {password: ${PASSWORD}}}}`,
})

const settingsOf = (base: string, deadlineMs: number): CloudSettings => ({
  ...{ name: 'replayed', authUrl: `${base}/identity`, region: 'RegionOne', interface: 'public', deadlineMs },
  tls: { verify: true, caPath: null, certPath: null, keyPath: null },
  endpoints: { compute: null, placement: null },
  credential: {
    ...{ kind: 'password', user: { name: 'reader', domain: { id: 'default' } } },
    ...{ password: new Secret(PASSWORD), scope: { kind: 'project', project: { id: 'p1' } } },
  },
})

function tokenBody({ clockMs }: CloudState, base: string) {
  const endpoint = (path: string) => [{ interface: 'public', region_id: 'RegionOne', url: `${base}${path}` }]
  return {
    expires_at: new Date(clockMs + 3_600_000).toISOString(),
    ...{ user: { id: 'u1', name: 'reader' }, project: { id: 'p1', name: 'admin' }, roles: [{ name: 'admin' }] },
    catalog: [
      { type: 'compute', endpoints: endpoint('/compute/v2.1') },
      { type: 'placement', endpoints: endpoint('/placement') },
      { type: 'identity', endpoints: endpoint('/identity') },
    ],
  }
}

/** Reversed lists: the order in which rows come is no promise of the API. A list with more pages keeps its order. */
function reversed(body: unknown): unknown {
  const entries = Object.entries(body as object)
  if (entries.some(([key]) => key.endsWith('_links'))) return body
  return Object.fromEntries(entries.map(([key, value]) => [key, Array.isArray(value) ? [...value].reverse() : value]))
}

function withoutFirst(body: unknown): unknown {
  const { servers } = body as { servers?: unknown[] }
  return servers ? { ...(body as object), servers: servers.slice(servers.length > 1 ? 1 : 0) } : body
}

function bodyOf(state: CloudState, url: string, mostRows: number): unknown {
  const { pathname, searchParams } = new URL(url, 'http://cloud')
  const [, service, ...rest] = pathname.split('/')
  if (service === 'compute') return novaBody(state, rest.slice(1).join('/'), withLimit(searchParams, mostRows))
  return service === 'placement' ? placementBody(state, rest) : null
}

/** As a service that has a limit of its own. */
function withLimit(query: URLSearchParams, mostRows: number): URLSearchParams {
  query.set('limit', String(Math.min(Number(query.get('limit') ?? mostRows), mostRows)))
  return query
}

const serviceOf = ({ services }: CloudState, host: string) => ({
  ...{ id: `svc-${host}`, host, disabled_reason: services.get(host)?.disabled_reason },
})

function servicesIn(state: CloudState) {
  const updated_at = recordTime(state)
  return [...state.services].map(([host, { isAlive, ...row }]) => ({
    ...{ ...serviceOf(state, host), ...row, binary: 'nova-compute', zone: 'nova' },
    ...{ state: isAlive && !row.forced_down ? 'up' : 'down', updated_at: isAlive ? updated_at : null },
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
  if (part === 'topology') return { nodes: [], pagesize_kb: null }
  return part === 'migrations' ? { migrations: [] } : null
}

function pageOf<T extends { id: unknown }>(
  key: string,
  rows: readonly T[],
  ...[query, idOf = ({ id }) => String(id)]: [URLSearchParams, ((row: T) => string)?]
) {
  const marker = query.get('marker')
  const from = marker === null ? 0 : rows.findIndex((row) => idOf(row) === marker) + 1
  const limit = Number(query.get('limit'))
  const more = from + limit < rows.length
  return {
    [key]: rows.slice(from, from + limit),
    ...(more && { [`${key}_links`]: [{ rel: 'next', href: 'http://elsewhere/' }] }),
  }
}

function placementBody({ providers }: CloudState, [kind, id, part]: readonly string[]): unknown {
  if (kind === '') return { versions: [{ id: 'v1.0', status: 'CURRENT', min_version: '1.0', max_version: '1.39' }] }
  if (kind === 'allocations') {
    const held = providers.flatMap(({ uuid, generation, allocations }) => {
      const held = allocations.get(id ?? '')
      return held ? [[uuid, { resources: held.resources, generation }] as const] : []
    })
    const of = held.length > 0 && { project_id: 'p1', user_id: 'u1', consumer_generation: 1, consumer_type: 'INSTANCE' }
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
    return { allocations: Object.fromEntries(provider.allocations), resource_provider_generation }
  if (part === 'inventories') return { inventories: inventoriesOf(), resource_provider_generation }
  if (part === 'traits') return { traits: [], resource_provider_generation }
  return part === 'aggregates' ? { aggregates: [], resource_provider_generation } : null
}
