import { Coverage, routeOf } from './coverage'
import { equalizeContents, equalizeGenerations, hasLostConsumer, release, releaseLost, type Sides } from './equalize'
import {
  differing,
  KNOWN,
  knownOf,
  LOST_CONSUMER,
  LOST_RACE,
  type NormalizedResponse,
  OLD_PROVIDER,
  OVER_CAPACITY,
} from './known'
import { type PlacementRequest, RequestGenerator } from './random-requests'

// npm run compare -- BERTH PLACEMENT [--requests N] [--seed S]: sends the same random requests, valid and invalid, to
// Berth's Placement API and to a real Placement, both empty and open to the token `admin`. At the end it compares
// everything they hold. Prints the coverage, how often each known difference occurred, and every other difference in
// status, code, body or headers once, with an example. Exits with 1 if there is one of these.

const SHOWN = 60

interface Settings {
  readonly berth: string
  readonly placement: string
  readonly requests: number
  readonly seed: number
}

/** The printed schema below the first line is for human readers. */
const SCHEMA = /\s+Failed validating.*/s

async function answerOf(base: string, asked: PlacementRequest): Promise<NormalizedResponse> {
  const { method, path } = asked
  const isBare = method === 'GET' || method === 'HEAD'
  const sentBody = isBare ? undefined : (asked.raw ?? JSON.stringify(asked.body))
  // Bytes, because fetch would add a content type to text.
  const body = sentBody === undefined ? {} : { body: Buffer.from(sentBody as string) }
  const response = await fetch(base + path, { method, headers: headersOf(asked, sentBody !== undefined), ...body })
  const responseText = await response.text()
  const { status, headers } = response
  const marks = Object.fromEntries(MARKS.map((name) => [name, markOf(headers.get(name), base)]))
  if (responseText === '' || headers.get('content-type') !== 'application/json')
    return { status, code: '', body: responseText.replace(SCHEMA, ''), marks }
  const json = JSON.parse(responseText)
  const [error] = json?.errors ?? []
  if (!error) return { status, code: '', body: ordered(json), marks }
  const detail = String(error.detail).replace(SCHEMA, '')
  return { status, code: error.code ?? '', body: detail, marks }
}

function headersOf({ minor, headers }: PlacementRequest, hasBody: boolean): Headers {
  const all = {
    ...{ accept: 'application/json', 'x-auth-token': 'admin', 'openstack-api-version': `placement 1.${minor}` },
    ...(hasBody && { 'content-type': 'application/json' }),
    ...headers,
  }
  return new Headers(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])) as [string, string][],
  )
}

/** Headers that clients depend on. */
const MARKS = ['allow', 'cache-control', 'content-type', 'last-modified', 'location', 'openstack-api-version', 'vary']

function markOf(value: string | null, base: string): string {
  if (value === null) return '-'
  if (!Number.isNaN(Date.parse(value)) && value.endsWith('GMT')) return 'a time'
  return value.replace(base, '').split(', ').sort().join(', ')
}

/** Sorts lists, because their order has no meaning. */
function ordered(value: unknown): string {
  const sorted = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    if (each === null || typeof each !== 'object') return each
    const entries = Object.entries(each).map(([key, inner]) => [key, sorted(inner)] as const)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return JSON.stringify(sorted(value))
}

/**
 * In Placement, a refused or empty claim may leave a consumer without allocations. Sends both servers one more empty
 * write for it, then another consumer takes its place.
 */
async function partFromLeft(run: Run, asked: PlacementRequest): Promise<void> {
  const { fixture } = run.asking
  if (!WRITES_CLAIMS.test(`${asked.method} ${asked.path}`)) return
  const requestText = `${asked.path} ${JSON.stringify(asked.body ?? null)}`
  for (const consumer of fixture.consumers.filter((each) => requestText.includes(each))) {
    const path = `/allocations/${consumer}`
    const { body } = await answerOf(run.settings.placement, { method: 'GET', path, minor: LAST })
    if (!body.includes('"allocations":{}')) continue
    const nothing = { allocations: {}, consumer_generation: null, project_id: 'p', user_id: 'u' }
    await ask(run, { method: 'PUT', path, minor: LAST, body: { ...nothing, consumer_type: 'INSTANCE' } })
    fixture.replace(consumer)
  }
}

const WRITES_CLAIMS = /^(PUT|POST) \/(allocations|reshaper)/
const LAST = 39

