import { performance } from 'node:perf_hooks'
import { z } from 'zod'
import { serverSchema, topologySchema } from './answers/nova'
import { providerAllocationsSchema, providersSchema } from './answers/placement'
import type { CloudClient, GetRequest } from './client'
import { CloudError, type CloudErrorKind, SERVICE_NAMES } from './http/errors'
import { HIGHEST, isAtLeast, LOWEST_NOVA } from './http/microversion'

// What can be reached in a cloud, step by step, with versions and rights, and what will stay unknown. Reads only.

export interface ProbeStep {
  readonly name: string
  readonly state: 'ok' | 'failed' | 'skipped'
  readonly says: string
  readonly fix: string | null
  /** Duration; null when it was not tried. */
  readonly ms: number | null
}

export interface ProbeReport {
  readonly steps: readonly ProbeStep[]
  /** Whether an audit of the whole cloud is possible. */
  readonly rights: 'all' | 'some' | 'unknown'
  /** What Berth will not know, each with the reason. */
  readonly unknown: readonly string[]
}

/** Calls `onSteps` with the steps so far each time one has ended. */
export async function probeCloud(
  client: CloudClient,
  onSteps: (steps: readonly ProbeStep[]) => void = () => {},
): Promise<ProbeReport> {
  const steps: ProbeStep[] = []
  const reach = async (name: string, work: () => Promise<string>): Promise<boolean> => {
    const step = steps.some(({ state }) => state !== 'ok') ? skipped(name) : await stepOf(name, work)
    steps.push(step)
    onSteps(steps)
    return step.state === 'ok'
  }
  await reach('Keystone', async () => `${client.settings.authUrl} answers with ${await client.identityVersion()}`)
  await reach('Sign-in', async () => {
    const { user, scope, roles } = await client.token()
    return `${user} in ${scope}, roles: ${roles.join(', ') || 'none'}`
  })
  await reach('Catalog', async () => `Nova at ${await client.endpoint('compute')}`)
  const nova = await reach('Nova', () => versionText(client, 'compute'))
  const signedIn = steps.find(({ name }) => name === 'Sign-in')?.state === 'ok'
  const placement = signedIn ? await stepOf('Placement', () => placementText(client)) : skipped('Placement')
  steps.push(placement)
  onSteps(steps)
  const rights: TriedRight[] = []
  for (const right of nova ? NOVA_RIGHTS : []) {
    rights.push(await tryRight(client, right))
    onSteps([...steps, ...rights.map(({ step }) => step)])
  }
  if (placement.state === 'ok') rights.push(await placementRight(client))
  const some = [...steps, ...rights.map(({ step }) => step)]
  onSteps(some)
  const asked = rights.length === NOVA_RIGHTS.length + 1
  const all = asked && rights.every(({ step }) => step.state === 'ok')
  return {
    steps: some,
    rights: all ? 'all' : rights.length === 0 ? 'unknown' : 'some',
    unknown: [
      ...rights.flatMap(({ step, right }) => (step.state === 'ok' ? [] : [right])),
      ...(await listUnavailableFacts(client, nova)),
    ],
  }
}

const skipped = (name: string): ProbeStep => ({ name, state: 'skipped', says: 'not tried', fix: null, ms: null })

async function stepOf(name: string, work: () => Promise<string>): Promise<ProbeStep> {
  const begun = performance.now()
  const ms = () => Math.round(performance.now() - begun)
  try {
    return { name, state: 'ok', says: await work(), fix: null, ms: ms() }
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    return { name, state: 'failed', says: error.message, fix: FIXES[error.kind], ms: ms() }
  }
}

/** Remedies. */
export const FIXES: Readonly<Record<CloudErrorKind, string>> = {
  unreachable: 'Check the address in clouds.yaml, the network and the firewall between here and the cloud.',
  tls: 'Set cacert to the CA of the cloud. Only `verify: false` accepts any certificate.',
  'timed-out': 'Check the load of the service, or raise api_timeout.',
  'not-authenticated': 'Check user, password or application credential, their domains and the project in clouds.yaml.',
  forbidden: 'Give the account the admin role in its project, or the rule in the policy of the service.',
  'not-found': 'Check the endpoint in the catalog.',
  busy: 'Try again when the service is less busy.',
  failed: 'Look at the log of the service for the request id.',
  refused: 'Read the words of the service; its version may be older than what Berth reads.',
  protocol: 'Check that a proxy in between does not change answers, and the address in the catalog.',
  'no-endpoint': 'Choose a region and an interface that the catalog lists, or set an endpoint override.',
}

async function versionText(client: CloudClient, service: 'compute' | 'placement'): Promise<string> {
  const { min, max } = await client.range(service)
  const used = await client.microversion(service)
  const fault = (what: string) =>
    new CloudError(
      { service, method: 'GET', path: '/' },
      { kind: 'refused', what: `${what} (it has ${min} to ${max})` },
    )
  if (used === null) throw fault(`Berth reads ${SERVICE_NAMES[service]} up to ${HIGHEST[service]} only`)
  if (service === 'compute' && !isAtLeast(used, LOWEST_NOVA)) throw fault(`Berth needs microversion ${LOWEST_NOVA}`)
  return `microversions ${min} to ${max}, read with ${used}`
}

