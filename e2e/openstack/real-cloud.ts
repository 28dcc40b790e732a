import { FRONT, KEYSTONE, NOVA, PASSWORD, PLACEMENT } from './config'
import { BOOTABLE, IMAGE } from './stand-ins'

// Direct access to the rig's own APIs: the state of Nova and Placement, for comparison with Berth.

const REST_MS = 240_000
const domain = { id: 'default' }

interface ApiResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of other people's APIs, read by the names they have there
  readonly body: any
  readonly headers: Headers
}

interface Service {
  readonly id: string
  readonly state: string
  readonly updated_at: string | null
}

/** Records of one instance. */
export interface Records {
  readonly state: string
  readonly host: string | null
  /** Status of its newest migration. */
  readonly migration: string | null
  /** Names of the providers with its allocations, and with allocations of its migrations. */
  readonly held: readonly string[]
  readonly heldByMigrations: readonly string[]
}

export class RealCloud {
  /** The Placement that Nova uses. */
  placementAt = PLACEMENT

  private constructor(private readonly token: string) {}

  static async signedIn(): Promise<RealCloud> {
    const user = { name: 'admin', domain, password: PASSWORD }
    const identity = { methods: ['password'], password: { user } }
    const auth = { identity, scope: { project: { name: 'admin', domain } } }
    const { headers } = await ask('POST', `${KEYSTONE}/auth/tokens`, { body: { auth } })
    return new RealCloud(headers.get('x-subject-token') ?? '')
  }

  nova(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const headers = { 'x-auth-token': this.token, 'openstack-api-version': 'compute 2.93' }
    return ask(method, `${NOVA}${path}`, { headers, body })
  }

  placement(path: string, put?: unknown): Promise<ApiResponse> {
    const headers = { 'x-auth-token': this.token, 'openstack-api-version': 'placement 1.38' }
    return ask(put === undefined ? 'GET' : 'PUT', `${this.placementAt}${path}`, { headers, body: put })
  }

