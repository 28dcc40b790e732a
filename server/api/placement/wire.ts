import type { AllocationQueue } from '../../fleet/allocation-queue'
import type { ProviderForest } from '../../fleet/candidates-forest'
import type { BatchedQuery } from '../../store/database/batch-reads'
import type { Database } from '../../store/database/database'
import type { Writer } from '../../store/placement/refused'
import type { ProviderUsages } from '../../store/placement/usage'
import type { Caller } from './caller/caller'
import type { CandidateSettings } from './candidate/settings'
import type { SummaryTexts } from './candidate/text'
import type { Query } from './query'

// A request and an answer of the Placement API, independent of the transport: Next passes fetch's objects, the separate
// port Node's.

export interface Call {
  readonly method: string
  /** Relative to the mount path of the API: `/resource_providers`. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** Prefix of links: `/placement`, or nothing on its own port. */
  readonly mount: string
  /** `http://host:port` as the client named it; empty when it named none. */
  readonly origin: string
  header(name: string): string | null
  body(): Promise<Buffer>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Dependencies of the handlers. */
export interface PlacementServices {
  readonly database: Database
  readonly forest: ProviderForest
  readonly candidates: CandidateSettings
  readonly summaries: SummaryTexts
  readonly allocations: AllocationQueue
  /** Of a provider, by its id. */
  readonly usages: BatchedQuery<string, ProviderUsages>
  readonly now: () => number
  readonly newId: () => string
  /** Returns 0 ≤ x < 1. */
  readonly chance: () => number
}

/** An authorized request with its route, in a version that has it. */
export interface PlacementCall {
  readonly services: PlacementServices
  readonly call: Call
  /** 14 is 1.14. */
  readonly minor: number
  /** Parameters in braces of the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly caller: Caller
  readonly writer: Writer
}

const CACHED_FROM = 15

/** A document. From 1.15 on it has the present time as last-modified. */
export function document(
  ask: PlacementCall,
  value: unknown,
  more: { status?: number; location?: string } = {},
): Answer {
  const { status = 200, location } = more
  const { headers, body } = documentText(ask, JSON.stringify(value))
  return { status, headers: { ...headers, ...locationOf(location) }, body }
}

/** A document that is already JSON text. */
export function documentText(ask: PlacementCall, body: string): Answer {
  return { status: 200, headers: { 'content-type': 'application/json', ...cacheHeaders(ask) }, body }
}

/** An answer without a body. */
export function nothing(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: null }
}

export function cacheHeaders({ minor, services }: PlacementCall): Record<string, string> {
  if (minor < CACHED_FROM) return {}
  return { 'last-modified': new Date(services.now()).toUTCString(), 'cache-control': 'no-cache' }
}

const locationOf = (location: string | undefined): Record<string, string> =>
  location === undefined ? {} : { location }
