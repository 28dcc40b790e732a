import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { SignedInUser } from '../../auth/auth'
import { parsedJson, readTextUpTo } from '../http/body'
import type { Context } from '../procedure/procedure'
import { errorShown, FormattedError } from '../refusal/errors'
import type { ErrorView } from '../refusal/view'
import { appRouter } from '../router'
import type { ApiServices } from '../services'
import { knownTokens } from '../token/known'
import { lastReport, type Problem } from './answers'
import { DOCS_HEADERS, docsPage } from './docs'
import { inputOf } from './input'
import { openApiDocument } from './openapi'
import { type Match, matchesAt, type Operation } from './operations'
import { REST_PATH } from './routes'

// REST: the procedures of the console for programs. A token replaces the session; everything else, from the role check
// to the audit entry, is the procedure's.

const BODY_MAX_BYTES = 256 * 1024

type RestContext = Context & { readonly services: ApiServices }

/** Handles `/api/v1/*`; `contextOf` gives the context, with a request id that a proxy may have set. */
export function restHandler(
  services: ApiServices,
  contextOf: (headers: Headers) => Context,
): (request: Request) => Promise<Response> {
  const personOf = tokenPeople(services)
  let made: Texts | undefined
  const texts = () => (made ??= textsOf(services.version))
  return async (request) => {
    const { headers } = request
    const person = personOf(headers)
    const ctx: RestContext = { ...contextOf(headers), user: () => person }
    person.catch(() => null) // the guard reports an unreachable database
    const answer = staticAnswer(request, texts) ?? (await answerTo(request, ctx))
    answer.headers.set('x-request-id', ctx.requestId)
    return answer
  }
}

interface Texts {
  readonly document: string
  readonly page: string
}

function textsOf(version: string): Texts {
  const document = openApiDocument(version)
  return { document: JSON.stringify(document), page: docsPage(document) }
}

function staticAnswer({ method, url }: Request, texts: () => Texts): Response | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const { pathname } = new URL(url)
  if (pathname === `${REST_PATH}/openapi.json`) {
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' }
    return new Response(texts().document, { headers })
  }
  return pathname === REST_PATH || pathname === `${REST_PATH}/`
    ? new Response(texts().page, { headers: DOCS_HEADERS })
    : null
}

async function answerTo(request: Request, ctx: RestContext): Promise<Response> {
  const { requestId } = ctx
  const url = new URL(request.url)
  const matches = matchesAt(url.pathname.slice(REST_PATH.length))
  if (matches.length === 0) {
    const next = `See ${REST_PATH}/openapi.json for all paths.`
    return plainProblem({ requestId, status: 404, code: 'input.no-route', what: 'There is no such path.', next })
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const match = matches.find(({ operation }) => operation.method === method)
  if (!match) {
    const allow = matches.map(({ operation }) => operation.method).join(', ')
    const what = `This path does not take ${request.method}.`
    const next = `Send one of ${allow}.`
    return plainProblem({ requestId, status: 405, code: 'input.method', what, next, headers: { allow } })
  }
  // An unauthenticated caller is refused before the body is read.
  const signedOut = await ctx.user().then(
    (person) => person === null,
    () => false,
  )
  if (signedOut) {
    const next = 'Send a token as X-Auth-Token, or as Authorization: Bearer. An admin creates tokens on the page Users.'
    const what = 'A valid token is required.'
    const headers = { 'www-authenticate': 'Bearer realm="berth"' }
    return plainProblem({ requestId, status: 401, code: 'auth.sign-in', what, next, headers })
  }
  return called(request, ctx, match)
}

async function called(request: Request, ctx: RestContext, { operation, params }: Match): Promise<Response> {
  const { requestId } = ctx
  const body = await bodyOf(request)
  if (!body.ok) return plainProblem({ requestId, ...body.problem })
  const url = new URL(request.url)
  const read = inputOf(operation, { params, query: url.searchParams, body: body.value })
  if (!read.ok) {
    const next = 'Correct the request.'
    return plainProblem({
      requestId,
      status: 400,
      code: 'input.bad',
      what: `The input is not valid: ${read.why}.`,
      next,
    })
  }
  try {
    const answer = await lastReport(await call(ctx, operation, { input: read.input, signal: request.signal }))
    const link = operation.isPaged ? linkToNext(url, read.input, answer) : {}
    return Response.json(answer ?? null, { headers: { 'cache-control': 'no-store', ...link } })
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error
    const view = error.cause instanceof FormattedError ? error.cause.view : errorShown(error, requestId).view
    return problemResponse(getHTTPStatusCodeFromError(error), view)
  }
}

interface Call {
  readonly input: unknown
  readonly signal: AbortSignal
}

function call(ctx: Context, { procedure }: Operation, { input, signal }: Call): Promise<unknown> {
  const caller = appRouter.createCaller(ctx, { signal })
  const [noun = '', verb = ''] = procedure.split('.')
  const asked = (caller as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>)[noun]?.[
    verb
  ]
  if (!asked) throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such procedure.' })
  return asked(input)
}

type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Omit<PlainProblem, 'requestId'> }