const placementText = async (client: CloudClient) =>
  `${await versionText(client, 'placement')} at ${await client.endpoint('placement')}`

interface Right {
  /** Name of the step. */
  readonly name: string
  /** What stays unknown without it. */
  readonly right: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** What the answer lacks; null: it suffices. */
  readonly lacks?: z.ZodType<string | null>
}

const one = { limit: '1' }
const anyObject = z.looseObject({}).transform(() => null)

const NOVA_RIGHTS: readonly Right[] = [
  {
    ...{
      name: 'Instances of all projects',
      right: 'instances of other projects, and their hosts',
      path: '/servers/detail',
    },
    query: { all_tenants: '1', ...one },
    lacks: z
      .looseObject({ servers: z.array(serverSchema) })
      .transform(({ servers: [server] }) =>
        server && server['OS-EXT-SRV-ATTR:host'] === undefined ? 'the host of an instance is not shown' : null,
      ),
  },
  { name: 'Migrations', right: 'migrations, so nothing that is stuck', path: '/os-migrations', query: one },
  { name: 'Compute services', right: 'which hosts are up, disabled or forced down', path: '/os-services' },
  { name: 'Hypervisors', right: 'hosts and the providers that belong to them', path: '/os-hypervisors', query: one },
  { name: 'Aggregates', right: 'aggregates', path: '/os-aggregates' },
  { name: 'Availability zones', right: 'availability zones and their hosts', path: '/os-availability-zone/detail' },
  {
    name: 'Server groups',
    right: 'server groups of other projects',
    path: '/os-server-groups',
    query: { all_projects: '1', ...one },
  },
  { name: 'Flavors', right: 'private flavors', path: '/flavors/detail', query: { is_public: 'None', ...one } },
]

interface TriedRight {
  readonly step: ProbeStep
  readonly right: string
}

async function tryRight(client: CloudClient, { name, right, path, query, lacks }: Right): Promise<TriedRight> {
  const step = await stepOf(name, async () => {
    const answer = lacks ?? anyObject
    const request: GetRequest<string | null> = { service: 'compute', path, answer, ...(query && { query }) }
    const { value: lacking } = await client.get(request)
    if (lacking === null) return 'readable'
    throw new CloudError({ service: 'compute', method: 'GET', path }, { kind: 'forbidden', what: lacking })
  })
  return { step, right }
}

async function placementRight(client: CloudClient): Promise<TriedRight> {
  const step = await stepOf('Allocations', async () => {
    const list = await client.get({ service: 'placement', path: '/resource_providers', answer: providersSchema })
    const [provider] = list.value.resource_providers
    const path = `/resource_providers/${provider?.uuid}/allocations`
    if (provider) await client.get({ service: 'placement', path, answer: providerAllocationsSchema })
    return `readable, ${list.value.resource_providers.length} providers`
  })
  return { step, right: 'allocations and providers, so nothing that is leaked' }
}

const NEVER: readonly string[] = [
  'NUMA nodes and free CPUs of a host, PCI assignments, migration contexts: Nova has no API for them',
  'running domains of a host: only its libvirt reports them',
]

async function listUnavailableFacts(client: CloudClient, nova: boolean): Promise<readonly string[]> {
  const version = nova ? await client.microversion('compute') : null
  const older: readonly (readonly [string, string])[] = [
    ['2.59', 'uuids of migrations, so which allocation belongs to which migration'],
    ['2.61', 'extra specs in the list of flavors'],
    ['2.64', 'rules of server groups'],
    ['2.78', 'which CPUs an instance is pinned to'],
  ]
  const tooOld = older.flatMap(([from, what]) =>
    version !== null && !isAtLeast(version, from)
      ? [`${what}: Nova tells it from ${from}, this one has ${version}`]
      : [],
  )
  return [...tooOld, ...(nova ? await listUnavailablePins(client) : []), ...NEVER]
}

/** Only administrators see the pins of a topology, which shows only on an instance that has one. */
async function listUnavailablePins(client: CloudClient): Promise<readonly string[]> {
  const query = { all_tenants: '1', ...one }
  const answer = z.looseObject({ servers: z.array(z.looseObject({ id: z.string() })) })
  try {
    const [server] = (await client.get({ service: 'compute', path: '/servers', query, answer })).value.servers
    const path = `/servers/${server?.id}/topology`
    if (server) await client.get({ service: 'compute', path, answer: topologySchema })
    return []
  } catch (error) {
    if (error instanceof CloudError && error.kind === 'forbidden')
      return ['which CPUs an instance is pinned to: not allowed']
    if (error instanceof CloudError) return []
    throw error
  }
}

/** All steps in order. */
export const PROBE_STEPS: readonly string[] = [
  ...['Keystone', 'Sign-in', 'Catalog', 'Nova', 'Placement'],
  ...NOVA_RIGHTS.map(({ name }) => name),
  'Allocations',
]

export const isReached = ({ steps }: Pick<ProbeReport, 'steps'>): boolean =>
  steps.filter(({ name }) => REACHED.has(name)).every(({ state }) => state === 'ok')

const REACHED: ReadonlySet<string> = new Set(['Keystone', 'Sign-in', 'Catalog', 'Nova', 'Placement'])