  /** Gives a consumer the same allocations as another one. */
  async allocate(consumer: string, like: string): Promise<void> {
    const { body } = await this.placement(`/allocations/${like}`)
    const rows: Readonly<Record<string, { readonly resources: unknown }>> = body.allocations
    const allocations = Object.fromEntries(Object.entries(rows).map(([id, { resources }]) => [id, { resources }]))
    const { project_id, user_id } = body
    // Nova's allocations may have no consumer type, which this microversion requires.
    const claim = { allocations, project_id, user_id, consumer_type: 'INSTANCE', consumer_generation: null }
    const answer = await this.placement(`/allocations/${consumer}`, claim)
    if (answer.status !== 204)
      throw new Error(`allocate for ${consumer}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  /** Creates accounts and catalog endpoints of the services. */
  async register(services: Readonly<Record<string, string>>): Promise<void> {
    const keystone = async (method: string, path: string, body?: unknown) =>
      (await ask(method, `${KEYSTONE}${path}`, { headers: { 'x-auth-token': this.token }, body })).body
    const { roles } = await keystone('GET', '/roles?name=admin')
    const { project } = await keystone('POST', '/projects', { project: { name: 'service', domain_id: 'default' } })
    for (const name of ['nova', 'placement']) {
      const { user } = await keystone('POST', '/users', { user: { name, password: PASSWORD, domain_id: 'default' } })
      await keystone('PUT', `/projects/${project.id}/users/${user.id}/roles/${roles[0].id}`)
    }
    for (const [type, url] of Object.entries(services)) {
      const { service } = await keystone('POST', '/services', { service: { type, name: type } })
      const endpoint = (face: string, at: string) =>
        keystone('POST', '/endpoints', {
          endpoint: { service_id: service.id, interface: face, url: at, region_id: 'RegionOne' },
        })
      await endpoint('internal', url)
      await endpoint('public', PUBLIC[type] ?? url)
    }
  }

  /** Waits until the services are up, mapped to the cell and known to Placement. */
  async untilUp(hosts: readonly string[]): Promise<void> {
    await until(`nova-compute on ${hosts.join(', ')}`, async () => {
      const { services } = (await this.nova('GET', '/os-services?binary=nova-compute')).body
      const { hypervisors } = (await this.nova('GET', '/os-hypervisors')).body
      const providers = (await this.placement('/resource_providers')).body.resource_providers
      const up = named(
        services.filter((each: { state: string }) => each.state === 'up'),
        'host',
      )
      const known = [up, named(hypervisors, 'hypervisor_hostname'), named(providers, 'name')]
      return hosts.every((host) => known.every((list) => list.includes(host)))
    })
  }

  async flavor(name: string, vcpus: number): Promise<void> {
    await this.nova('POST', '/flavors', { flavor: { id: name, name, vcpus, ram: 512 * vcpus, disk: 1 } })
  }

  /** Two dedicated CPUs on two NUMA nodes. */
  async pinnedFlavor(name: string, ram: number): Promise<void> {
    await this.nova('POST', '/flavors', { flavor: { id: name, name, vcpus: 2, ram, disk: 1 } })
    const extra_specs = { 'hw:cpu_policy': 'dedicated', 'hw:numa_nodes': '2' }
    await this.nova('POST', `/flavors/${name}/os-extra_specs`, { extra_specs })
  }

  /** `liveSeconds`: how long each of its live migrations takes, unless it is aborted or forced to complete. */
  boot(name: string, host: string, liveSeconds = 2): Promise<string> {
    const metadata = { live_seconds: String(liveSeconds) }
    return this.create({ name, host, imageRef: IMAGE, flavorRef: 'small', metadata })
  }

  /** Boots the guest software of the rig; needs the libvirt driver. */
  bootGuest(name: string, host: string, flavorRef: string): Promise<string> {
    return this.create({ name, host, imageRef: BOOTABLE, flavorRef })
  }

  private async create(server: Readonly<Record<string, unknown>>): Promise<string> {
    const { status, body } = await this.nova('POST', '/servers', { server: { ...server, networks: 'none' } })
    if (status !== 202) throw new Error(`boot ${server.name}: ${status} ${JSON.stringify(body)}`)
    return body.server.id
  }

  /** CPUs of a pinned instance as Nova records them, such as `0 to 2, 1 to 5`. */
  async pins(id: string): Promise<string> {
    const { nodes } = (await this.nova('GET', `/servers/${id}/topology`)).body
    return nodes
      .flatMap(({ cpu_pinning: pins }: { cpu_pinning: Readonly<Record<string, number>> }) => Object.entries(pins))
      .map(([guest, host]: readonly [string, number]) => `${guest} to ${host}`)
      .sort()
      .join(', ')
  }

  /** One action of an instance; throws unless Nova accepts it. */
  async act(id: string, action: Readonly<Record<string, unknown>>): Promise<void> {
    const { status, body } = await this.nova('POST', `/servers/${id}/action`, action)
    if (status >= 300) throw new Error(`${JSON.stringify(action)} of ${id}: ${status} ${JSON.stringify(body)}`)
  }

  /** Resolves when Nova no longer has it. */
  async remove(id: string): Promise<void> {
    await this.nova('DELETE', `/servers/${id}`)
    await until(`${id} deleted`, async () => (await this.nova('GET', `/servers/${id}`)).status === 404)
  }

  async forceDown(host: string, isForced: boolean): Promise<void> {
    const { id } = await this.service(host)
    const { status, body } = await this.nova('PUT', `/os-services/${id}`, { forced_down: isForced })
    if (status >= 300) throw new Error(`force ${host} down: ${status} ${JSON.stringify(body)}`)
  }

  async untilDown(host: string): Promise<void> {
    await until(`${host} down`, async () => (await this.service(host)).state === 'down')
  }

  /** Forces a running live migration to complete. */
  async forceComplete(id: string): Promise<void> {
    const { id: migration } = await this.newestMigration(id)
    const { status } = await this.nova('POST', `/servers/${id}/migrations/${migration}/action`, {
      force_complete: null,
    })
    if (status >= 300) throw new Error(`force the migration of ${id} to complete: ${status}`)
  }

  /** Last report of nova-compute on that host, in ms since the epoch. */
  async reportOf(host: string): Promise<number> {
    const { updated_at: at } = await this.service(host)
    return at ? Date.parse(`${at.replace(/\.\d+$/, '')}Z`) : 0
  }

  private async service(host: string): Promise<Service> {
    const { services } = (await this.nova('GET', `/os-services?binary=nova-compute&host=${host}`)).body
    return services[0]
  }

  /** Uuid of the provider of a host. */
  async provider(host: string): Promise<string> {
    return (await this.placement(`/resource_providers?name=${host}`)).body.resource_providers[0].uuid
  }

  async newestMigration(id: string): Promise<{ readonly id: number; readonly uuid: string; readonly status: string }> {
    const { migrations } = (await this.nova('GET', `/os-migrations?instance_uuid=${id}`)).body
    return [...migrations].sort((one, other) => other.id - one.id)[0]
  }

  /** One line per consumer with allocations and generation, and per instance and migration with Nova's record. */
  async everything(): Promise<ReadonlyMap<string, string>> {
    const lines = new Map<string, string>()
    const { servers } = (await this.nova('GET', '/servers/detail?all_tenants=1')).body
    for (const server of servers) {
      const { id, status, updated } = server
      const [host, task] = [server['OS-EXT-SRV-ATTR:host'], server['OS-EXT-STS:task_state']]
      lines.set(`instance ${id}`, [host, status, task, updated].join(' '))
    }
    const { migrations } = (await this.nova('GET', '/os-migrations')).body
    for (const { uuid, status, updated_at: at } of migrations) lines.set(`migration ${uuid}`, `${status} ${at}`)
    for (const { uuid, name } of (await this.placement('/resource_providers')).body.resource_providers) {
      const { allocations } = (await this.placement(`/resource_providers/${uuid}/allocations`)).body
      for (const [consumer, held] of Object.entries(allocations)) {
        const key = `consumer ${consumer}`
        lines.set(key, [lines.get(key), `${name} ${JSON.stringify(held)}`].filter(Boolean).join('; '))
      }
    }
    return lines
  }

  async records(id: string): Promise<Records> {
    const { server } = (await this.nova('GET', `/servers/${id}`)).body
    const { migrations } = (await this.nova('GET', `/os-migrations?instance_uuid=${id}`)).body
    const newest = [...migrations].sort((one, other) => other.id - one.id)[0]
    const providers = (await this.placement('/resource_providers')).body.resource_providers
    const holders = async (consumer: string): Promise<string[]> => {
      const { allocations } = (await this.placement(`/allocations/${consumer}`)).body
      return Object.keys(allocations).map(
        (uuid) => providers.find((each: { uuid: string }) => each.uuid === uuid)?.name,
      )
    }
    const ofMigrations = await Promise.all(migrations.map(({ uuid }: { uuid: string }) => holders(uuid)))
    return {
      state: `${server['OS-EXT-STS:vm_state']} ${server['OS-EXT-STS:task_state'] ?? 'rests'}`,
      host: server['OS-EXT-SRV-ATTR:host'],
      migration: newest?.status ?? null,
      held: await holders(id),
      heldByMigrations: ofMigrations.flat(),
    }
  }

  untilRecords(id: string, what: string, holds: (records: Records) => boolean): Promise<Records> {
    return until(`${what} of ${id}`, async () => {
      const records = await this.records(id)
      return holds(records) ? records : null
    })
  }
}

const FRONT_PATHS = { compute: '/compute/v2.1', placement: '/placement' } as const
const PUBLIC: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FRONT_PATHS).map(([type, path]) => [type, `${FRONT}${path}`]),
)

const named = (rows: readonly Record<string, string>[], key: string) => rows.map((row) => row[key])

async function ask(
  method: string,
  url: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } = {},
): Promise<ApiResponse> {
  const answer = await fetch(url, {
    ...{ method, headers: { 'content-type': 'application/json', ...headers } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers }
}

export async function until<T>(what: string, ask: () => Promise<T | null | false>, everyMs = 500): Promise<T> {
  const deadline = Date.now() + REST_MS
  while (Date.now() < deadline) {
    const answer = await ask()
    if (answer) return answer
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  throw new Error(`It did not come: ${what}.`)
}