async function bodyOf(request: Request): Promise<Body> {
  const read = await readTextUpTo(request, BODY_MAX_BYTES)
  if (!read.ok && read.why === 'too-large') {
    const next = 'Send less at once.'
    return { ok: false, problem: { status: 413, code: 'input.too-large', what: 'The request is too large.', next } }
  }
  const text = read.ok ? read.text : null
  if (text === '') return { ok: true, value: undefined }
  if (text !== null && !/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    const what = 'The body is not declared as JSON.'
    const next = 'Send content-type: application/json.'
    return { ok: false, problem: { status: 415, code: 'input.media-type', what, next } }
  }
  const value = text === null ? undefined : parsedJson(text)
  if (value !== undefined) return { ok: true, value }
  const what = 'The request is not JSON in UTF-8.'
  return { ok: false, problem: { status: 400, code: 'input.unreadable', what, next: 'Send valid JSON.' } }
}

/** The URL of the next page of a list. */
function linkToNext(url: URL, input: unknown, answer: unknown): Readonly<Record<string, string>> {
  const { rows, total } = answer as { readonly rows: readonly unknown[]; readonly total: number }
  const next = Number((input as { readonly offset?: number }).offset ?? 0) + rows.length
  if (rows.length === 0 || next >= total) return {}
  const query = new URLSearchParams(url.searchParams)
  query.set('offset', String(next))
  return { link: `<${url.pathname}?${query}>; rel="next"` }
}

/** A token as the caller, with the rights of its role; the audit log names it as a token. */
function tokenPeople({ database }: ApiServices): (headers: Headers) => Promise<SignedInUser | null> {
  const find = knownTokens(database)
  return async (headers) => {
    const token = headers.get('x-auth-token') ?? /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
    const row = token ? await find(token) : null
    if (!row) return null
    const { id, account, name, role, grants } = row
    const credential = `token ${name}`
    return { id, account, role, grants, credential, session: '', username: credential, name: credential, email: '' }
  }
}

interface PlainProblem extends Pick<ErrorView, 'requestId' | 'code' | 'what' | 'next'> {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

/** For a request that never reached a procedure. */
const plainProblem = ({ status, headers, ...problem }: PlainProblem): Response =>
  problemResponse(
    status,
    { ...problem, where: null, refusals: [], notChanged: 'Nothing was changed.', transient: status === 503 },
    headers,
  )

function problemResponse(status: number, view: ErrorView, headers: Readonly<Record<string, string>> = {}): Response {
  const problem: Problem = { type: `urn:berth:problem:${view.code}`, title: view.what, status, ...view }
  return Response.json(problem, { status, headers: { 'content-type': 'application/problem+json', ...headers } })
}
