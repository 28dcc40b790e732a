import type { Problem } from '../../api/rest/answers'
import { REST_PATH, type RestProcedure, ROUTES } from '../../api/rest/routes'
import type { ApiInputs, ApiOutputs } from '../../api/router'
import { ExitCode, Failure } from './failure'

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
        const what = `The response (status ${response.status}) is not from Berth. Check BERTH_URL, and proxies in between.`
        throw new Failure(ExitCode.unreachable, what)
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

async function sent(url: URL, init: RequestInit): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(url, init)
    return { response, text: await response.text() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Failure(ExitCode.unreachable, `Berth does not answer at ${url.origin}: ${why}`)
  }
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
  const rules = problem.refusals.map(
    ({ need, have, free, unit }) =>
      `  needs ${need}${unit ? ` ${unit}` : ''}${free === null ? '' : `, free ${free}`}${have ? `: ${have}` : ''}`,
  )
  const lines = [problem.what, ...rules, problem.notChanged, problem.next, `Request ${problem.requestId}`]
  return new Failure(exitCodeOf(status), lines.filter(Boolean).join('\n'), problem)
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return ExitCode.notAllowed
  if (status === 404) return ExitCode.notFound
  return status >= 500 ? ExitCode.unreachable : ExitCode.refused
}
