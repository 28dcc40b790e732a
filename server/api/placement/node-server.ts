import type http from 'node:http'
import type { Duplex } from 'node:stream'
import { endWithAnswer } from '../http/node-fetch'
import { SECURITY_HEADERS } from '../http/security-headers'
import { limitedServer } from '../http/server-limits'
import { decoded } from './fetch-handler'
import { BODY_MAX_BYTES, type PlacementHandler } from './handler'
import { Problem } from './problem'

// The API at the root of its own port, as Placement clients expect it, without the console's framework in between.

/** Not yet listening. */
export function placementServer(handler: PlacementHandler): http.Server {
  const server = limitedServer((request, response) => {
    // The API answers for its own failures. A failure outside it ends this connection, never the process.
    serve(handler, request, response).catch(() => response.destroy())
  })
  server.on('clientError', refuseUnreadable)
  return server
}

async function serve(
  handler: PlacementHandler,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { url = '/', method = 'GET', headers } = request
  const mark = url.indexOf('?')
  const answer = await handler({
    method,
    path: decoded(mark < 0 ? url : url.slice(0, mark)),
    query: mark < 0 ? '' : url.slice(mark + 1),
    mount: '',
    origin: headers.host ? `http://${headers.host}` : '',
    header: (name) => headers[name]?.toString() ?? null,
    body: () => bodyOf(request),
  })
  const { status, body } = answer
  if (!request.complete) endWithAnswer(request, response)
  // A text is sent in one write with the headers; bytes would take a second one.
  const length = body === null ? 0 : Buffer.byteLength(body)
  const own: Record<string, string> = { ...SECURITY_HEADERS, ...answer.headers }
  if (status !== 204) own['content-length'] = String(length)
  response.writeHead(status, own)
  if (body === null || method === 'HEAD') response.end()
  // Nearly every answer is ASCII, which is sent as it is in memory.
  else response.end(body, length === body.length ? 'latin1' : 'utf8')
}

function bodyOf(request: http.IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > BODY_MAX_BYTES) reject(new Problem(413))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

// Clients expect the API's error format even for bytes that Node cannot parse as a request.
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // Only a request with a body is certainly not HEAD, which would read ours as the start of another answer.
  const isBodied = error.code === 'HPE_INVALID_CONTENT_LENGTH'
  const errors = [{ status: 400, title: 'Bad Request', detail: 'content-length header must be an integer' }]
  const body = isBodied ? JSON.stringify({ errors }) : ''
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json',
    'content-length': body.length,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