class Differences {
  readonly #kinds = new Map<string, { count: number; example: string }>()
  readonly #known = new Map(KNOWN.map(({ name }) => [name, 0]))

  /** Returns the name of the known difference, if it is one. */
  add(
    asked: PlacementRequest,
    { ours, theirs, at }: { ours: NormalizedResponse; theirs: NormalizedResponse; at: string },
  ): string | null {
    const what = differing({ ours, theirs })
    if (what.length === 0) return null
    const known = knownOf({ asked, ours, theirs })
    if (known !== null) this.#known.set(known, (this.#known.get(known) ?? 0) + 1)
    else {
      const kind = `${what.join(', ')}: ${asked.method} ${routeOf(asked)} ${ours.status}/${theirs.status}`
      const before = this.#kinds.get(kind)
      const requestText = `${at} 1.${asked.minor} ${asked.path} ${JSON.stringify(asked.headers ?? {})} ${asked.raw ?? JSON.stringify(asked.body) ?? ''}`
      const example = `${requestText}\n  Berth      ${answerText(ours)}\n  Placement  ${answerText(theirs)}`
      this.#kinds.set(kind, { count: (before?.count ?? 0) + 1, example: before?.example ?? example })
    }
    return known
  }

  /** Counts a known difference that no response has shown. */
  met(name: string, times: number): void {
    this.#known.set(name, (this.#known.get(name) ?? 0) + times)
  }

