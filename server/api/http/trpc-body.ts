import type { ErrorView } from '../refusal/view'
import { type BodyText, parsedJson, readTextUpTo } from './body'

// Reads the body of a call before tRPC: it must be bounded and JSON, or the call is refused like any other.

/** No call of the console is nearly as large. */
const BODY_MAX_BYTES = 256 * 1024
/** A request without a session is refused anyway, so little of it is read. */
const SIGNED_OUT_MAX_BYTES = 16 * 1024

export type ReadBody =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly response: Response }

export interface BodyOptions {
  readonly requestId: string
  readonly isSignedOut: boolean
}

export async function withCheckedBody(request: Request, { requestId, isSignedOut }: BodyOptions): Promise<ReadBody> {
  if (request.method !== 'POST' || !request.body) return { ok: true, request }
  const read = await readTextUpTo(request, isSignedOut ? SIGNED_OUT_MAX_BYTES : BODY_MAX_BYTES)
  if (!read.ok) return refused(STATUS[read.why], { requestId, ...ERRORS[read.why] })
  if (isJsonCall(request.headers) && read.text !== '' && parsedJson(read.text) === undefined) {
    return refused(400, { requestId, ...UNREADABLE })
  }
  const { url, method, headers, signal } = request
  return { ok: true, request: new Request(url, { method, headers, signal, body: read.text || NO_INPUT }) }
}

type BodyRefusal = Extract<BodyText, { readonly ok: false }>['why']

/** Ignored by procedures without an input, and refused by the others. */
const NO_INPUT = 'null'

const UNREADABLE = { code: 'input.unreadable', what: 'The request is not JSON.', next: 'Send valid JSON.' }
const STATUS = { 'too-large': 413, 'not-utf8': 400 } as const satisfies Record<BodyRefusal, number>
const ERRORS = {
  'too-large': { code: 'input.too-large', what: 'The request is too large.', next: 'Send less at once.' },
  'not-utf8': { ...UNREADABLE, what: 'The request is not UTF-8.' },
} as const satisfies Record<BodyRefusal, Pick<ErrorView, 'code' | 'what' | 'next'>>

const isJsonCall = (headers: Headers) => headers.get('content-type')?.startsWith('application/json') ?? false

const PARSE_ERROR = -32700

type BodyError = Pick<ErrorView, 'requestId' | 'code' | 'what' | 'next'>

function refused(httpStatus: 400 | 413, problem: BodyError): ReadBody {
  const berth: ErrorView = {
    ...problem,
    where: null,
    refusals: [],
    notChanged: 'Nothing was changed.',
    transient: false,
  }
  const code = httpStatus === 413 ? 'PAYLOAD_TOO_LARGE' : 'PARSE_ERROR'
  const error = { message: problem.what, code: PARSE_ERROR, data: { code, httpStatus, berth } }
  return { ok: false, response: Response.json({ error }, { status: httpStatus }) }
}
