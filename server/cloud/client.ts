import { setMaxListeners } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import PQueue from 'p-queue'
import pRetry from 'p-retry'
import { z } from 'zod'
import { type Call, CloudError, isRefusal, isTransient, type Service } from './http/errors'
import { addressOf, type Catalog, catalogAnswer, endpointOf, identityUrl, signIn, type Token } from './http/keystone'
import { HIGHEST, isMicroversion, type Microversion, type MicroversionRange, negotiate } from './http/microversion'
import { openTransport, type RequestCounts, type RequestLog, type Transport } from './http/transport'
import { pageSchema, readPages } from './pages'
import type { CloudSettings } from './settings/cloud-settings'

// The only client that reads a cloud. Its calls are GET and Keystone's POST /auth/tokens, so it cannot change a cloud.

export interface ClientOptions {
  /** The budget of the cloud: at most this many requests per second in total. */
  readonly requestsPerSecond?: number
  readonly log?: RequestLog
  /** Retries of a GET with a transient failure. */
  readonly retries?: number
  readonly retryAfterMs?: number
  /** Monotonic, in ms: this machine's, unless a simulation supplies one. */
  readonly monotonicMs?: () => number
  /** The cloud's clock just after the last step that an earlier client detected; null: none. */
  readonly steadySince?: number | null
}

/** Lower ones wait for higher ones. */
export const PRIORITY = { token: 2, normal: 1, details: 0, topology: -1 } as const

export interface GetRequest<T> {
  readonly service: Service
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly answer: z.ZodType<T>
  /** The highest microversion to request, if not the service's own. */
  readonly highest?: Microversion
  readonly priority?: number
}

export interface ListRequest<T> extends Omit<GetRequest<T>, 'answer'> {
  /** Key of the items in the answer; the link to the next page is beside it. */
  readonly key: string
  readonly item: z.ZodType<T>
  readonly idOf: (item: T) => string
  readonly pageSize?: number
}

export interface Reading<T> {
  readonly value: T
  /** The cloud's clock when it answered, in milliseconds; for a list at its first page, so that nothing is older. */
  readonly at: number
}

/** The last time that the cloud reported, when that was on this machine's monotonic clock, and its maximum error. */
interface ClockReading {
  readonly at: number
  readonly when: number
  readonly errorMs: number
}

const MAX_CONCURRENCY = 4
const DEFAULT_RATE = 5
const PAGE_SIZE = 1_000
/** A token this close to its end is renewed before it is used. */
const RENEW_MS = 60_000
/** An upgrade of a service is noticed within this time. */
const MAX_RANGE_AGE_MS = 10 * 60_000
/** Maximum delay of a retry, however late the service asks for it: a whole poll may wait for this answer. */
const MAX_RETRY_DELAY_MS = 30_000
const NOT_ACCEPTABLE = 406
const CLOCK_STEP_MS = 30_000
/** Maximum drift between two clocks: far more than real ones have. */
const MAX_CLOCK_DRIFT = 0.001
/** Keystone may lock an account after several refusals, so the next attempt waits. */
const AFTER_REFUSAL_MS = 60_000

export async function openCloud(settings: CloudSettings, options: ClientOptions = {}): Promise<CloudClient> {
  return new CloudClient(settings, options, await openTransport(settings.tls, options.log))
}

export class CloudClient {
  readonly settings: CloudSettings
  /** The clock for all durations concerning this cloud. */
  readonly monotonicMs: () => number
  readonly #options: ClientOptions
  readonly #transport: Transport
  readonly #budget: PQueue
  readonly #closing = new AbortController()
  /** By address. */
  readonly #ranges = new Map<string, { readonly range: Promise<MicroversionRange>; readonly when: number }>()
  #token: Token | null = null
  /** Overrides the token's catalog, which is as old as the token. */
  #catalog: { readonly of: Token; readonly entries: Catalog; readonly when: number } | null = null
  #clock: ClockReading | null = null
  #clockSteps = 0
  #steadySince: number | null = null
  #signingIn: Promise<Token> | null = null
  #refused: { readonly error: CloudError; readonly when: number } | null = null

