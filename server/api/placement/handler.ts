import type { Logger } from 'pino'
import { isFault } from '../refusal/faults'
import { type Caller, demand, type Identify } from './caller/caller'
import { mustBeJson } from './content'
import { isCrossOrigin, withCors } from './cors'
import { markupOf, Problem, type RequestHead, TITLES, textOf } from './problem'
import { Query } from './query'
import { type Check, type Route, routesAt } from './routes'
import { MAX_VERSION, MIN_VERSION, minorOf, VERSION_HEADER } from './version'
import { type Answer, type Call, nothing, type PlacementServices } from './wire'

// One request through the API: caller, version, route, handler. All error responses are made here, so that they are
// uniform.

export interface HandlerOptions {
  readonly services: PlacementServices
  readonly identify: Identify
  readonly log: Pick<Logger, 'error'>
  /** The one origin whose pages are allowed; null allows none. */
  readonly allowedOrigin: string | null
}

export type PlacementHandler = (call: Call) => Promise<Answer>

/** Larger than any reshape of a real host. */
export const BODY_MAX_BYTES = 16 * 1024 * 1024
const CODED_FROM = 23

export function placementHandler(options: HandlerOptions): PlacementHandler {
  return async (call) => {
    const requestId = `req-${options.services.newId()}`
    const cors = isCrossOrigin(call, options.allowedOrigin)
    const passing: CallContext = { requestId, met: { minor: null }, options }
    const answer = cors === 'preflight' || cors === 'foreign-preflight' ? nothing(200) : await answered(call, passing)
    return withCors(call, signed(call, answer, passing), cors)
  }
}

interface NegotiatedVersion {
  minor: number | null
}

async function answered(call: Call, passing: CallContext): Promise<Answer> {
  try {
    return await passed(call, passing)
  } catch (error) {
    const { requestId, met, options } = passing
    const problem = error instanceof Problem ? error : unexpected(error, options, requestId)
    return problemAnswer(call, problem, { requestId, minor: met.minor })
  }
}

interface CallContext {
  readonly requestId: string
  readonly met: NegotiatedVersion
  readonly options: HandlerOptions
}

async function passed(call: Call, { requestId, met, options }: CallContext): Promise<Answer> {
  const isRoot = call.path === '' || call.path === '/'
  const caller = isRoot ? ANYBODY : await options.identify(call)
  if (!caller) throw new Problem(401)
  const minor = minorOf(call.header(VERSION_HEADER))
  met.minor = minor
  checkLength(call)
  const { route, params } = routeFor(call)
  checkCharacters(call)
  const query = new Query(call.query)
  for (const check of route.checks) CHECKS[check](call, route, minor)
  if (route.right !== null) {
    demand(caller, { right: route.right, action: route.action, project: query.one('project_id') })
  }
  const writer = { who: caller.name, request: requestId, owner: caller.owner }
  return route.handle({ services: options.services, call, minor, params, query, caller, writer })
}

const ANYBODY: Caller = { name: '', owner: { kind: 'unknown', id: '', name: '' }, may: () => false }

function checkLength(call: Call): void {
  const length = call.header('content-length')
  if (!length) return
  if (!/^\s*[+-]?\d+\s*$/.test(length)) throw new Problem(400, 'content-length header must be an integer')
  if (Number(length) > BODY_MAX_BYTES) throw new Problem(413)
  if (Number(length) > 0 && !call.header('content-type')) {
    throw new Problem(400, 'content-type header required when content-length > 0')
  }
}

/** PostgreSQL accepts no NUL in text: a query with one would fail. */
function checkCharacters({ path, query }: Call): void {
  if (!path.includes('\0') && !query.includes('%00')) return
  throw new Problem(400, 'The URL contains the character NUL, which no name and no id contains.')
}

function routeFor(call: Call): { readonly route: Route; readonly params: Readonly<Record<string, string>> } {
  const found = routesAt(call.path)
  if (!found) throw new Problem(404)
  const route = found.routes.find(({ method }) => method === call.method)
  if (route) return { route, params: found.params }
  const allow = found.routes.map(({ method }) => method).join(', ')
  throw new Problem(405, 'The method specified is not allowed for this resource.', { headers: { allow } })
}

