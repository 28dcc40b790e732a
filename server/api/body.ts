import type { ErrorView } from './contract'

// The body of a call is read here, before tRPC sees it: it has an end, and it is JSON, or the call is refused in the
// shape every other refusal has.

/** No call of the console is nearly as large. */
const BODY_MAX_BYTES = 256 * 1024

export type ReadBody =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly response: Response }

export async function withCheckedBody(request: Request, requestId: string): Promise<ReadBody> {
  if (request.method !== 'POST' || !request.body) return { ok: true, request }
  const text = await textUpTo(request, BODY_MAX_BYTES)
  if (text === null) {
    return refused(413, {
      requestId,
      code: 'input.too-large',
      what: 'The request is too large.',
      next: 'Send less at once.',
    })
  }
  if (isJsonCall(request.headers) && !isJson(text)) {
    return refused(400, {
      requestId,
      code: 'input.unreadable',
      what: 'The request is not JSON.',
      next: 'Send valid JSON.',
    })
  }
  const { url, method, headers, signal } = request
  return { ok: true, request: new Request(url, { method, headers, signal, body: text }) }
}

async function textUpTo(request: Request, max: number): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > max) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > max) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const isJsonCall = (headers: Headers) => headers.get('content-type')?.startsWith('application/json') ?? false

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return text === ''
  }
}

const PARSE_ERROR = -32700

type Told = Pick<ErrorView, 'requestId' | 'code' | 'what' | 'next'>

function refused(httpStatus: 400 | 413, told: Told): ReadBody {
  const berth: ErrorView = { ...told, where: null, refusals: [], notChanged: 'Nothing was changed.', transient: false }
  const code = httpStatus === 413 ? 'PAYLOAD_TOO_LARGE' : 'PARSE_ERROR'
  const error = { message: told.what, code: PARSE_ERROR, data: { code, httpStatus, berth } }
  return { ok: false, response: Response.json({ error }, { status: httpStatus }) }
}