  constructor(settings: CloudSettings, options: ClientOptions, transport: Transport) {
    this.settings = settings
    this.#options = options
    this.#transport = transport
    this.monotonicMs = options.monotonicMs ?? (() => performance.now())
    this.#steadySince = options.steadySince ?? null
    setMaxListeners(0, this.#closing.signal)
    const intervalCap = options.requestsPerSecond ?? DEFAULT_RATE
    this.#budget = new PQueue({ concurrency: MAX_CONCURRENCY, interval: 1_000, intervalCap, strict: true })
  }

  counts(): RequestCounts {
    return this.#transport.counts()
  }

  /** The cloud's clock now, in ms; null before it reported any time. */
  now(): number | null {
    return this.#clock && Math.round(this.#clock.at + this.monotonicMs() - this.#clock.when)
  }

  /** Number of detected steps of the cloud's clock; times of changes before and after a step cannot be compared. */
  get clockSteps(): number {
    return this.#clockSteps
  }

  /** The cloud's clock just after its last step; null: no step was detected. */
  get steadySince(): number | null {
    return this.#steadySince
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#transport.close()
  }

  /** The token in use; signs in if there is none, or if it expires soon. */
  async token(): Promise<Token> {
    if (this.#token && this.#token.endsAtMs - RENEW_MS > this.monotonicMs()) return this.#token
    if (this.#refused && this.monotonicMs() - this.#refused.when < AFTER_REFUSAL_MS) throw this.#refused.error
    this.#signingIn ??= this.#signIn().finally(() => {
      this.#signingIn = null
    })
    return this.#signingIn
  }

  /** Drops a token that was refused: the next request signs in again. */
  dropToken(): void {
    this.#token = null
  }

  async #signIn(): Promise<Token> {
    const call: Call = { service: 'identity', method: 'POST', path: '/auth/tokens' }
    try {
      this.#token = await this.#withinBudget(call, PRIORITY.token, () =>
        signIn(this.#transport, this.settings, this.monotonicMs),
      )
      this.#refused = null
      this.#hear(this.#token.issuedAt)
      return this.#token
    } catch (error) {
      const isRefused = error instanceof CloudError && error.kind === 'not-authenticated'
      this.#refused = isRefused ? { error, when: this.monotonicMs() } : null
      throw error
    }
  }

  /** The version of Keystone at the configured address; read without signing in. */
  async identityVersion(): Promise<string> {
    const call: Call = { service: 'identity', method: 'GET', path: '/' }
    const { settings } = this
    const exchange = { call, url: `${identityUrl(settings)}/`, headers: {}, deadlineMs: settings.deadlineMs }
    const { body } = await this.#withinBudget(call, PRIORITY.token, () => this.#transport.exchange(exchange))
    const read = identityRoot.safeParse(body)
    if (read.success) return read.data.version.id
    throw new CloudError(call, { kind: 'protocol', what: 'it does not answer as Keystone v3' })
  }

