import { candidates, filters, holding, holdings, inventories, inventory, reshaped } from './bodies'
import { type Holds, PlacementFixture } from './fixture'
import { mutated } from './mutations'

// The random requests of compare.ts: every route with each of its methods, in every version, valid and invalid.

const VERSIONS = 40
const EVEN = 0.6 // of the requests use any version; the rest use late ones, which have all routes
const LATE = 28
const TWISTED = 0.2 // of the requests have something wrong besides their content

export interface PlacementRequest {
  readonly method: string
  readonly path: string
  readonly minor: number
  readonly body?: unknown
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Buffer
  /** Added to the usual headers or replacing them; null omits one. */
  readonly headers?: Readonly<Record<string, string | null>>
}

interface RequestContent {
  readonly path: string
  readonly body?: unknown
}

type Make = (world: PlacementFixture, minor: number) => RequestContent
/** Weight, method, and path with body. */
type Row = readonly [weight: number, method: string, make: Make]

const NAMES = ['', 'x'.repeat(200), 'x'.repeat(201), 'é', '名前', "'; --", '<b>', 5, null]
const named = (world: PlacementFixture) => (world.is(0.05) ? world.one(NAMES) : world.name())
const parent = (world: PlacementFixture) =>
  world.is(0.4) ? {} : { parent_provider_uuid: world.is(0.2) ? null : world.provider() }

const CLASS = '/inventories/{resource_class}'
type BodyOf = (world: PlacementFixture, provider: string, minor: number) => unknown

/** A path below a provider, and the body for it. */
const ofProvider =
  (part: string, bodyOf?: BodyOf): Make =>
  (world, minor) => {
    const provider = world.provider()
    const end = part === CLASS ? `/inventories/${encodeURIComponent(world.classOf(provider))}` : part
    const path = `/resource_providers/${encodeURIComponent(provider)}${end}`
    return bodyOf ? { path, body: bodyOf(world, provider, minor) } : { path }
  }

const generated = (world: PlacementFixture, provider: string) => ({
  resource_provider_generation: world.generation(provider),
})

const PROVIDERS: readonly Row[] = [
  [
    ...([6, 'POST'] as const),
    (world) => ({
      path: '/resource_providers',
      body: { name: named(world), uuid: world.provider(), ...parent(world) },
    }),
  ],
  [
    ...([3, 'GET'] as const),
    (world) => {
      const parts = world.is(0.5) ? filters(world) : []
      if (world.is(0.2)) parts.push(`name=${world.name()}`)
      if (world.is(0.2)) parts.push(`uuid=${world.provider()}`)
      return { path: `/resource_providers?${parts.join('&')}` }
    },
  ],
  [3, 'PUT', ofProvider('', (world) => ({ name: named(world), ...parent(world) }))],
  [2, 'GET', ofProvider('')],
  [1, 'DELETE', ofProvider('')],
  [2, 'GET', ofProvider('/inventories')],
  [5, 'PUT', ofProvider('/inventories', inventories)],
  [
    ...([2, 'POST'] as const),
    ofProvider('/inventories', (world) => ({ resource_class: world.resourceClass(), ...inventory(world) })),
  ],
  [1, 'DELETE', ofProvider('/inventories')],
  [2, 'GET', ofProvider(CLASS)],
  [3, 'PUT', ofProvider(CLASS, (world, provider) => ({ ...generated(world, provider), ...inventory(world) }))],
  [1, 'DELETE', ofProvider(CLASS)],
  [2, 'GET', ofProvider('/usages')],
  [2, 'GET', ofProvider('/allocations')],
  [2, 'GET', ofProvider('/aggregates')],
  [
    ...([3, 'PUT'] as const),
    ofProvider('/aggregates', (world, provider, minor) => {
      const aggregates = world.several(world.aggregate, 2)
      return minor >= 19 ? { aggregates, ...generated(world, provider) } : aggregates
    }),
  ],
  [2, 'GET', ofProvider('/traits')],
  [
    ...([4, 'PUT'] as const),
    ofProvider('/traits', (world, provider) => ({
      ...{ traits: world.several(world.trait, 3), ...generated(world, provider) },
    })),
  ],
  [1, 'DELETE', ofProvider('/traits')],
]

