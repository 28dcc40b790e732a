import { FRONT, KEYSTONE, NOVA, PASSWORD, PLACEMENT } from './config'
import { IMAGE } from './stand-ins'

// The rig's own APIs, asked directly: what Nova and Placement say beside what Berth shows.

const REST_MS = 120_000
const domain = { id: 'default' }

interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of other people's APIs, read by the names they have there
  readonly body: any
  readonly headers: Headers
}

/** Records of one instance. */
export interface Records {
  readonly state: string
  readonly host: string | null
  /** Status of its newest migration. */
  readonly migration: string | null
  /** Names of the providers of which it holds something, and of those that its migrations hold. */
  readonly held: readonly string[]
  readonly heldByMigrations: readonly string[]
}

export class RealCloud {
  private constructor(private readonly token: string) {}

  static async signedIn(): Promise<RealCloud> {
    const user = { name: 'admin', domain, password: PASSWORD }
    const identity = { methods: ['password'], password: { user } }
    const auth = { identity, scope: { project: { name: 'admin', domain } } }
    const { headers } = await ask('POST', `${KEYSTONE}/auth/tokens`, { body: { auth } })
    return new RealCloud(headers.get('x-subject-token') ?? '')
  }

  nova(method: string, path: string, body?: unknown): Promise<Answered> {
    const headers = { 'x-auth-token': this.token, 'openstack-api-version': 'compute 2.93' }
    return ask(method, `${NOVA}${path}`, { headers, body })
  }

  placement(path: string): Promise<Answered> {
    const headers = { 'x-auth-token': this.token, 'openstack-api-version': 'placement 1.38' }
    return ask('GET', `${PLACEMENT}${path}`, { headers })
  }

  /** Accounts of the services, and where the catalog says that they are. */
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

  /** Reported by their services, mapped to the cell, and known to Placement. */
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

  /** `liveSeconds`: how long each of its live migrations takes, unless it is aborted or forced to complete. */
  async boot(name: string, host: string, liveSeconds = 2): Promise<string> {
    const metadata = { live_seconds: String(liveSeconds) }
    const server = { name, host, imageRef: IMAGE, flavorRef: 'small', networks: 'none', metadata }
    const { status, body } = await this.nova('POST', '/servers', { server })
    if (status !== 202) throw new Error(`boot ${name}: ${status} ${JSON.stringify(body)}`)
    return body.server.id
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
): Promise<Answered> {
  const answer = await fetch(url, {
    ...{ method, headers: { 'content-type': 'application/json', ...headers } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers }
}

async function until<T>(what: string, ask: () => Promise<T | null | false>): Promise<T> {
  const deadline = Date.now() + REST_MS
  while (Date.now() < deadline) {
    const answer = await ask()
    if (answer) return answer
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`It did not come: ${what}.`)
}