  /** Throws CloudError `no-endpoint` when the catalog does not list it. */
  async endpoint(service: Service): Promise<string> {
    if (service === 'identity') return identityUrl(this.settings)
    const { region, interface: chosen, endpoints } = this.settings
    if (endpoints[service]) return addressOf(service, endpoints[service])
    return endpointOf(this.#catalogOf(await this.token()), { service, region, interface: chosen })
  }

  /**
   * Reads the catalog again, unless that was done within this time: a service may be moved while a token lives. An
   * account that may not read it gets the new one with the next token.
   */
  async readCatalog(withinMs: number): Promise<void> {
    const of = await this.token()
    const when = this.monotonicMs()
    if (this.#catalog?.of === of && when - this.#catalog.when < withinMs) return
    const known = this.#catalogOf(of)
    this.#catalog = { of, entries: known, when }
    try {
      const { value } = await this.get({ service: 'identity', path: '/auth/catalog', answer: catalogAnswer })
      this.#catalog = { of, entries: value.catalog, when }
    } catch (error) {
      if (!(error instanceof CloudError && isRefusal(error))) throw error
    }
  }

  readonly #catalogOf = (token: Token): Catalog => (this.#catalog?.of === token ? this.#catalog.entries : token.catalog)

  /** The microversions of a service; read again after a while, since it may be upgraded, and after a failure. */
  async range(service: 'compute' | 'placement', maxAgeMs = MAX_RANGE_AGE_MS): Promise<MicroversionRange> {
    const at = `${service} ${await this.endpoint(service)}`
    const when = this.monotonicMs()
    const known = this.#ranges.get(at)
    if (known && when - known.when < maxAgeMs) return known.range
    const range = this.#readRange(service)
    this.#ranges.set(at, { range, when })
    range.catch(() => this.#ranges.delete(at))
    return range
  }

  async #readRange(service: 'compute' | 'placement'): Promise<MicroversionRange> {
    const { value } = await this.#getAt({ service, path: '/', answer: ROOTS[service] }, null)
    const range = rangeOf(value)
    if (range) return range
    const call: Call = { service, method: 'GET', path: '/' }
    throw new CloudError(call, { kind: 'protocol', what: 'the answer names no microversions' })
  }

  /** The microversion for a request; null when the service is newer than everything that Berth reads. */
  async microversion(
    service: 'compute' | 'placement',
    highest: Microversion = HIGHEST[service],
  ): Promise<Microversion | null> {
    return negotiate(await this.range(service), highest)
  }

  async get<T>(request: GetRequest<T>): Promise<Reading<T>> {
    const { service } = request
    if (service === 'identity') return this.#getAt(request, null)
    const begun = this.monotonicMs()
    try {
      return await this.#getNegotiated({ ...request, service })
    } catch (error) {
      if (!(error instanceof CloudError && error.status === NOT_ACCEPTABLE)) throw error
      // An older version of the service has replaced the one that named its microversions.
      await this.range(service, this.monotonicMs() - begun)
      return this.#getNegotiated({ ...request, service })
    }
  }

  async #getNegotiated<T>(request: GetRequest<T> & { readonly service: 'compute' | 'placement' }): Promise<Reading<T>> {
    const microversion = await this.microversion(request.service, request.highest)
    if (microversion) return this.#getAt(request, microversion)
    throw new CloudError(callOf(request), { kind: 'refused', what: 'it has no microversion that Berth reads' })
  }

  /** All pages. An item that changes pages while they are read is listed once, as last read. */
  async list<T>({ key, item, idOf, pageSize = PAGE_SIZE, ...request }: ListRequest<T>): Promise<Reading<readonly T[]>> {
    const answer = pageSchema(key, item)
    const listed = await readPages({
      idOf,
      page: async (marker) => {
        const query = { ...request.query, limit: String(pageSize), ...(marker !== null && { marker }) }
        const { value, at } = await this.get({ ...request, query, answer })
        return { ...value, at }
      },
    })
    if (listed !== null) return listed
    throw new CloudError(callOf(request), { kind: 'protocol', what: 'its pages do not end' })
  }

  async #getAt<T>(request: GetRequest<T>, microversion: Microversion | null): Promise<Reading<T>> {
    const { retries = 3, retryAfterMs = 500 } = this.#options
    const { signal } = this.#closing
    const reading = pRetry(() => this.#attempt(request, microversion), {
      ...{ retries, minTimeout: retryAfterMs, factor: 2, randomize: true, signal },
      shouldRetry: ({ error }) => isTransient(error),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        const waitMs = error instanceof CloudError && retriesLeft > 0 ? error.retryAfterMs : null
        if (waitMs !== null) await wait(Math.min(waitMs, MAX_RETRY_DELAY_MS), undefined, { signal })
      },
    })
    return reading.catch((error: unknown) => {
      throw signal.aborted ? closed(callOf(request)) : error
    })
  }

  /** A refused token is renewed once; a second refusal concerns the account. */
  async #attempt<T>(request: GetRequest<T>, microversion: Microversion | null): Promise<Reading<T>> {
    const token = await this.token()
    try {
      return await this.#once(request, token, microversion)
    } catch (error) {
      if (!(error instanceof CloudError && error.status === 401)) throw error
      if (this.#token === token) this.#token = null
      return this.#once(request, await this.token(), microversion)
    }
  }

  async #once<T>(request: GetRequest<T>, token: Token, microversion: Microversion | null): Promise<Reading<T>> {
    const { service, priority = PRIORITY.normal, answer } = request
    const call = callOf(request)
    const url = `${await this.endpoint(service)}${call.path}`
    const headers = {
      ...{ accept: 'application/json', 'x-auth-token': token.secret.reveal() },
      ...(microversion && { 'openstack-api-version': `${service} ${microversion}` }),
    }
    const { deadlineMs } = this.settings
    let sentWhen = this.monotonicMs()
    const { body, at } = await this.#withinBudget(call, priority, () => {
      sentWhen = this.monotonicMs()
      return this.#transport.exchange({ call, url, headers, deadlineMs })
    })
    this.#hear(at, sentWhen)
    const read = answer.safeParse(body)
    if (read.success) return { value: read.data, at: this.#timeOf(call, at) }
    const where = read.error.issues[0]?.path.join('.') ?? ''
    throw new CloudError(call, { kind: 'protocol', what: `the answer is not as the API says at "${where}"` })
  }

  /** An answer's date lies between its request and now. */
  #hear(at: number | null, sentWhen = this.monotonicMs()): void {
    if (at === null) return
    const when = this.monotonicMs()
    const errorMs = when - sentWhen
    const reading = { at, when, errorMs }
    // It was set back while no client watched it.
    if (this.#clock === null && this.#steadySince !== null && this.#steadySince > at) this.#steadySince = at
    const before = this.#clock && projected(this.#clock, when)
    if (before && Math.abs(at - before.at) > CLOCK_STEP_MS + errorMs + before.errorMs) {
      this.#clockSteps++
      this.#steadySince = at
      this.#clock = reading
    } else this.#clock = before && before.at > at ? before : reading // both are lower bounds: a slow answer is an old one
  }

  /** An answer without a date takes that of the previous one. */
  #timeOf(call: Call, at: number | null): number {
    const time = at ?? this.now()
    if (time !== null) return time
    throw new CloudError(call, { kind: 'protocol', what: 'the answer has no Date, and ages are counted by it' })
  }

  async #withinBudget<T>(call: Call, priority: number, work: () => Promise<T>): Promise<T> {
    const { signal } = this.#closing
    try {
      return await this.#budget.add(work, { priority, signal })
    } catch (error) {
      if (!signal.aborted) throw error
      throw closed(call)
    }
  }
}