const TRAIT_LISTS = [
  ...['name=startswith:CUSTOM', 'associated=true', 'associated=False', 'name=in:CUSTOM_ONE,HW_CPU_X86_AVX', 'name=x'],
  ...['', 'q=1', 'name=startswith:', 'associated=x', 'name=in:', 'name=startswith:CUSTOM&associated=true'],
]
const USAGES = ['', '&user_id=u', '&consumer_type=INSTANCE', '&consumer_type=all', '&consumer_type=unknown', '&q=1']

const ofTrait: Make = (world) => ({ path: `/traits/${encodeURIComponent(world.trait())}` })
const ofResourceClass: Make = (world, minor) => ({
  ...{ path: `/resource_classes/${encodeURIComponent(world.resourceClass())}` },
  ...(minor < 7 && { body: { name: world.resourceClass() } }),
})
const ofConsumer: Make = (world) => ({ path: `/allocations/${encodeURIComponent(world.consumer())}` })

const OTHERS: readonly Row[] = [
  [1, 'GET', (world) => ({ path: world.one(['/', '']) })],
  [2, 'GET', (world) => ({ path: `/traits?${world.one(TRAIT_LISTS)}` })],
  [2, 'GET', ofTrait],
  [4, 'PUT', ofTrait],
  [1, 'DELETE', ofTrait],
  [1, 'GET', () => ({ path: '/resource_classes' })],
  [3, 'POST', (world) => ({ path: '/resource_classes', body: { name: world.resourceClass() } })],
  [2, 'GET', ofResourceClass],
  [3, 'PUT', ofResourceClass],
  [1, 'DELETE', ofResourceClass],
  [
    ...([9, 'PUT'] as const),
    (world, minor) => {
      const consumer = world.consumer()
      return { path: `/allocations/${encodeURIComponent(consumer)}`, body: holding(world, { minor, consumer }) }
    },
  ],
  [3, 'GET', ofConsumer],
  [1, 'DELETE', ofConsumer],
  [5, 'POST', (world, minor) => ({ path: '/allocations', body: holdings(world, Math.max(minor, 12)) })],
  [2, 'GET', (world) => ({ path: `/usages?project_id=${world.one(['p', 'p', 'q', ''])}${world.one(USAGES)}` })],
  [12, 'GET', (world, minor) => ({ path: `/allocation_candidates?${candidates(world, minor)}` })],
  [5, 'POST', (world, minor) => ({ path: '/reshaper', body: reshaped(world, Math.max(minor, 30)) })],
]

/** Each route as often as its weight. */
const ROWS = [...PROVIDERS, ...OTHERS].flatMap((row) => Array.from({ length: row[0] }, () => row))

/** A seed gives the same requests as long as the servers give the same responses, apart from provider names. */
export class RequestGenerator {
  readonly world: PlacementFixture
  #next: PlacementRequest | null = null

  constructor(seed: number) {
    this.world = new PlacementFixture(seed)
  }

  next(): PlacementRequest {
    const next = this.#next ?? this.#any()
    this.#next = null
    return next
  }

