import type http from 'node:http'

// Converts between Node's objects and fetch's. A body is streamed and never buffered here: each endpoint reads as much
// as it allows, after authenticating the caller.

/**
 * Throws for a Host that makes no valid URL. `gone` is aborted when the client disconnects before its answer was sent.
 */
export function toRequest(incoming: http.IncomingMessage, gone: AbortSignal): Request {
  const { method = 'GET', headers: sent, url = '/' } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) {
    if (Array.isArray(value)) for (const each of value) headers.append(name, each)
    else if (value !== undefined && !name.startsWith(':')) headers.set(name, value)
  }
  const address = new URL(url, `http://${sent.host || 'localhost'}`)
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: bodyOf(incoming), duplex: 'half' as const }
  return new Request(address, { method, headers, signal: gone, ...body })
}

/** The connection stays open after reading stops, because it must carry the answer. */
function bodyOf(incoming: http.IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming.iterator({ destroyOnReturn: false })
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value, done } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void chunks.return?.(),
    },
    { highWaterMark: 0 },
  )
}

/** Aborted when the connection ends before the answer does. */
export function disconnectSignal(response: http.ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Sends the answer. The rest of the client's body is not read: the connection ends with the answer. */
export async function send(answer: Response, incoming: http.IncomingMessage, response: http.ServerResponse) {
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value)
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  if (!incoming.complete) endWithAnswer(incoming, response)
  if (answer.body === null || incoming.method === 'HEAD') {
    response.end()
    return
  }
  await pipeBody(answer.body, response)
}

/** Not before the answer is sent: closing the connection at once would discard the answer. */
export function endWithAnswer(incoming: http.IncomingMessage, response: http.ServerResponse): void {
  response.setHeader('connection', 'close')
  response.once('finish', () => {
    incoming.resume() // drains the body meanwhile, or the client would never read the answer
    setTimeout(() => incoming.destroy(), LINGER_MS).unref()
  })
}

const LINGER_MS = 500

async function pipeBody(body: ReadableStream<Uint8Array>, response: http.ServerResponse): Promise<void> {
  const reader = body.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  response.once('close', stop)
  try {
    response.flushHeaders()
    for (;;) {
      const { value, done } = await reader.read()
      if (done || response.destroyed) break
      if (!response.write(value)) await drained(response)
    }
  } finally {
    response.off('close', stop)
    response.end()
  }
}

const drained = (response: http.ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
    if (response.destroyed) done()
  })
