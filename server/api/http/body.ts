// Reads a body: never more than the endpoint allows, and only as UTF-8 text.

export type BodyText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: 'too-large' | 'not-utf8' }

/** Null when the body is longer. A longer announced length is refused before reading; the bytes are counted anyway. */
export async function readUpTo(request: Request, maxBytes: number): Promise<Buffer | null> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null
  if (request.body === null) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function readTextUpTo(request: Request, maxBytes: number): Promise<BodyText> {
  const bytes = await readUpTo(request, maxBytes)
  if (bytes === null) return { ok: false, why: 'too-large' }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { ok: false, why: 'not-utf8' }
  }
}

/** `undefined` if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
