import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { Agent, type Dispatcher, request } from 'undici'
import type { TlsSettings } from '../settings/cloud-settings'
import { type Call, CloudError, type CloudErrorKind, kindOfStatus } from './errors'

// One request and its answer, within a deadline. Redirects are not followed: a token goes only to catalog addresses.

export interface Exchange {
  readonly call: Call
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly deadlineMs: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
  /** The cloud's clock when it answered, in milliseconds; null: no Date. */
  readonly at: number | null
}

export interface Transport {
  /** Throws CloudError for every answer except 200 to 299 (and 300, Keystone's list of its versions). */
  readonly exchange: (exchange: Exchange) => Promise<Answer>
  readonly counts: () => RequestCounts
  readonly close: () => Promise<void>
}

export interface RequestCounts {
  readonly requests: number
  readonly failed: number
  readonly busyMs: number
}

const MAX_RESPONSE_BYTES = 256 * 1024 * 1024
const CONNECT_MS = 10_000
const CONNECTIONS = 4

export type RequestLog = (call: Call, result: { readonly status: number | null; readonly elapsedMs: number }) => void

export async function openTransport(tls: TlsSettings, log: RequestLog = () => {}): Promise<Transport> {
  const agent = new Agent({
    connect: { ...(await tlsOptions(tls)), timeout: CONNECT_MS },
    ...{
      connections: CONNECTIONS,
      pipelining: 1,
      maxResponseSize: MAX_RESPONSE_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
    },
  })
  const counts = { requests: 0, failed: 0, busyMs: 0 }
  const exchange = async (asked: Exchange): Promise<Answer> => {
    const begun = performance.now()
    let status: number | null = null
    counts.requests++
    try {
      const got = await fetchText(agent, asked)
      status = got.status
      return answerOf(asked, got)
    } catch (error) {
      counts.failed++
      throw error
    } finally {
      const elapsedMs = performance.now() - begun
      counts.busyMs += elapsedMs
      log(asked.call, { status, elapsedMs })
    }
  }
  return { exchange, counts: () => ({ ...counts }), close: () => agent.destroy() }
}

async function tlsOptions({ verify, caPath, caPem, certPath, keyPath }: TlsSettings) {
  const [caFile, cert, key] = await Promise.all(
    [caPath, certPath, keyPath].map((path) => (path ? readFile(path) : undefined)),
  )
  const ca = caPem ?? caFile
  return {
    rejectUnauthorized: verify,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...((key ?? cert) && { key: key ?? cert }),
  }
}

export interface TextResponse {
  readonly status: number
  readonly headers: Answer['headers']
  readonly text: string
}

async function fetchText(
  dispatcher: Dispatcher,
  { call, url, headers, body, deadlineMs }: Exchange,
): Promise<TextResponse> {
  // One deadline for connecting, waiting and reading: a service that trickles bytes must not hold a request open.
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const answer = await request(url, { dispatcher, method: call.method, headers, body: body ?? null, signal })
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  } catch (error) {
    if (signal.aborted)
      throw new CloudError(call, { kind: 'timed-out', what: `no answer within ${deadlineMs / 1000} s` })
    const { kind, what } = reasonOf(error)
    throw new CloudError(call, { kind, what })
  }
}

/** The code alone: messages of other libraries may quote what was sent. */
function reasonOf(error: unknown): { readonly kind: CloudErrorKind; readonly what: string } {
  const { code, name } = error as { code?: unknown; name?: unknown }
  const reason = String(code ?? name ?? 'unknown error')
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(reason))
    return { kind: 'tls', what: `TLS is refused: ${reason}` }
  if (reason === 'UND_ERR_CONNECT_TIMEOUT')
    return { kind: 'timed-out', what: `no connection within ${CONNECT_MS / 1000} s` }
  if (/UND_ERR_RES|HTTP_PARSER|HPE_/.test(reason))
    return { kind: 'protocol', what: `the answer is not HTTP or too long: ${reason}` }
  return { kind: 'unreachable', what: `not reached: ${reason}` }
}

/** Throws CloudError for everything that is not a valid answer of the API. */
export function answerOf({ call, headers: sent }: Exchange, { status, headers, text }: TextResponse): Answer {
  // A call that changes something may be answered by a bare 202 or 204.
  const body = text === '' && call.method !== 'GET' ? null : parseJson(text)
  const at = timeOf(single(headers.date))
  if (status >= 300 && !(status === 300 && call.service === 'identity')) {
    throw new CloudError(call, {
      ...{
        kind: kindOfStatus(status),
        status,
        what: `answers ${status}${faultMessageOf(call, body, sent['x-auth-token'])}`,
      },
      requestId: single(headers['x-openstack-request-id']),
      retryAfterMs: retryAfterOf(single(headers['retry-after']), at),
    })
  }
  if (body === undefined)
    throw new CloudError(call, { kind: 'protocol', status, what: `answers ${status} with a body that is not JSON` })
  return { status, headers, body, at }
}

function timeOf(header: string | null): number | null {
  const at = Date.parse(header ?? '')
  return Number.isNaN(at) ? null : at
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const single = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header[0] : header) ?? null

const MAX_MESSAGE_LENGTH = 200
/** However late a service asks for a retry, it is asked again after this. */
const MAX_RETRY_AFTER_MS = 10 * 60_000

/** Nova's and Placement's own words. Keystone's are omitted: they may repeat what was sent to it. */
function faultMessageOf({ service }: Call, body: unknown, token: string | undefined): string {
  if (service === 'identity' || typeof body !== 'object' || body === null) return ''
  const [fault] = Object.values(body)
  const detail = Array.isArray(fault) ? fault[0]?.detail : fault?.message
  if (typeof detail !== 'string') return ''
  return `: ${(token ? detail.replaceAll(token, '[secret]') : detail).replace(/\s+/g, ' ').slice(0, MAX_MESSAGE_LENGTH)}`
}

/** It is a number of seconds, or a date by the service's clock, which says nothing without its present time. */
function retryAfterOf(header: string | null, now: number | null): number | null {
  const seconds = Number(header ?? Number.NaN)
  const waitMs = Number.isNaN(seconds) ? (timeOf(header) ?? Number.NaN) - (now ?? Number.NaN) : seconds * 1000
  return waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : null
}
