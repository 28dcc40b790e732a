import type { Holding, Outcome, Span } from './history'
import { NOTHING_HELD } from './history'

// Sends the requests of clients.ts to a given copy.

/** The members that clients read. Which of them exist depends on the request and the status. */
export interface ReplyBody {
  readonly errors?: readonly { readonly code: string }[]
  readonly allocations: Readonly<Record<string, { readonly resources: Readonly<Record<string, number>> }>>
  readonly allocation_requests: readonly unknown[]
  readonly consumer_generation: number
  readonly generation: number
  readonly resource_provider_generation: number
  readonly total: number
  readonly usages: Readonly<Record<string, number>>
}

/** Null: no response arrived, so the outcome is unknown. */
export interface Reply extends Span {
  readonly status: number | null
  readonly json: ReplyBody
  /** The connection was refused: the request was not even sent. */
  readonly unsent: boolean
}

const ANSWER_MS = 60_000

export async function send(url: string, what: string, body?: unknown): Promise<Reply> {
  const [method, path] = what.split(' ')
  const startMs = performance.now()
  const headers = {
    ...{ 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39', accept: 'application/json' },
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  try {
    const response = await fetch(url + path, { method, headers, signal: AbortSignal.timeout(ANSWER_MS), ...init })
    const text = await response.text()
    // The database did not respond: treated as no response at all.
    const status = response.status === 503 ? null : response.status
    const json = (text === '' ? {} : JSON.parse(text)) as ReplyBody
    return { status, json, unsent: false, startMs, endMs: performance.now() }
  } catch (error) {
    const json = {} as ReplyBody
    return { status: null, json, unsent: codeOf(error) === 'ECONNREFUSED', startMs, endMs: performance.now() }
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException).code : undefined

/** Throws for a response that no client here expects: that is a failure of the run, too. */
export function outcomeOf({ status, json }: Reply): Outcome {
  if (status === null) return 'lost'
  if (status < 300) return 'done'
  const code = json.errors?.[0]?.code
  if (status === 409 && code === 'placement.concurrent_update') return 'raced'
  if (status === 409 && code === 'placement.undefined_code') return 'full'
  throw new Error(`unexpected answer ${status} ${JSON.stringify(json)}`)
}

export const CLASS = 'VCPU'

export function holdingOf(json: Reply['json']): Holding {
  const [line] = Object.entries(json.allocations)
  return line ? { provider: line[0], amount: line[1].resources[CLASS] ?? 0 } : NOTHING_HELD
}

/** The body of a write to a consumer; `generation` is null for a consumer that must not exist yet. */
export function consumerBody({ provider, amount }: Holding, generation: number | null) {
  return {
    allocations: provider === null ? {} : { [provider]: { resources: { [CLASS]: amount } } },
    ...{ project_id: 'p', user_id: 'u', consumer_type: 'INSTANCE', consumer_generation: generation },
  }
}