const closed = (call: Call) => new CloudError(call, { kind: 'unreachable', what: 'the connection was closed' })

/** Lower bound of a clock at a later time, from what it showed before. */
function projected({ at, when, errorMs }: ClockReading, later: number): ClockReading {
  const driftMs = (later - when) * MAX_CLOCK_DRIFT
  return { at: at + (later - when) - driftMs, when: later, errorMs: errorMs + driftMs }
}

const callOf = ({ service, path, query }: Pick<GetRequest<unknown>, 'service' | 'path' | 'query'>): Call => ({
  ...{ service, method: 'GET', path: query ? `${path}?${new URLSearchParams(query)}` : path },
})

const identityRoot = z.looseObject({ version: z.looseObject({ id: z.string() }) })

const versionSchema = z.looseObject({
  version: z.string().nullish(),
  max_version: z.string().nullish(),
  min_version: z.string().nullish(),
})

/** The root answer of a service: Nova has one version, Placement a list of one. */
const ROOTS = {
  compute: z.looseObject({ version: versionSchema }).transform(({ version }) => version),
  placement: z.looseObject({ versions: z.array(versionSchema) }).transform(({ versions }) => versions[0] ?? {}),
} as const

function rangeOf({ version, max_version, min_version: min }: z.infer<typeof versionSchema>): MicroversionRange | null {
  const max = max_version ?? version
  return max && min && isMicroversion(max) && isMicroversion(min) ? { min, max } : null
}
