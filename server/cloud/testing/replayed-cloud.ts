import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CloudSettings } from '../settings/cloud-settings'
import { Secret } from '../settings/secret'
import type { CloudState } from './cloud-state'
import { bodyOf, reversed, tokenBody, withoutFirst } from './replayed-bodies'
import { runPending, written } from './replayed-writes'

// A cloud for tests: a real HTTP server on loopback with Keystone, Nova and Placement over a CloudState, with faults.

export type Fault =
  /** No answer at all. */
  | 'late'
  | 'reset'
  | 'truncated'
  /** The body of the previous answer to the same request. */
  | 'repeated'
  /** A list of instances lacks its first row, as while a cell is down. */
  | 'missing'
  /** Rows of a list in another order. */
  | 'shuffled'
  | 401
  | 406
  | 409
  | 500
  | 503

export interface ReplayedCloud {
  readonly state: CloudState
  readonly settings: CloudSettings
  /** Method and path of every request, in order. */
  readonly log: readonly string[]
  /** Faults of the next requests, in this order; then none. Keystone's have none. */
  readonly fail: (faults: readonly (Fault | null)[]) => void
  readonly close: () => Promise<void>
}

const PASSWORD = 'replayed-password'
export const TOKEN_PREFIX = 'replayed-token'
/** Small by default, so that lists have pages. */
const MAX_ROWS = 3

export interface ReplayOptions {
  readonly deadlineMs?: number
  /** Rows per page. */
  readonly mostRows?: number
  /** How long Nova works on an accepted action, by the cloud's clock. */
  readonly takesMs?: number
  /** Called with method and path of each incoming request. */
  readonly onRequest?: (request: string) => void
  /** Answers to GETs of these paths, or to `METHOD path`, in place of the state and of faults other than 401. */
  readonly answers?: Readonly<Record<string, ReplayedAnswer>>
}

export interface ReplayedAnswer {
  readonly status: number
  readonly body?: unknown
  /** In seconds, as `Retry-After`. */
  readonly retryAfterS?: number
}

export async function replayCloud(state: CloudState, options: ReplayOptions = {}): Promise<ReplayedCloud> {
  const log: string[] = []
  const faults: (Fault | null)[] = []
  const before = new Map<string, { readonly body: unknown; readonly at: number }>()
  const tokens = new Set<string>()
  let issued = 0
  const { mostRows = MAX_ROWS } = options
  const { send, sendText, refuse } = answersOf(state, log)
  const server = createServer((request, response) => {
    const { method = '', url = '/' } = request
    log.push(`${method} ${url}`)
    options.onRequest?.(`${method} ${url}`)
    const refusal = options.answers?.[`${method} ${url}`]
    if (url.startsWith('/identity/v3/auth/tokens'))
      return refusal ? refuse(response, refusal) : void issueToken(request, response)
    if (/^\/identity\/v3\/?$/.test(url)) return send(response, 200, { version: { id: 'v3.14', status: 'stable' } })
    const fault = faults.shift() ?? null
    const answer = options.answers?.[url.replace(/\?.*/, '')]
    const token = String(request.headers['x-auth-token'])
    if (fault === 401) tokens.delete(token)
    const isSignedIn = tokens.has(token)
    if (!isSignedIn) return send(response, 401, { error: { code: 401, message: 'Unauthorized' } })
    runPending(state)
    // After the check of the token: without one nothing is changed.
    if (refusal) return refuse(response, refusal)
    if (request.method !== 'GET')
      return void textOf(request).then((sent) => {
        const { status, body: answer, requestId } = written(state, { url, sent, takesMs: options.takesMs ?? 0 })
        response.setHeader('x-openstack-request-id', requestId)
        send(response, status, answer)
      })
    if (answer) return send(response, answer.status, answer.body ?? {})
    const old = fault === 'repeated' ? before.get(url) : undefined
    const body = old ? old.body : bodyOf(state, url, { base, mostRows })
    if (body === null) return send(response, 404, { itemNotFound: { code: 404, message: `no ${url}` } })
    if (typeof body === 'object' && 'badRequest' in body) return send(response, 400, body)
    if (!old) before.set(url, { body: structuredClone(body), at: state.clockMs })
    if (fault === 'reset') return void request.socket.destroy()
    if (typeof fault === 'number')
      return send(response, fault, { computeFault: { code: fault, message: 'made to fail' } })
    if (fault === 'late') return
    const changed = fault === 'shuffled' ? reversed(body) : fault === 'missing' ? withoutFirst(body) : body
    const text = JSON.stringify(changed)
    if (old) response.setHeader('date', new Date(old.at).toUTCString())
    sendText(response, 200, fault === 'truncated' ? text.slice(0, text.length / 2) : text)
  })

  async function issueToken(request: IncomingMessage, response: ServerResponse) {
    const sent = await textOf(request)
    if (!sent.includes(PASSWORD)) return send(response, 401, { error: { message: `wrong: ${sent}` } })
    const token = `${TOKEN_PREFIX}-${++issued}`
    tokens.add(token)
    response.setHeader('x-subject-token', token)
    send(response, 201, { token: tokenBody(state, base) })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const fail = (next: readonly (Fault | null)[]) => void faults.splice(0, faults.length, ...next)
  return { ...{ state, log, fail, close }, settings: settingsOf(base, options.deadlineMs ?? 5_000) }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let sent = ''
  for await (const chunk of request) sent += chunk
  return sent
}

/** Answers dated by the cloud's clock. */
function answersOf(state: CloudState, log: readonly string[]) {
  const sendText = (response: ServerResponse, status: number, text: string) => {
    response.sendDate = false
    if (!response.hasHeader('date')) response.setHeader('date', new Date(state.clockMs).toUTCString())
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(text)
  }
  const send = (response: ServerResponse, status: number, body: unknown) =>
    sendText(response, status, body === undefined ? '' : JSON.stringify(body))
  const refuse = (response: ServerResponse, { status, body = {}, retryAfterS }: ReplayedAnswer) => {
    // Each answer has an id of its own.
    response.setHeader('x-openstack-request-id', `req-refused-${log.length}`)
    if (retryAfterS !== undefined) response.setHeader('retry-after', String(retryAfterS))
    send(response, status, body)
  }
  return { send, sendText, refuse }
}

/** The files that its operator would upload. */
export const yamlOf = ({ settings: { authUrl, region } }: Pick<ReplayedCloud, 'settings'>) => ({
  clouds: `clouds:
  replayed:
    region_name: ${region}
    auth:
      auth_url: ${authUrl}
      username: reader
      user_domain_id: default
      project_id: p1
`,
  secure: `clouds: {replayed: {auth: {password: ${PASSWORD}}}}`,
})

export const settingsOf = (base: string, deadlineMs: number): CloudSettings => ({
  ...{ name: 'replayed', authUrl: `${base}/identity`, region: 'RegionOne', interface: 'public', deadlineMs },
  tls: { verify: true, caPath: null, certPath: null, keyPath: null },
  endpoints: { compute: null, placement: null },
  credential: {
    ...{ kind: 'password', user: { name: 'reader', domain: { id: 'default' } } },
    ...{ password: new Secret(PASSWORD), scope: { kind: 'project', project: { id: 'p1' } } },
  },
})
