import type http from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { tracedRequest } from '../../trace/trace'
import { type Readiness, readinessResponse } from '../health/readiness'
import { resolveClientAddress, type TrustedProxies } from './client-address'
import type { Endpoints } from './endpoints'
import { disconnectSignal, endWithAnswer, send, toRequest } from './node-fetch'
import { SECURITY_HEADERS, setPageHeaders, setSecurityHeaders } from './security-headers'
import { limitedServer } from './server-limits'

// Every request to the console's port passes here first. This determines the client's address, refuses unreadable
// paths, selects the endpoint and sets the headers of every answer. Next handles only pages and files of the build, and
// gets no body.

export type Listener = (request: http.IncomingMessage, response: http.ServerResponse) => unknown

export interface FrontServerOptions {
  readonly endpoints: Endpoints
  readonly proxies: TrustedProxies
  /** The public address of Berth, when it differs from the Host header. */
  readonly publicUrl: string | null
  readonly log: Pick<Logger, 'error'>
  readiness(): Promise<Readiness>
}

export interface Pages {
  readonly answer: Listener
  /** Code that is compiled while it runs needs more freedom than a build. */
  readonly isDev: boolean
}

type Handler = (request: Request) => Promise<Response>

interface Route {
  readonly path: string
  /** Everything below the path too. */
  readonly isTree?: true
  /** Undefined: the endpoint refuses on its own. */
  readonly methods?: readonly string[]
  readonly handler: Handler
}