  get count(): number {
    return [...this.#kinds.values()].reduce((sum, { count }) => sum + count, 0)
  }

  lines(): string[] {
    return [
      ...[...this.#kinds].slice(0, SHOWN).map(([kind, { count, example }]) => `${count} × ${kind}\n  ${example}`),
      ...[...this.#known].map(([name, count]) => `${String(count).padStart(5)}  known: ${name}`),
    ]
  }
}

const answerText = ({ code, body, marks }: NormalizedResponse) => `${code} ${body}\n         ${JSON.stringify(marks)}`

/** Requests for everything that both servers hold. */
function everything({ fixture }: RequestGenerator): readonly PlacementRequest[] {
  const parts = ['', '/inventories', '/usages', '/allocations', '/aggregates', '/traits']
  const providers = fixture.providers.flatMap((id) => parts.map((each) => `/resource_providers/${id}${each}`))
  const consumers = fixture.consumers.map((id) => `/allocations/${id}`)
  const lists = ['/resource_providers', '/resource_classes', '/traits', '/usages?project_id=p']
  return [...lists, ...providers, ...consumers].map((path) => ({ method: 'GET', path, minor: LAST }))
}

interface Run {
  readonly settings: Settings
  readonly asking: RequestGenerator
  readonly coverage: Coverage
  readonly differences: Differences
  asked: number
}

async function ask(run: Run, asked: PlacementRequest): Promise<NormalizedResponse> {
  const { settings, coverage, differences } = run
  const [ours, theirs] = await Promise.all([answerOf(settings.berth, asked), answerOf(settings.placement, asked)])
  coverage.add(asked, theirs.status)
  const known = differences.add(asked, { ours, theirs, at: `#${run.asked}` })
  // An older Placement refused what Berth accepted: remove it on both sides and go on with other consumers.
  if (known === OVER_CAPACITY) await partFrom(run, asked)
  else if (ours.status === 204 && theirs.status === 204) {
    const differed = await equalizeGenerations(sidesOf(settings), left(run, asked))
    differences.met(OLD_PROVIDER, differed)
  }
  return theirs
}

/** Providers on which the consumers of a write had allocations before, as far as responses showed. */
function left({ asking: { fixture } }: Run, asked: PlacementRequest): readonly string[] {
  if (!WRITES_CLAIMS.test(`${asked.method} ${asked.path}`)) return []
  const requestText = `${asked.path} ${JSON.stringify(asked.body ?? null)}`
  const consumers = fixture.consumers.filter((each) => requestText.includes(each))
  return [...new Set(consumers.flatMap((each) => Object.keys(fixture.holds(each))))]
}

/** Providers that a write of allocations names, and those on which its consumers had allocations before. */
function touched(run: Run, asked: PlacementRequest): readonly string[] {
  const requestText = JSON.stringify(asked.body ?? null)
  const named = run.asking.fixture.providers.filter((each) => requestText.includes(each))
  return [...new Set([...named, ...left(run, asked)])]
}

async function partFrom(run: Run, asked: PlacementRequest): Promise<void> {
  const { settings, asking } = run
  const { fixture } = asking
  const requestText = `${asked.path} ${JSON.stringify(asked.body)}`
  const consumers = fixture.consumers.filter((each) => requestText.includes(each))
  const sides = sidesOf(settings)
  await release(sides, consumers)
  const isOne = asked.path.startsWith('/allocations/')
  if (isOne && (await releaseLost(sides, asked, touched(run, asked)))) run.differences.met(LOST_CONSUMER, 1)
  for (const each of consumers) fixture.replace(each)
  for (const provider of reshapedBy(asked)) await equalizeContents(sides, `/resource_providers/${provider}/inventories`)
  await equalizeGenerations(sides, fixture.providers)
}

/** Providers whose inventories a refused reshape would have written. */
const reshapedBy = ({ path, body }: PlacementRequest): readonly string[] =>
  path === '/reshaper' ? Object.keys((body as { readonly inventories: object }).inventories) : []

const sidesOf = ({ berth, placement }: Settings): Sides => ({ berth, placement, ask: answerOf })

/** Sends the same request concurrently. The winner is random, but the number of each response is not. */
async function race(run: Run, asked: PlacementRequest): Promise<NormalizedResponse> {
  const { settings, differences } = run
  const all = (base: string) => Promise.all(Array.from({ length: RACERS }, () => answerOf(base, asked)))
  const [ours, theirs] = await Promise.all([all(settings.berth), all(settings.placement)])
  const tally = (answers: readonly NormalizedResponse[]): NormalizedResponse => ({
    ...best(answers),
    body: answers
      .map(({ status, code }) => `${status} ${code}`)
      .sort()
      .join(', '),
  })
  const isKnown = differences.add(asked, { ours: tally(ours), theirs: tally(theirs), at: `#${run.asked} × ${RACERS}` })
  if (isKnown === LOST_RACE) {
    if (asked.path.startsWith('/allocations')) await partFrom(run, asked)
    else {
      if (asked.method === 'PUT') await equalizeContents(sidesOf(settings), asked.path)
      await equalizeGenerations(sidesOf(settings), run.asking.fixture.providers)
    }
  } else {
    const hasWinner = ours.some(({ status }) => status === 204)
    if (hasWinner && (await hasLostConsumer(sidesOf(settings), asked, touched(run, asked)))) {
      await partFrom(run, asked)
    }
    differences.met(OLD_PROVIDER, await equalizeGenerations(sidesOf(settings), left(run, asked)))
  }
  return best(theirs)
}

const RACERS = 6
/** Requests that claim, create or replace something under a generation. */
const RACED = /^(POST \/resource_providers|PUT \/allocations\/\S+|PUT \/resource_providers\/\S+\/(inventories|traits))$/
const RACED_PART = 0.06
const best = (answers: readonly NormalizedResponse[]): NormalizedResponse =>
  [...answers].sort((a, b) => a.status - b.status)[0] as NormalizedResponse

async function compare(settings: Settings): Promise<number> {
  const { requests, seed } = settings
  const parts = { asking: new RequestGenerator(seed), coverage: new Coverage(), differences: new Differences() }
  const run: Run = { settings, ...parts, asked: 0 }
  for (; run.asked < requests; run.asked++) {
    const asked = run.asking.next()
    const isRaced = RACED.test(`${asked.method} ${asked.path}`) && run.asking.fixture.is(RACED_PART)
    run.asking.heard(asked, await (isRaced ? race(run, asked) : ask(run, asked)))
    await partFromLeft(run, asked)
  }
  for (const asked of everything(run.asking)) await ask(run, asked)
  for (const line of [...run.coverage.lines(), ...run.differences.lines()]) console.log(line)
  console.log(`${requests} requests with seed ${seed}, ${run.differences.count} different`)
  return run.differences.count === 0 ? 0 : 1
}

function settingsOf([berth, placement, ...options]: readonly string[]): Settings | null {
  if (!berth || !placement) return null
  const option = (name: string, otherwise: number) => {
    const at = options.indexOf(name)
    return at < 0 ? otherwise : Number(options[at + 1])
  }
  return { berth, placement, requests: option('--requests', 5_000), seed: option('--seed', 1) }
}

const settings = settingsOf(process.argv.slice(2))
if (settings === null) console.error('usage: npm run compare -- BERTH PLACEMENT [--requests N] [--seed S]')
process.exitCode = settings === null ? 2 : await compare(settings)
