import type { Endpoints } from '../../api/http/endpoints'
import { ROUTES } from '../../api/placement/routes'
import { appRouter } from '../../api/router'
import { inputFor, type Subjects } from './inputs'

// Calls all queries of the console and every GET of the Placement API.

const ORIGIN = 'http://berth.test'

export interface Visitor {
  readonly endpoints: Endpoints
  readonly cookie: string
  readonly token: string
}

/** One request with its status and the body of its response. */
export interface Visit {
  readonly what: string
  readonly status: number
  readonly body: string
}

interface Procedure {
  readonly _def: { readonly type: 'query' | 'mutation' | 'subscription'; readonly inputs: readonly unknown[] }
}

const PROCEDURES = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>)

export async function signIn(endpoints: Endpoints, password: string): Promise<string> {
  const response = await endpoints.auth(
    new Request(`${ORIGIN}/api/auth/sign-in/username`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN, host: 'berth.test' },
      body: JSON.stringify({ username: 'admin', password }),
    }),
  )
  const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0])
  if (!response.ok || cookie.length === 0) throw new Error(`Sign-in answered ${response.status}.`)
  return cookie.join('; ')
}

/** Responses to all console queries and Placement GETs about these subjects, in no particular order. */
export async function visitAll(visitor: Visitor, subjects: Subjects): Promise<readonly Visit[]> {
  const gets = ROUTES.filter(({ method }) => method === 'GET').flatMap(({ path }) =>
    placementPaths(path, subjects).map((each) => () => get(visitor, each)),
  )
  return inLanes([...queries(visitor, subjects), ...gets])
}

/** Responses to all console queries about these subjects, in no particular order. */
export const allQueries = (visitor: Visitor, subjects: Subjects): Promise<readonly Visit[]> =>
  inLanes(queries(visitor, subjects))

const queries = (visitor: Visitor, subjects: Subjects) =>
  PROCEDURES.filter(([, { _def }]) => _def.type === 'query').flatMap(([path, { _def }]) =>
    inputFor(path, _def.inputs, subjects).map((input) => () => query(visitor, path, input)),
  )

/**
 * Responses to all mutations with these inputs, one after the other. In reverse router order, so that mutations of
 * hosts, which leave little behind, run near the end.
 */
export async function allMutations(
  visitor: Visitor,
  inputsOf: (path: string, inputs: readonly unknown[]) => readonly unknown[],
): Promise<readonly Visit[]> {
  const visits: Visit[] = []
  for (const [path, { _def }] of [...PROCEDURES].reverse()) {
    if (_def.type !== 'mutation') continue
    for (const input of inputsOf(path, _def.inputs)) {
      const { response, text } = await send(visitor, `/api/trpc/${path}`, input ?? {})
      visits.push({ what: `${path} ${JSON.stringify(input)}`, status: response.status, body: text })
    }
  }
  return visits
}

/** Returns the procedure's result; throws on failure. */
export async function call(visitor: Visitor, path: string, input: unknown = {}): Promise<unknown> {
  const { response, text } = await send(visitor, `/api/trpc/${path}`, input)
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 400)}`)
  return JSON.parse(text).result.data
}

/** As `call`, for a query. */
export async function queryResult(visitor: Visitor, path: string, input?: unknown): Promise<unknown> {
  const { status, body } = await query(visitor, path, input)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
  return JSON.parse(body).result.data
}

async function query(visitor: Visitor, path: string, input: unknown): Promise<Visit> {
  const question = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const { response, text } = await send(visitor, `/api/trpc/${path}${question}`)
  return { what: `${path} ${input === undefined ? '' : JSON.stringify(input)}`, status: response.status, body: text }
}

async function send({ endpoints, cookie }: Visitor, path: string, body?: unknown) {
  const headers = { cookie, origin: ORIGIN, host: 'berth.test', 'content-type': 'application/json' }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await endpoints.trpc(new Request(`${ORIGIN}${path}`, init))
  return { response, text: await response.text() }
}

async function get({ endpoints, token }: Visitor, path: string): Promise<Visit> {
  const headers = { 'x-auth-token': token, 'openstack-api-version': 'placement 1.39', accept: 'application/json' }
  const response = await endpoints.placement(new Request(`${ORIGIN}/placement${path}`, { headers }))
  return { what: `GET ${path}`, status: response.status, body: await response.text() }
}

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/allocation_candidates': ['?resources=VCPU:1,MEMORY_MB:64', '?resources=VCPU:1&required=COMPUTE_NODE'],
  '/usages': ['?project_id=demo'],
  '/resource_providers': ['', '?resources=VCPU:1', '?name=std-01'],
  '/traits': ['', '?associated=true'],
}

function placementPaths(path: string, subjects: Subjects): readonly string[] {
  const filled = path
    .replace('{resource_class}', 'VCPU')
    .replace('{name}', path.startsWith('/traits') ? 'HW_CPU_X86_AVX2' : 'VCPU')
  const of = (part: string, ids: readonly string[]) => ids.map((id) => filled.replace(part, id))
  if (filled.includes('{uuid}')) return of('{uuid}', subjects.provider)
  if (filled.includes('{consumer_uuid}')) return of('{consumer_uuid}', [...subjects.instance, ...subjects.migration])
  return (QUERIES[filled] ?? ['']).map((question) => `${filled}${question}`)
}

const LANES = 8

async function inLanes(asks: readonly (() => Promise<Visit>)[]): Promise<readonly Visit[]> {
  const left = [...asks]
  const visits: Visit[] = []
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) visits.push(await next())
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return visits
}
