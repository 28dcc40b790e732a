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

type Make = (fixture: PlacementFixture, minor: number) => RequestContent
/** Weight, method, and path with body. */
type Row = readonly [weight: number, method: string, make: Make]

const NAMES = ['', 'x'.repeat(200), 'x'.repeat(201), 'é', '名前', "'; --", '<b>', 5, null]
const named = (fixture: PlacementFixture) => (fixture.is(0.05) ? fixture.one(NAMES) : fixture.name())
const parent = (fixture: PlacementFixture) =>
  fixture.is(0.4) ? {} : { parent_provider_uuid: fixture.is(0.2) ? null : fixture.provider() }

const CLASS = '/inventories/{resource_class}'
type BodyOf = (fixture: PlacementFixture, provider: string, minor: number) => unknown

/** A path below a provider, and the body for it. */
const ofProvider =
  (part: string, bodyOf?: BodyOf): Make =>
  (fixture, minor) => {
    const provider = fixture.provider()
    const end = part === CLASS ? `/inventories/${encodeURIComponent(fixture.classOf(provider))}` : part
    const path = `/resource_providers/${encodeURIComponent(provider)}${end}`
    return bodyOf ? { path, body: bodyOf(fixture, provider, minor) } : { path }
  }

const generated = (fixture: PlacementFixture, provider: string) => ({
  resource_provider_generation: fixture.generation(provider),
})

const PROVIDERS: readonly Row[] = [
  [
    ...([6, 'POST'] as const),
    (fixture) => ({
      path: '/resource_providers',
      body: { name: named(fixture), uuid: fixture.provider(), ...parent(fixture) },
    }),
  ],
  [
    ...([3, 'GET'] as const),
    (fixture) => {
      const parts = fixture.is(0.5) ? filters(fixture) : []
      if (fixture.is(0.2)) parts.push(`name=${fixture.name()}`)
      if (fixture.is(0.2)) parts.push(`uuid=${fixture.provider()}`)
      return { path: `/resource_providers?${parts.join('&')}` }
    },
  ],
  [3, 'PUT', ofProvider('', (fixture) => ({ name: named(fixture), ...parent(fixture) }))],
  [2, 'GET', ofProvider('')],
  [1, 'DELETE', ofProvider('')],
  [2, 'GET', ofProvider('/inventories')],
  [5, 'PUT', ofProvider('/inventories', inventories)],
  [
    ...([2, 'POST'] as const),
    ofProvider('/inventories', (fixture) => ({ resource_class: fixture.resourceClass(), ...inventory(fixture) })),
  ],
  [1, 'DELETE', ofProvider('/inventories')],
  [2, 'GET', ofProvider(CLASS)],
  [3, 'PUT', ofProvider(CLASS, (fixture, provider) => ({ ...generated(fixture, provider), ...inventory(fixture) }))],
  [1, 'DELETE', ofProvider(CLASS)],
  [2, 'GET', ofProvider('/usages')],
  [2, 'GET', ofProvider('/allocations')],
  [2, 'GET', ofProvider('/aggregates')],
  [
    ...([3, 'PUT'] as const),
    ofProvider('/aggregates', (fixture, provider, minor) => {
      const aggregates = fixture.several(fixture.aggregate, 2)
      return minor >= 19 ? { aggregates, ...generated(fixture, provider) } : aggregates
    }),
  ],
  [2, 'GET', ofProvider('/traits')],
  [
    ...([4, 'PUT'] as const),
    ofProvider('/traits', (fixture, provider) => ({
      ...{ traits: fixture.several(fixture.trait, 3), ...generated(fixture, provider) },
    })),
  ],
  [1, 'DELETE', ofProvider('/traits')],
]

const TRAIT_LISTS = [
  ...['name=startswith:CUSTOM', 'associated=true', 'associated=False', 'name=in:CUSTOM_ONE,HW_CPU_X86_AVX', 'name=x'],
  ...['', 'q=1', 'name=startswith:', 'associated=x', 'name=in:', 'name=startswith:CUSTOM&associated=true'],
]
const USAGES = ['', '&user_id=u', '&consumer_type=INSTANCE', '&consumer_type=all', '&consumer_type=unknown', '&q=1']

const ofTrait: Make = (fixture) => ({ path: `/traits/${encodeURIComponent(fixture.trait())}` })
const ofResourceClass: Make = (fixture, minor) => ({
  ...{ path: `/resource_classes/${encodeURIComponent(fixture.resourceClass())}` },
  ...(minor < 7 && { body: { name: fixture.resourceClass() } }),
})
const ofConsumer: Make = (fixture) => ({ path: `/allocations/${encodeURIComponent(fixture.consumer())}` })

