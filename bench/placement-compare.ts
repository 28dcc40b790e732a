import { randomUUID } from 'node:crypto'

// npm run compare -- BERTH PLACEMENT [--requests N] [--seed S]: the same random requests, good and bad, at Berth's
// Placement API and at a real Placement, both empty and open to the token `admin`. Prints every kind of difference in
// status, code or body once, with an example. Exit code 1 when there is a difference.

const VERSIONS = 40
const SHOWN = 60

interface Settings {
  readonly berth: string
  readonly placement: string
  readonly requests: number
  readonly seed: number
}

/** mulberry32: the same seed asks the same. */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly minor: number
  readonly body?: unknown
}

type Making = () => Omit<Asked, 'minor'>

/** Random requests over a small world, so that they meet each other. */
class Asking {
  readonly #chance: () => number
  #ids: readonly string[]
  readonly #run: string

  constructor(seed: number) {
    this.#chance = chanceOf(seed)
    this.#run = randomUUID().slice(0, 8)
    const hex = () =>
      Math.floor(this.#chance() * 0x10000)
        .toString(16)
        .padStart(4, '0')
    this.#ids = Array.from(
      { length: 12 },
      () => `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-8${hex().slice(1)}-${hex()}${hex()}${hex()}`,
    )
  }

  /** Another consumer takes the place of one that the two no longer agree on. */
  replace(consumer: string): void {
    this.#ids = this.#ids.map((id) => (id === consumer ? randomUUID() : id))
  }