const CHECKS: Readonly<Record<Check, (call: Call, route: Route, minor: number) => void>> = {
  version: (_, { from, before }, minor) => {
    if (minor < from) throw new Problem(before)
  },
  accept: (call) => {
    if (!takesJson(call.header('accept'))) throw new Problem(406, 'Only application/json is provided')
  },
  content: mustBeJson,
}

function unexpected(error: unknown, { log }: HandlerOptions, requestId: string): Problem {
  log.error({ err: error, requestId }, 'a request of the Placement API failed')
  if (isFault(error)) {
    const unknown = 'It is not known whether a change was made: read before you send it again.'
    return new Problem(503, `Berth cannot reach its database at present. ${unknown}`)
  }
  return new Problem(500, 'Berth could not do this. Its log has the cause under the id of this request.')
}

/** With the headers of every answer. */
function signed({ origin }: Call, { status, headers: own, body }: Answer, { requestId, met }: CallContext): Answer {
  const headers: Record<string, string> = { ...own, 'x-openstack-request-id': requestId }
  if (met.minor !== null) {
    headers[VERSION_HEADER] = `placement 1.${met.minor}`
    headers.vary = VERSION_HEADER
  }
  // Clients get absolute URLs of what they created.
  if (headers.location !== undefined) headers.location = origin + headers.location
  return { status, headers, body }
}

interface ProblemFacts {
  readonly requestId: string
  readonly minor: number | null
}

function problemAnswer(call: Call, problem: Problem, { requestId, minor }: ProblemFacts): Answer {
  const { status } = problem
  const title = TITLES[status]
  const head: RequestHead = {
    method: call.method,
    accept: call.header('accept') ?? '',
    contentType: call.header('content-type') ?? 'None',
  }
  const detail = textOf(problem, head)
  const type = problemForm(call.header('accept'))
  const headers = { ...problem.headers, 'content-type': type === 'application/json' ? type : `${type}; charset=UTF-8` }
  if (type === 'text/html') return { status, headers, body: page(`${status} ${title}`, markupOf(problem, head)) }
  if (type === 'text/plain') return { status, headers, body: `${status} ${title}\n\n${detail}` }
  // A refused sign-in is answered in the words of the authentication layer.
  if (status === 401) {
    return {
      status,
      headers,
      body: JSON.stringify({ message: markupOf(problem, head), code: `${status} ${title}`, title }),
    }
  }
  const error = {
    ...{ status, title, detail },
    ...(minor !== null && minor >= CODED_FROM && { code: problem.code }),
    request_id: requestId,
    ...(status === 406 && minor === null && { max_version: MAX_VERSION, min_version: MIN_VERSION }),
  }
  return { status, headers, body: JSON.stringify({ errors: [error] }) }
}

const page = (title: string, markup: string) =>
  `<html>\n <head>\n  <title>${title}</title>\n </head>\n <body>\n  <h1>${title}</h1>\n  ${markup}\n </body>\n</html>`

// The Accept header as far as this API needs it: whether JSON will do, and in which form a problem is answered.

interface Range {
  readonly type: string
  readonly quality: number
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').flatMap((part) => {
    const [type, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (!type) return []
    const quality = parameters.find((each) => each.startsWith('q='))?.slice(2)
    return [{ type, quality: quality === undefined ? 1 : Number(quality) || 0 }]
  })
}

function qualityOf(ranges: readonly Range[], type: string): number {
  const wanted = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const each of wanted) {
    const range = ranges.find((candidate) => candidate.type === each)
    if (range) return range.quality
  }
  return 0
}

/** Also true without a header, and for an unreadable one. */
function takesJson(accept: string | null): boolean {
  if (!accept?.includes('/')) return true
  return qualityOf(rangesOf(accept), 'application/json') > 0
}

type ProblemForm = 'application/json' | 'text/html' | 'text/plain'

/**
 * JSON where it is accepted as readily as HTML, and by default; plain text where neither is accepted; HTML for an
 * unreadable header.
 */
function problemForm(accept: string | null): ProblemForm {
  if (!accept) return 'application/json'
  if (!accept.includes('/')) return 'text/html'
  const ranges = rangesOf(accept)
  const html = qualityOf(ranges, 'text/html')
  const json = qualityOf(ranges, 'application/json')
  if (json > 0 && json >= html) return 'application/json'
  return html > 0 ? 'text/html' : 'text/plain'
}