const OTHERS: readonly Row[] = [
  [1, 'GET', (fixture) => ({ path: fixture.one(['/', '']) })],
  [2, 'GET', (fixture) => ({ path: `/traits?${fixture.one(TRAIT_LISTS)}` })],
  [2, 'GET', ofTrait],
  [4, 'PUT', ofTrait],
  [1, 'DELETE', ofTrait],
  [1, 'GET', () => ({ path: '/resource_classes' })],
  [3, 'POST', (fixture) => ({ path: '/resource_classes', body: { name: fixture.resourceClass() } })],
  [2, 'GET', ofResourceClass],
  [3, 'PUT', ofResourceClass],
  [1, 'DELETE', ofResourceClass],
  [
    ...([9, 'PUT'] as const),
    (fixture, minor) => {
      const consumer = fixture.consumer()
      return { path: `/allocations/${encodeURIComponent(consumer)}`, body: holding(fixture, { minor, consumer }) }
    },
  ],
  [3, 'GET', ofConsumer],
  [1, 'DELETE', ofConsumer],
  [5, 'POST', (fixture, minor) => ({ path: '/allocations', body: holdings(fixture, Math.max(minor, 12)) })],
  [2, 'GET', (fixture) => ({ path: `/usages?project_id=${fixture.one(['p', 'p', 'q', ''])}${fixture.one(USAGES)}` })],
  [12, 'GET', (fixture, minor) => ({ path: `/allocation_candidates?${candidates(fixture, minor)}` })],
  [5, 'POST', (fixture, minor) => ({ path: '/reshaper', body: reshaped(fixture, Math.max(minor, 30)) })],
]

/** Each route as often as its weight. */
const ROWS = [...PROVIDERS, ...OTHERS].flatMap((row) => Array.from({ length: row[0] }, () => row))

/** A seed gives the same requests as long as the servers give the same responses, apart from provider names. */
export class RequestGenerator {
  readonly fixture: PlacementFixture
  #next: PlacementRequest | null = null

  constructor(seed: number) {
    this.fixture = new PlacementFixture(seed)
  }

  next(): PlacementRequest {
    const next = this.#next ?? this.#any()
    this.#next = null
    return next
  }

  #any(): PlacementRequest {
    const { fixture } = this
    const minor = fixture.is(EVEN) ? fixture.number(VERSIONS) : LATE + fixture.number(VERSIONS - LATE)
    const [, method, make] = fixture.one(ROWS)
    // Sometimes in the format of another version.
    const form = fixture.is(0.05) ? fixture.number(VERSIONS) : minor
    const asked = { method, ...make(fixture, form), minor }
    return this.#named(fixture.is(TWISTED) ? mutated(asked, fixture) : asked)
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
    return { ...asked, body: { ...body, uuid: this.fixture.provider() } }
  }

  /** Records what a client would remember from the response. After a generation conflict it reads again. */
  heard(asked: PlacementRequest, { status, body }: { readonly status: number; readonly body: string }): void {
    const [noun, id, part] = asked.path.split(/[/?]/).slice(1)
    if (status === 409 && body.includes('generation') && id) this.#next = readRequestFor(noun as string, id)
    if (noun === 'resource_providers' && id && status === 404 && !part) this.fixture.gone(id)
    if (status >= 300) return
    if (noun === 'resource_providers' && asked.method === 'DELETE' && id && !part) this.fixture.gone(id)
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
      this.fixture.learn(each.uuid, each.generation)
      this.fixture.stocked(each.uuid)
    }
    if (!id) return
    this.fixture.stocked(id, content.inventories && Object.keys(content.inventories))
    const generation = content.resource_provider_generation ?? (part ? undefined : content.generation)
    if (typeof generation === 'number') this.fixture.learn(id, generation)
    else if (method === 'POST' && !part) this.fixture.learn(id, 0)
    else if (method !== 'GET' && part !== 'aggregates') this.fixture.raised(id)
  }

  #heardOfConsumers({ method, path, body: sentBody }: PlacementRequest, body: string): void {
    const id = path.split(/[/?]/)[2]
    const content = body.startsWith('{') ? JSON.parse(body) : {}
    if (method === 'GET' && id && 'allocations' in content) {
      this.fixture.took(id, holdsIn(content.allocations))
      if ('consumer_generation' in content) this.fixture.learn(id, content.consumer_generation)
      else if (Object.keys(content.allocations).length === 0) this.fixture.learn(id, null)
    } else if (method === 'DELETE' && id) this.#wrote(id, {})
    else if (method === 'PUT' && id) this.#wrote(id, sentBody)
    else this.#raisedBy({ allocations: sentBody })
  }

  /** A write to several consumers, possibly with inventories. */
  #raisedBy(sentBody: unknown): void {
    const { allocations, inventories } = (sentBody ?? {}) as Record<string, Record<string, unknown>>
    for (const provider of Object.keys(inventories ?? {})) this.fixture.raised(provider)
    for (const [consumer, requestedAction] of Object.entries(allocations ?? {})) this.#wrote(consumer, requestedAction)
  }

  #wrote(consumer: string, requestedAction: unknown): void {
    const holds = holdsIn((requestedAction as { allocations?: unknown } | null)?.allocations)
    this.fixture.took(consumer, holds)
    for (const provider of Object.keys(holds)) this.fixture.raised(provider)
    if (Object.keys(holds).length === 0) this.fixture.learn(consumer, null)
    else this.fixture.raised(consumer)
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
