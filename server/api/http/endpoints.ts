import { randomUUID } from 'node:crypto'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import type { SignedInUser, SignInMethods } from '../../auth/auth'
import { metricsHandler } from '../metrics/handler'
import type { Context } from '../procedure/procedure'
import type { ErrorView } from '../refusal/view'
import { restHandler } from '../rest/handler'
import { appRouter } from '../router'
import type { ApiServices } from '../services'
import { parsedJson, readTextUpTo } from './body'
import { recordSignIn } from './sign-in-log'
import { findUnstorable } from './storable'
import { withCheckedBody } from './trpc-body'

// The endpoints as functions from request to response. Next bundles its routes separately, so a route only passes the
// request on to these, which are part of the server's own modules; that way each exists once.

export interface Endpoints {
  /** `/api/trpc/*` */
  trpc(request: Request): Promise<Response>
  /** `/api/auth/*` */
  auth(request: Request): Promise<Response>
  /** `/metrics` */
  metrics(request: Request): Promise<Response>
  /** `/api/v1/*` */
  rest(request: Request): Promise<Response>
  /** `/placement/*` */
  placement(request: Request): Promise<Response>
  /** The user who opens a page; null redirects to sign-in. */
  user(headers: Headers): Promise<SignedInUser | null>
  /** What the sign-in page offers beside name and password. */
  readonly signIn: SignInMethods
  /** The sequence up to which this server has read events: where the channel of a page begins. */
  lastEvent(): string
  /** Ms since the epoch by the database's clock. */
  now(): number
}

export type { SignInMethods }

const TRPC_PATH = '/api/trpc'
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

export function openEndpoints(services: ApiServices): Endpoints {
  return {
    trpc: (request) => trpcResponse(request, services),
    auth: (request) => guardedAuth(request, services),
    metrics: metricsHandler(services),
    rest: restHandler(services, (headers) => contextFor(headers, services)),
    placement: services.placement.respond,
    user: (headers) => services.auth.user(headers),
    signIn: services.auth.signInMethods,
    lastEvent: () => String(services.feed.head),
    now: services.now,
  }
}

/** A proxy in front may have given the request an id already; then logs on both sides agree. */
export function contextFor(headers: Headers, services: ApiServices): Context {
  const given = headers.get('x-request-id')
  const requestId = given !== null && REQUEST_ID.test(given) ? given : randomUUID()
  let person: Promise<SignedInUser | null> | undefined
  return { services, headers, requestId, user: () => (person ??= services.auth.user(headers)) }
}

async function trpcResponse(request: Request, services: ApiServices): Promise<Response> {
  const ctx = contextFor(request.headers, services)
  const tooMuch = batchRefusal(new URL(request.url), ctx.requestId)
  if (tooMuch !== null) return tooMuch
  // The caller is authenticated before the body is read.
  const isSignedOut = request.method === 'POST' && (await ctx.user().catch(() => null)) === null
  const body = await withCheckedBody(request, { requestId: ctx.requestId, isSignedOut })
  if (!body.ok) return body.response
  const response = await fetchRequestHandler({
    endpoint: TRPC_PATH,
    req: body.request,
    router: appRouter,
    createContext: () => ctx,
    allowBatching: true,
  })
  const headers = new Headers(response.headers)
  headers.set('x-request-id', ctx.requestId)
  headers.set('cache-control', 'no-store')
  headers.set('x-accel-buffering', 'no') // a proxy that gathers an event stream would make it late
  return new Response(response.body, { status: response.status, headers })
}

/** No name with a password is nearly as long. */
const SIGN_IN_MAX_BYTES = 16 * 1024

async function guardedAuth(request: Request, services: ApiServices): Promise<Response> {
  try {
    if (request.method !== 'POST') {
      const answer = await services.auth.handle(request)
      const call = {
        path: new URL(request.url).pathname,
        headers: request.headers,
        body: null,
        userBefore: null,
        answer,
      }
      await recordSignIn(services, call)
      return answer.status < 500 ? answer : signInFails()
    }
    const read = await readTextUpTo(request, SIGN_IN_MAX_BYTES)
    if (!read.ok && read.why === 'too-large') return authRefusal(413, 'The request is too large.')
    const body = read.ok ? parsedJson(read.text) : undefined
    if (!read.ok || body === undefined) return authRefusal(400, 'The request is not JSON in UTF-8.')
    const bad = findUnstorable(body)
    if (bad !== null) return authRefusal(400, `The input is not valid: ${bad.why}.`)
    const { url, method, headers, signal } = request
    // A session that the call ends can be read only before it.
    const userBefore = await services.auth.user(headers).catch(() => null)
    const answer = await services.auth.handle(new Request(url, { method, headers, signal, body: read.text }))
    await recordSignIn(services, { path: new URL(url).pathname, headers, body, userBefore, answer })
    return answer.status < 500 ? answer : signInFails()
  } catch (error) {
    services.log.error({ err: error, path: new URL(request.url).pathname }, 'a sign-in request failed')
    return signInFails()
  }
}

const signInFails = () => {
  const message = 'Signing in does not work right now. Try again in a moment.'
  return Response.json({ code: 'UNAVAILABLE', message }, { status: 503 })
}

const authRefusal = (status: 400 | 413, message: string) =>
  Response.json({ code: status === 413 ? 'TOO_LARGE' : 'BAD_REQUEST', message }, { status })

// Limits of one request. Calls of a batch start together, so a batch is bounded twice: by its number of calls, and by
// how much work they cause for the whole fleet.

/** A page of the console sends at most 12 calls in one request. */
const CALLS_MAX = 50
/** Twelve expensive calls are still accepted. */
const COST_MAX = 60
const COSTLY = 5
/** Nouns whose procedures read every host, or decide for each. */
const COSTLY_NOUNS: ReadonlySet<string> = new Set([
  ...['advice', 'bundle', 'capacity', 'heal', 'layout', 'migrate', 'past', 'run', 'search', 'explain'],
])

/** The refusal of a batch that is too large; null when it may go on. */
function batchRefusal({ pathname, searchParams }: URL, requestId: string): Response | null {
  if (searchParams.get('batch') !== '1') return null
  const calls = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1)).split(',')
  if (calls.length > CALLS_MAX) return refused(requestId, `A batch has at most ${CALLS_MAX} calls.`)
  if (costOf(calls) > COST_MAX) return refused(requestId, 'This batch is too much work for one request.')
  return null
}

function costOf(calls: readonly string[]): number {
  return calls.reduce((sum, call) => sum + (COSTLY_NOUNS.has(call.split('.', 1)[0] ?? '') ? COSTLY : 1), 0)
}

const TRPC_PAYLOAD_TOO_LARGE = -32013

function refused(requestId: string, what: string): Response {
  const berth: ErrorView = {
    ...{ requestId, code: 'input.too-large', what, where: null, refusals: [] },
    ...{ notChanged: 'Nothing was changed.', next: 'Send fewer calls in one batch.', transient: false },
  }
  const data = { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413, berth }
  return Response.json({ error: { message: what, code: TRPC_PAYLOAD_TOO_LARGE, data } }, { status: 413 })
}