  #one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#chance() * of.length)] as T
  }
  #is = (part: number) => this.#chance() < part
  #number = (below: number) => Math.floor(this.#chance() * below)
  #provider = () => (this.#is(0.03) ? 'nobody' : this.#one(this.#ids.slice(0, 6)))
  #consumer = () => (this.#is(0.03) ? 'nobody' : this.#one(this.#ids.slice(6, 10)))
  #aggregate = () => this.#one(this.#ids.slice(10))
  #class = () => this.#one(['VCPU', 'VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_ONE', 'CUSTOM_TWO', 'NONE'])
  #trait = () =>
    this.#one(['HW_CPU_X86_AVX', 'STORAGE_DISK_SSD', 'MISC_SHARES_VIA_AGGREGATE', 'CUSTOM_ONE', 'CUSTOM_TWO', 'BOGUS'])
  #generation = () => this.#one([0, 1, 2, 3, 4, 5, 6, null])
  #several = <T>(of: () => T, most: number) => Array.from({ length: this.#number(most + 1) }, of)

  #inventory() {
    const full = { total: 1 + this.#number(16), reserved: this.#number(3), min_unit: 1, max_unit: 16, step_size: 1 }
    if (this.#is(0.5)) return { total: full.total }
    if (this.#is(0.1)) return { ...full, reserved: full.total + this.#number(2) }
    if (this.#is(0.1)) return { ...full, total: this.#one<unknown>([0, -1, '5', 1.5, null]) }
    return { ...full, allocation_ratio: this.#one([1, 2, 1.5]), step_size: this.#one([1, 1, 2]) }
  }

  #resources = () =>
    Object.fromEntries([
      ...this.#several(() => [this.#class(), this.#number(5)] as const, 1),
      [this.#class(), 1 + this.#number(4)],
    ])

  #holding(minor: number) {
    const owners = minor >= 8 && !this.#is(0.05) ? { project_id: 'p', user_id: this.#one(['u', 'v']) } : {}
    const lines = this.#several(() => [this.#provider(), { resources: this.#resources() }] as const, 2)
    const allocations =
      minor >= 12
        ? Object.fromEntries(lines)
        : lines.map(([uuid, { resources }]) => ({ resource_provider: { uuid }, resources }))
    return {
      allocations,
      ...owners,
      ...(minor >= 28 && { consumer_generation: this.#one([null, null, 1, 2, 3]) }),
      ...(minor >= 38 && !this.#is(0.1) && { consumer_type: this.#one(['INSTANCE', 'MIGRATION', 'bad']) }),
    }
  }

  #inventories = () => ({
    resource_provider_generation: this.#generation(),
    inventories: Object.fromEntries(this.#several(() => [this.#class(), this.#inventory()] as const, 3)),
  })

  #traits = (minor: number) => {
    const list = [this.#trait(), ...this.#several(this.#trait, 1)].join(',')
    return `${minor >= 39 && this.#is(0.2) ? 'in:' : this.#is(0.2) ? '!' : ''}${list}`
  }

  #filters(minor: number, suffix = ''): string {
    const parts = [`resources${suffix}=${this.#class()}:${this.#one([1, 1, 2, 4, 0, 'x'])}`]
    if (this.#is(0.3)) parts.push(`required${suffix}=${this.#traits(minor)}`)
    if (this.#is(0.2)) parts.push(`member_of${suffix}=${this.#one(['', 'in:', '!', '!in:'])}${this.#aggregate()}`)
    if (this.#is(0.1)) parts.push(`in_tree${suffix}=${this.#provider()}`)
    return parts.join('&')
  }

  #candidates(minor: number): string {
    const parts = this.#is(0.7) ? [this.#filters(minor)] : []
    const suffixes = this.#is(0.4) ? ['1', '2'].slice(0, 1 + this.#number(2)) : []
    for (const suffix of suffixes) parts.push(this.#filters(minor, suffix))
    if (this.#is(0.4)) parts.push(`group_policy=${this.#one(['none', 'isolate', 'bad'])}`)
    if (this.#is(0.1)) parts.push(`root_required=${this.#traits(38)}`)
    if (this.#is(0.1)) parts.push('same_subtree=1,2')
    return parts.join('&')
  }

  next(): Asked {
    const minor = this.#is(0.5) ? VERSIONS - 1 : this.#number(VERSIONS)
    const rows = [...this.#ofProviders(minor), ...this.#ofOthers(minor)]
    return { ...this.#one(rows)(), minor }
  }

  #ofProviders(minor: number): readonly Making[] {
    const of = `/resource_providers/${this.#provider()}`
    const generation = this.#generation()
    const name = `${this.#run}-${this.#number(7)}`
    const parent = this.#is(0.5) ? {} : { parent_provider_uuid: this.#one([null, this.#provider(), this.#provider()]) }
    return [
      () => ({ method: 'POST', path: '/resource_providers', body: { name, uuid: this.#provider(), ...parent } }),
      () => ({ method: 'POST', path: '/resource_providers', body: { name, uuid: this.#provider(), ...parent } }),
      () => ({ method: 'PUT', path: of, body: { name, ...parent } }),
      () => ({ method: this.#one(['GET', 'GET', 'DELETE']), path: of }),
      () => ({ method: 'GET', path: `/resource_providers?${this.#is(0.5) ? this.#filters(minor) : ''}` }),
      () => ({ method: 'PUT', path: `${of}/inventories`, body: this.#inventories() }),
      () => ({ method: 'PUT', path: `${of}/inventories`, body: this.#inventories() }),
      () => ({
        method: 'POST',
        path: `${of}/inventories`,
        body: { resource_class: this.#class(), ...this.#inventory() },
      }),
      () => ({
        ...{ method: 'PUT', path: `${of}/inventories/${this.#class()}` },
        body: { resource_provider_generation: generation, ...this.#inventory() },
      }),
      () => ({ method: this.#one(['GET', 'DELETE']), path: `${of}/inventories` }),
      () => ({ method: this.#one(['GET', 'DELETE']), path: `${of}/inventories/${this.#class()}` }),
      () => ({ method: 'GET', path: `${of}/${this.#one(['usages', 'allocations', 'traits', 'aggregates', 'cows'])}` }),
      () => ({
        ...{ method: 'PUT', path: `${of}/aggregates` },
        body:
          minor >= 19
            ? { aggregates: this.#several(this.#aggregate, 2), resource_provider_generation: generation }
            : this.#several(this.#aggregate, 2),
      }),
      () => ({
        ...{ method: 'PUT', path: `${of}/traits` },
        body: { traits: this.#several(this.#trait, 2), resource_provider_generation: generation },
      }),
      () => ({ method: 'DELETE', path: `${of}/traits` }),
    ]
  }

  #ofOthers(minor: number): readonly Making[] {
    return [
      () => ({ method: this.#one(['GET', 'PUT', 'PUT', 'DELETE']), path: `/traits/${this.#trait()}` }),
      () => ({
        method: 'GET',
        path: `/traits?${this.#one(['name=startswith:CUSTOM', 'associated=true', 'name=in:A', 'name=x', 'q=1'])}`,
      }),
      () => ({
        method: this.#one(['GET', 'PUT', 'PUT', 'DELETE']),
        path: `/resource_classes/${this.#class()}`,
        ...(minor < 7 && { body: { name: this.#class() } }),
      }),
      () => ({ method: 'POST', path: '/resource_classes', body: { name: this.#class() } }),
      () => ({ method: 'GET', path: '/resource_classes' }),
      () => ({ method: 'PUT', path: `/allocations/${this.#consumer()}`, body: this.#holding(minor) }),
      () => ({ method: 'PUT', path: `/allocations/${this.#consumer()}`, body: this.#holding(minor) }),
      () => ({ method: this.#one(['GET', 'GET', 'DELETE']), path: `/allocations/${this.#consumer()}` }),
      () => ({
        method: 'POST',
        path: '/allocations',
        body: Object.fromEntries(this.#several(() => [this.#consumer(), this.#holding(Math.max(minor, 12))], 2)),
      }),
      () => ({
        method: 'GET',
        path: `/usages?project_id=p${this.#one(['', '&user_id=u', '&consumer_type=INSTANCE', '&consumer_type=all', '&q=1'])}`,
      }),
      () => ({ method: 'GET', path: `/allocation_candidates?${this.#candidates(minor)}` }),
      () => ({ method: 'GET', path: `/allocation_candidates?${this.#candidates(minor)}` }),
      () => ({
        ...{ method: 'POST', path: '/reshaper' },
        body: {
          inventories: Object.fromEntries([[this.#provider(), this.#inventories()]]),
          allocations: Object.fromEntries(
            this.#several(() => [this.#consumer(), this.#holding(Math.max(minor, 30))], 1),
          ),
        },
      }),
    ]
  }
}

interface Answered {
  readonly status: number
  readonly code: string
  readonly body: string
}

async function answerOf(base: string, { method, path, minor, body }: Asked): Promise<Answered> {
  const headers: Record<string, string> = {
    ...{ accept: 'application/json', 'x-auth-token': 'admin', 'openstack-api-version': `placement 1.${minor}` },
    ...(body !== undefined && method !== 'GET' && { 'content-type': 'application/json' }),
  }
  const said = body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) }
  const response = await fetch(base + path, { method, headers, ...said })
  const text = await response.text()
  const json = text === '' ? null : JSON.parse(text)
  const [error] = json?.errors ?? []
  if (!error) return { status: response.status, code: '', body: ordered(json) }
  // Below its first line, what a schema prints of itself is for people.
  const detail = String(error.detail).replace(/\s+Failed validating.*/s, '')
  return { status: response.status, code: error.code ?? '', body: detail }
}

/** Lists whose order means nothing are put into one. */
function ordered(value: unknown): string {
  const sorted = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    if (each === null || typeof each !== 'object') return each
    const entries = Object.entries(each).map(([key, inner]) => [key, sorted(inner)] as const)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return JSON.stringify(sorted(value))
}

interface Pair {
  readonly asked: Asked
  readonly ours: Answered
  readonly theirs: Answered
}

/** Differences that are meant, each with its reason. */
const KNOWN: readonly { readonly reason: string; readonly isIt: (pair: Pair) => boolean }[] = [
  {
    reason:
      'Placement leaves a consumer without allocations behind when a claim is refused or empty, and then wants its generation 0; Berth does not',
    isIt: ({ theirs }) => theirs.body.includes('consumer generation conflict - expected 0 but got'),
  },
  {
    reason: 'Placement shows the statement its database refused; Berth says what happened',
    isIt: ({ ours, theirs }) => ours.status === theirs.status && theirs.body.includes('IntegrityError'),
  },
  {
    reason: 'Berth looks at all names before it searches; Placement may find nothing before it meets the wrong one',
    isIt: ({ ours, theirs }) =>
      ours.body.includes('No such ') &&
      ['{"allocation_requests":[],"provider_summaries":{}}', '{"resource_providers":[]}'].includes(theirs.body),
  },
  {
    reason:
      'Of several names that do not exist, or classes without inventory, Placement tells them in the order of a set',
    isIt: ({ ours, theirs }) =>
      ours.status === theirs.status &&
      (letters(ours.body) === letters(theirs.body) ||
        (ours.body.includes('No such trait') && theirs.body.includes('No such trait'))),
  },
  {
    reason: 'Of two things wrong with a body at equal depth, the two validators may tell different ones',
    isIt: ({ ours, theirs }) =>
      ours.body.includes('JSON does not validate: ') && theirs.body.includes('JSON does not validate: '),
  },
]
const letters = (text: string) => [...text].sort().join('')

/** A refused or empty claim may leave a consumer behind in Placement; it is not asked of again. */
function leavesConsumer({ method, path, body }: Asked, theirs: Answered): boolean {
  if (!(path.startsWith('/allocations') || path === '/reshaper') || method === 'GET' || method === 'DELETE')
    return false
  return theirs.status !== 204 || JSON.stringify(body).includes('"allocations":{}')
}

/** What the two might not agree on is given back on both sides. */
async function part({ berth, placement }: Settings, asking: Asking, asked: Asked): Promise<void> {
  const consumers = asked.path.match(/^\/allocations\/(.+)/)?.slice(1) ?? consumersIn(asked)
  for (const consumer of consumers) {
    const remove: Asked = { method: 'DELETE', path: `/allocations/${consumer}`, minor: 39 }
    await Promise.all([answerOf(berth, remove), answerOf(placement, remove)])
    asking.replace(consumer)
  }
}

function consumersIn({ path, body }: Asked): readonly string[] {
  const consumers = path === '/reshaper' ? (body as { allocations: object }).allocations : (body as object)
  return Object.keys(consumers)
}

async function compare(settings: Settings): Promise<number> {
  const { berth, placement, requests, seed } = settings
  const asking = new Asking(seed)
  const kinds = new Map<string, { count: number; example: string }>()
  const known = new Map<string, number>()
  const statuses = new Map<number, number>()
  for (let index = 0; index < requests; index++) {
    const asked = asking.next()
    const [ours, theirs] = [await answerOf(berth, asked), await answerOf(placement, asked)]
    statuses.set(theirs.status, (statuses.get(theirs.status) ?? 0) + 1)
    if (leavesConsumer(asked, theirs)) await part(settings, asking, asked)
    if (ours.status === theirs.status && ours.code === theirs.code && ours.body === theirs.body) continue
    const pair = { asked, ours, theirs }
    const reason = KNOWN.find(({ isIt }) => isIt(pair))?.reason
    if (reason !== undefined) {
      known.set(reason, (known.get(reason) ?? 0) + 1)
      continue
    }
    const what = ours.status !== theirs.status ? 'status' : ours.code !== theirs.code ? 'code' : 'body'
    const route = asked.path.replace(/\?.*/, '').replaceAll(/[0-9a-f-]{36}/g, '{id}')
    const kind = `${what} ${asked.method} ${route} ${ours.status}/${theirs.status}`
    const example = `#${index} 1.${asked.minor} ${asked.path} ${JSON.stringify(asked.body) ?? ''}\n  ours   ${ours.code} ${ours.body}\n  theirs ${theirs.code} ${theirs.body}`
    const before = kinds.get(kind)
    kinds.set(kind, { count: (before?.count ?? 0) + 1, example: before?.example ?? example })
  }
  const different = [...kinds.values()].reduce((sum, { count }) => sum + count, 0)
  for (const [kind, { count, example }] of [...kinds].slice(0, SHOWN)) console.log(`${count} × ${kind}\n  ${example}`)
  for (const [reason, count] of known) console.log(`${count} known: ${reason}`)
  const spread = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  console.log(`${requests} requests with seed ${seed}, ${different} different. Placement answered ${spread.join(', ')}`)
  return different === 0 ? 0 : 1
}

function settingsOf([berth, placement, ...options]: readonly string[]): Settings {
  if (!berth || !placement) throw new Error('usage: npm run compare -- BERTH PLACEMENT [--requests N] [--seed S]')
  const option = (name: string, otherwise: number) => {
    const at = options.indexOf(name)
    return at < 0 ? otherwise : Number(options[at + 1])
  }
  return { berth, placement, requests: option('--requests', 5_000), seed: option('--seed', 1) }
}

process.exitCode = await compare(settingsOf(process.argv.slice(2)))
