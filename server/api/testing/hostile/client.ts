import http from 'node:http'
import net from 'node:net'
import type { Attack } from './calls'

// A client that sends any bytes, including those that other clients refuse to send.

export interface RawResponse {
  /** 0: there was no answer. */
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

const MAX_BODY_BYTES = 20_000
const PATIENCE_MS = 60_000
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

export interface CallOptions {
  /** The local address that the call comes from. */
  readonly from?: string
  /** How much of an answer is kept; the rest is read and discarded. */
  readonly keptBytes?: number
}

export function requestAt(
  port: number,
  { method, path, headers, body }: Attack,
  { from, keptBytes = MAX_BODY_BYTES }: CallOptions = {},
): Promise<RawResponse> {
  const sent = { host: `127.0.0.1:${port}`, ...printable(headers), ...(body && { 'content-length': body.length }) }
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ status: 0, headers: {}, text: error.message })
    const options = { port, method, path, headers: sent, localAddress: from, agent: from ? false : agent }
    try {
      const request = http.request({ host: '127.0.0.1', ...options }, (response) => {
        const chunks: Buffer[] = []
        let kept = 0
        response.on('data', (chunk: Buffer) => {
          if (kept < keptBytes) chunks.push(chunk)
          kept += chunk.length
        })
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        })
        response.on('error', fail)
      })
      request.on('error', fail)
      request.setTimeout(PATIENCE_MS, () => request.destroy(new Error('no answer within a minute')))
      request.end(body ?? undefined)
    } catch {
      // Requests that Node refuses to write are sent as bytes.
      raw(port, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`).then(resolve, fail)
    }
  })
}

function raw(port: number, bytes: string): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => {
      const lines = (text.split('\r\n\r\n', 1)[0] ?? '').split('\r\n')
      const pairs = lines
        .slice(1)
        .map((line) => [(line.split(':', 1)[0] ?? '').toLowerCase(), line.replace(/^[^:]*:\s*/, '')])
      resolve({ status: Number(lines[0]?.split(' ')[1] ?? 0), headers: Object.fromEntries(pairs), text })
    })
  })
}

const printable = (headers: Attack['headers']) =>
  Object.fromEntries(
    Object.entries(headers).filter(([, value]) => value !== '' && !/[^\t\x20-\x7e\x80-\xff]/.test(value)),
  )