const READING = ['GET', 'HEAD']
/** A fetch request can have no other method, and no endpoint needs one. */
const CARRIED = [...READING, 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const MALFORMED = 400
const TOO_LARGE = 413

/** Not yet listening. */
export function frontServer(options: FrontServerOptions, pages: Pages): http.Server {
  // Node would refuse requests without a Host header, or with an Expect header, without our headers.
  const server = limitedServer(frontHandler(options, pages), { requireHostHeader: false })
  server.on('checkExpectation', (_, response: http.ServerResponse) => {
    setSecurityHeaders(response, { isHttps: false })
    response.writeHead(417, { connection: 'close' }).end()
  })
  server.on('clientError', refuseUnparsed)
  return server
}

function frontHandler(options: FrontServerOptions, pages: Pages): Listener {
  const routes = routesOf(options)
  const { log } = options
  return (incoming, response) =>
    guarded({ incoming, response, log }, async (gone) => {
      resolveClientAddress(incoming, options.proxies)
      setSecurityHeaders(response, { isHttps: isHttps(incoming, options.publicUrl) })
      const url = incoming.url ?? '/'
      const path = url.split('?', 1)[0] ?? url
      const route = routes.find((each) => each.path === path || (each.isTree && path.startsWith(`${each.path}/`)))
      const why = urlProblem(url) ?? (URL.canParse(`http://${incoming.headers.host}`) ? null : 'It names no host.')
      if (why !== null) return refuse(incoming, response, { status: MALFORMED, message: why })
      const methods = route ? (route.methods ?? CARRIED) : pages.isDev ? CARRIED : READING
      if (!methods.includes(incoming.method ?? '')) {
        response.setHeader('allow', methods.join(', '))
        return refuse(incoming, response, { status: 405, message: `Use the method ${methods.join(' or ')}.` })
      }
      if (methods === READING && hasBody(incoming)) {
        return refuse(incoming, response, { status: TOO_LARGE, message: 'This path takes no body.' })
      }
      if (route) return send(await route.handler(toRequest(incoming, gone)), incoming, response)
      setPageHeaders(incoming, response, pages.isDev)
      return pages.answer(incoming, response)
    })
}

function routesOf({ endpoints, readiness }: FrontServerOptions): readonly Route[] {
  return [
    { path: '/api/trpc', isTree: true, handler: endpoints.trpc },
    { path: '/api/auth', isTree: true, handler: endpoints.auth },
    { path: '/api/v1', isTree: true, handler: endpoints.rest },
    { path: '/placement', isTree: true, handler: endpoints.placement },
    { path: '/metrics', methods: READING, handler: endpoints.metrics },
    // Liveness: a supervisor restarts a process that does not answer.
    { path: '/healthz', methods: READING, handler: async () => Response.json({ status: 'ok' }) },
    { path: '/readyz', methods: READING, handler: (request) => readyz(request, readiness) },
    { path: '/api', isTree: true, handler: notFound },
    // Discovery paths that programs query; none is a page that requires a sign-in.
    { path: '/.well-known', isTree: true, handler: notFound },
  ]
}

/** Whether traffic should come here: 503 while stopping, or without a usable database. */
async function readyz(request: Request, readiness: FrontServerOptions['readiness']): Promise<Response> {
  const strict = new URL(request.url).searchParams.has('strict')
  return readinessResponse(await readiness(), { strict })
}

interface HttpExchange {
  readonly incoming: http.IncomingMessage
  readonly response: http.ServerResponse
  readonly log: Pick<Logger, 'error'>
}

type Work = (gone: AbortSignal) => Promise<unknown>

const MAX_TRACED_PATH_LENGTH = 200

function guarded(passing: HttpExchange, work: Work): Promise<void> {
  const { method = 'GET', url = '/', headers } = passing.incoming
  const path = (url.split('?', 1)[0] ?? url).slice(0, MAX_TRACED_PATH_LENGTH)
  const request = { method, path, headers, status: () => passing.response.statusCode }
  return tracedRequest(request, () => answered(passing, work))
}

/** Every failure below becomes one answer. An unhandled rejection would end the process. */
async function answered({ incoming, response, log }: HttpExchange, work: Work): Promise<void> {
  const gone = disconnectSignal(response)
  try {
    await work(gone)
  } catch (error) {
    if (gone.aborted || incoming.destroyed) return
    log.error({ err: error, path: incoming.url?.split('?', 1)[0] }, 'a request failed in the front server')
    if (response.headersSent) response.destroy()
    else refuse(incoming, response, { status: 500, message: 'Internal error. The log has it.' })
  }
}

interface Refusal {
  readonly status: number
  readonly message: string
}

function refuse(incoming: http.IncomingMessage, response: http.ServerResponse, { status, message }: Refusal): void {
  if (!incoming.complete) endWithAnswer(incoming, response)
  const body = JSON.stringify({ error: { message } })
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(incoming.method === 'HEAD' ? undefined : body)
}

const notFound = async () => errorResponse(404, 'Not found.')
const errorResponse = (status: number, message: string) => Response.json({ error: { message } }, { status })

const hasBody = ({ headers }: http.IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const isHttps = ({ headers }: http.IncomingMessage, publicUrl: string | null) =>
  (publicUrl?.startsWith('https:') ?? false) || String(headers['x-forwarded-proto']).split(',')[0]?.trim() === 'https'

const UNPARSED: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/**
 * Answers requests that Node could not parse, or that timed out, with headers only: the method may be unknown, and a
 * client that sent HEAD would read a body as the start of another answer.
 */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = UNPARSED[error.code ?? ''] ?? '400 Bad Request'
  const headers = { ...SECURITY_HEADERS, 'content-length': 0, connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${[status, ...lines].join('\r\n')}\r\n\r\n`)
}

// A path must be UTF-8 text without NUL, because PostgreSQL refuses such text and routes treat it differently.

const ESCAPES = /(?:%[0-9a-f]{2})+/gi

/** Why the address cannot be read; null when it can. */
function urlProblem(url: string): string | null {
  if (!url.startsWith('/')) return 'The address must begin with a slash.'
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (!isDecodable(path)) return 'The path is not percent-encoded UTF-8.'
  const escapes = url.match(ESCAPES) ?? []
  if (!escapes.every(isDecodable)) return 'The query is not percent-encoded UTF-8.'
  if (/%00/.test(url)) return 'The URL contains the character NUL, which no name and no id contains.'
  return null
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
