import fs from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

// Next compresses a file of the build again for every visitor, which costs more than everything else in a page load.
// These files never change under one name, so each is compressed once, on first use, and kept.

const PREFIX = '/_next/static/'
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
}
const pack = promisify(gzip)

type Listener = (request: http.IncomingMessage, response: http.ServerResponse) => unknown

/**
 * Serves scripts and styles of the build in `directory` to clients that accept gzip. `next` handles everything else,
 * and a file that was added or removed since.
 */
export function withStaticFiles(directory: string, next: Listener): Listener {
  const names = new Set(namesIn(directory))
  const packed = new Map<string, Promise<Buffer>>()
  const packedOnce = (name: string) => {
    const known = packed.get(name) ?? readPacked(path.join(directory, name))
    packed.set(name, known)
    known.catch(() => packed.delete(name))
    return known
  }
  return async (request, response) => {
    const name = nameOf(request)
    if (name === null || !names.has(name)) return next(request, response)
    const body = await packedOnce(name).catch(() => null)
    if (body === null) return next(request, response)
    response.writeHead(200, {
      'content-type': TYPES[path.extname(name)],
      'content-encoding': 'gzip',
      'content-length': body.length,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    return response.end(request.method === 'HEAD' ? undefined : body)
  }
}

function namesIn(directory: string): readonly string[] {
  if (!fs.existsSync(directory)) return []
  const all = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })
  return all.filter((name) => path.extname(name) in TYPES).map((name) => name.split(path.sep).join('/'))
}

const readPacked = async (file: string) => pack(await fs.promises.readFile(file), { level: 9 })

function nameOf({ method, url = '', headers }: http.IncomingMessage): string | null {
  const takes = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''))
  if (!takes || headers.range || (method !== 'GET' && method !== 'HEAD') || !url.startsWith(PREFIX)) return null
  const [name = ''] = url.slice(PREFIX.length).split('?', 1)
  return decoded(name)
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}