  #any(): PlacementRequest {
    const { world } = this
    const minor = world.is(EVEN) ? world.number(VERSIONS) : LATE + world.number(VERSIONS - LATE)
    const [, method, make] = world.one(ROWS)
    // Sometimes in the format of another version.
    const form = world.is(0.05) ? world.number(VERSIONS) : minor
    const asked = { method, ...make(world, form), minor }
    return this.#named(world.is(TWISTED) ? mutated(asked, world) : asked)
  }

  /**
   * Each server would assign its own uuid to a provider without one, and only Placement accepts an empty name. The two
   * would then hold different things.
   */
  #named(asked: PlacementRequest): PlacementRequest {
    const { method, path, body } = asked
    if (method === 'PUT' && (body as { name?: unknown } | null | undefined)?.name === '') {
      return { ...asked, body: { ...(body as object), name: ' ' } }
    }
    if (method !== 'POST' || path.replace(/\?.*/, '') !== '/resource_providers') return asked
    if (body === null || typeof body !== 'object' || Array.isArray(body) || 'uuid' in body) return asked
    return { ...asked, body: { ...body, uuid: this.world.provider() } }
  }

  /** Records what a client would remember from the response. After a generation conflict it reads again. */
  heard(asked: PlacementRequest, { status, body }: { readonly status: number; readonly body: string }): void {
    const [noun, id, part] = asked.path.split(/[/?]/).slice(1)
    if (status === 409 && body.includes('generation') && id) this.#next = readRequestFor(noun as string, id)
    if (noun === 'resource_providers' && id && status === 404 && !part) this.world.gone(id)
    if (status >= 300) return
    if (noun === 'resource_providers' && asked.method === 'DELETE' && id && !part) this.world.gone(id)
    else if (noun === 'resource_providers') this.#heardOfProvider(asked, { id: id || uuidOf(asked), part, body })
    if (noun === 'allocations') this.#heardOfConsumers(asked, body)
    if (noun === 'reshaper') this.#raisedBy(asked.body)
  }

  #heardOfProvider(
    { method }: PlacementRequest,
    { id, part, body }: { id: string; part: string | undefined; body: string },
  ): void {
    const content = body.startsWith('{') ? JSON.parse(body) : {}
    for (const each of content.resource_providers ?? []) {
      this.world.learn(each.uuid, each.generation)
      this.world.stocked(each.uuid)
    }
    if (!id) return
    this.world.stocked(id, content.inventories && Object.keys(content.inventories))
    const generation = content.resource_provider_generation ?? (part ? undefined : content.generation)
    if (typeof generation === 'number') this.world.learn(id, generation)
    else if (method === 'POST' && !part) this.world.learn(id, 0)
    else if (method !== 'GET' && part !== 'aggregates') this.world.raised(id)
  }

  #heardOfConsumers({ method, path, body: sentBody }: PlacementRequest, body: string): void {
    const id = path.split(/[/?]/)[2]
    const content = body.startsWith('{') ? JSON.parse(body) : {}
    if (method === 'GET' && id && 'allocations' in content) {
      this.world.took(id, holdsIn(content.allocations))
      if ('consumer_generation' in content) this.world.learn(id, content.consumer_generation)
      else if (Object.keys(content.allocations).length === 0) this.world.learn(id, null)
    } else if (method === 'DELETE' && id) this.#wrote(id, {})
    else if (method === 'PUT' && id) this.#wrote(id, sentBody)
    else this.#raisedBy({ allocations: sentBody })
  }

  /** A write to several consumers, possibly with inventories. */
  #raisedBy(sentBody: unknown): void {
    const { allocations, inventories } = (sentBody ?? {}) as Record<string, Record<string, unknown>>
    for (const provider of Object.keys(inventories ?? {})) this.world.raised(provider)
    for (const [consumer, requestedAction] of Object.entries(allocations ?? {})) this.#wrote(consumer, requestedAction)
  }

  #wrote(consumer: string, requestedAction: unknown): void {
    const holds = holdsIn((requestedAction as { allocations?: unknown } | null)?.allocations)
    this.world.took(consumer, holds)
    for (const provider of Object.keys(holds)) this.world.raised(provider)
    if (Object.keys(holds).length === 0) this.world.learn(consumer, null)
    else this.world.raised(consumer)
  }
}

/** In either format: a list before 1.12, by provider since. */
function holdsIn(allocations: unknown): Holds {
  const lines = Array.isArray(allocations)
    ? allocations.map((each) => [each?.resource_provider?.uuid, each?.resources] as const)
    : Object.entries((allocations ?? {}) as Record<string, { resources?: unknown }>).map(
        ([uuid, each]) => [uuid, each?.resources] as const,
      )
  return Object.fromEntries(lines.filter(([uuid, resources]) => uuid && resources)) as Holds
}

/** The uuid of the provider that the request creates. */
const uuidOf = ({ method, body }: PlacementRequest) =>
  (method === 'POST' && (body as { uuid?: string } | null)?.uuid) || ''

const readRequestFor = (noun: string, id: string): PlacementRequest => ({
  method: 'GET',
  path: `/${noun}/${id}`,
  minor: VERSIONS - 1,
})
