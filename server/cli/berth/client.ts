import type { Problem } from '../../api/rest/answers'
import { REST_PATH, type RestProcedure, ROUTES } from '../../api/rest/routes'
import type { ApiInputs, ApiOutputs } from '../../api/router'
import { ExitCode, Failure, failed } from './failure'

// REST as functions: `call('host.list', { limit: 5 })`. The table of routes gives method and path of each, the types of
// the router its input and output.

type At<Nouns, P extends string> = P extends `${infer Noun extends keyof Nouns & string}.${infer Verb}`
  ? Verb extends keyof Nouns[Noun]
    ? Nouns[Noun][Verb]
    : never
  : never
export type InputOf<P extends RestProcedure> = At<ApiInputs, P>
export type OutputOf<P extends RestProcedure> = At<ApiOutputs, P>

export interface Client {
  call<P extends RestProcedure>(
    procedure: P,
    ...input: InputOf<P> extends void ? [] : [InputOf<P>]
  ): Promise<OutputOf<P>>
}

export interface ClientOptions {
  /** Such as `https://berth.example`. */
  readonly url: string
  readonly token: string
}

const PATIENCE_MS = 60_000

export function openClient({ url, token }: ClientOptions): Client {
  return {
    call: async (procedure, ...[input]) => {
      const { method, path, body } = requestOf(procedure, (input ?? {}) as Fields)
      const { response, text } = await sent(new URL(`${REST_PATH}${path}`, url), {
        method,
        headers: { 'x-auth-token': token, ...(body === null ? {} : { 'content-type': 'application/json' }) },
        body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const isExpected = typeOf(response) === (response.ok ? 'application/json' : 'application/problem+json')
      const value = isExpected ? parsed(text) : undefined
      if (value === undefined) {
        const what = `The response (status ${response.status}) is not from Berth.`
        throw unreachable({ what, isWrite: method !== 'GET', next: 'Check BERTH_URL, and proxies in between.' })
      }
      if (response.ok) return value as OutputOf<typeof procedure>
      throw failureOf(response.status, value as Problem)
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

function requestOf(procedure: RestProcedure, input: Fields) {
  const { method, path } = ROUTES[procedure]
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const rest = Object.entries(input).filter(([name, value]) => value !== undefined && !inPath.has(name))
  if (method === 'POST' || method === 'PUT') return { method, path: at, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(rest.flatMap(([name, value]) => textsOf(value).map((text) => [name, text])))
  return { method, path: query.size > 0 ? `${at}?${query}` : at, body: null }
}

const isPlain = (value: unknown) => typeof value !== 'object' || value === null

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String)
  return [isPlain(value) ? String(value) : JSON.stringify(value)]
}

type ClientRequest = RequestInit & { readonly method: string }

async function sent(url: URL, init: ClientRequest): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(url, init)
    return { response, text: await response.text() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const why = (cause instanceof Error ? cause.message : String(cause)).trim()
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const what = `Berth does not answer at ${url.origin}: ${why.replace(/\.$/, '')}.`
    const next =
      code === 'ERR_SSL_WRONG_VERSION_NUMBER'
        ? 'Nothing speaks TLS there: use http, or the address of the proxy that provides TLS.'
        : `Check BERTH_URL, the network, and whether Berth runs: ${url.origin}/healthz.`
    throw unreachable({ what, isWrite: init.method !== 'GET' && !NOT_SENT.has(code), next })
  }
}

/** The connection was not made, so Berth has not received the request. */
const NOT_SENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

interface NoAnswer {
  readonly what: string
  /** Of a request that Berth may have received. */
  readonly isWrite: boolean
  readonly next: string
}

/** A write without an answer may have been made: a script that repeats it blindly would do it twice. */
function unreachable({ what, isWrite, next }: NoAnswer): Failure {
  const notChanged = isWrite
    ? 'It is unknown whether the change was made; check before you repeat it.'
    : 'This request changed nothing.'
  return failed(ExitCode.unreachable, { what, notChanged, next })
}

/** `undefined` if it is not JSON, as of a response that a proxy cut. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const typeOf = ({ headers }: Response) => headers.get('content-type')?.split(';', 1).join().trim()

function failureOf(status: number, problem: Problem): Failure {
  const { what, where, refusals, notChanged, next, requestId } = problem
  const object = where === null || what.includes(where) ? null : `About ${where}.`
  // A single rule without amounts is what `what` says.
  const rules = refusals.length > 1 || refusals.some(({ free }) => free !== null) ? refusals.map(ruleText) : []
  const lines = [what, object, ...rules, notChanged, next, `Request ${requestId}`]
  return new Failure(exitCodeOf(status), lines.filter(Boolean).join('\n'), problem)
}

function ruleText({ kind, need, have, free, unit }: Problem['refusals'][number]): string {
  if (kind === 'bad-input') return `  ${have}: ${need}`
  return `  needs ${need}${unit ? ` ${unit}` : ''}${free === null ? '' : `, free ${free}`}${have ? `: ${have}` : ''}`
}

/** A value that Berth refuses to read is a mistake in the command, and no rule of the fleet. */
const UNREADABLE: ReadonlySet<number> = new Set([400, 413, 415])

function exitCodeOf(status: number): ExitCode {
  if (UNREADABLE.has(status)) return ExitCode.usage
  if (status === 401 || status === 403) return ExitCode.notAllowed
  if (status === 404) return ExitCode.notFound
  return status >= 500 ? ExitCode.unreachable : ExitCode.refused
}
