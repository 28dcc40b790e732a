import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withStaticFiles } from './static-files'

const SCRIPT = 'console.log("a");\n'.repeat(500)
let directory: string
let server: http.Server

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-static-'))
  fs.mkdirSync(path.join(directory, 'build/chunks'), { recursive: true })
  const put = (name: string, text: string) => fs.writeFileSync(path.join(directory, name), text)
  put('secret.js', 'not of the build')
  put('build/chunks/a.js', SCRIPT)
  put('build/chunks/[gone].js', SCRIPT)
  put('build/font.woff2', 'packed already')
  const next = (request: http.IncomingMessage, response: http.ServerResponse) => response.end(`next: ${request.url}`)
  server = http.createServer(withStaticFiles(path.join(directory, 'build'), next)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  fs.rmSync(directory, { recursive: true })
})

interface Answer {
  readonly status: number | undefined
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** Not `fetch`: it decompresses and normalizes the path before a test can see it. */
function ask(url: string, options: http.RequestOptions = {}): Promise<Answer> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const { headers = { 'accept-encoding': 'gzip, deflate, br' }, ...rest } = options
    const request = http.request({ host: '127.0.0.1', port, path: url, headers, ...rest }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
    request.once('error', reject).end()
  })
}
const text = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).body.toString()

test('a script is served compressed, immutable and identical each time', async () => {
  for (const url of ['/_next/static/chunks/a.js', '/_next/static/chunks/a.js?dpl=1', '/_next/static/chunks/a%2ejs']) {
    const { status, headers, body } = await ask(url)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(body.length),
      'content-type': 'application/javascript; charset=UTF-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(gunzipSync(body).toString()).toBe(SCRIPT)
  }
})

test('HEAD returns the same headers without a body', async () => {
  const { headers, body } = await ask('/_next/static/chunks/a.js', { method: 'HEAD' })
  expect(Number(headers['content-length'])).toBeGreaterThan(0)
  expect(body.length).toBe(0)
})

test('a request without gzip, with a range or another method, or for another path goes to the next handler', async () => {
  const url = '/_next/static/chunks/a.js'
  for (const encoding of ['identity', 'br', 'gzip;q=0', 'br, gzip;q=0.0, deflate', 'xgzip'])
    expect(await text(url, { headers: { 'accept-encoding': encoding } })).toBe(`next: ${url}`)
  expect(await text(url, { headers: {} })).toBe(`next: ${url}`)
  expect(await text(url, { headers: { 'accept-encoding': 'gzip', range: 'bytes=0-5' } })).toBe(`next: ${url}`)
  expect(await text(url, { method: 'POST' })).toBe(`next: ${url}`)
  for (const other of [
    '/',
    '/hosts',
    '/_next/static/font.woff2',
    '/_next/static/chunks/none.js',
    '/_next/static/chunks',
    '/_next/static/%E0%A4%A.js',
  ])
    expect(await text(other)).toBe(`next: ${other}`)
})

test('files outside the build are never served', async () => {
  for (const url of ['/_next/static/../secret.js', '/_next/static/%2e%2e/secret.js', '/_next/static/..%2fsecret.js'])
    expect(await text(url)).toBe(`next: ${url}`)
})

test('a missing file goes to the next handler, and is served again when it returns', async () => {
  const file = path.join(directory, 'build/chunks/[gone].js')
  const url = '/_next/static/chunks/%5Bgone%5D.js'
  fs.renameSync(file, `${file}.away`)
  expect(await text(url)).toBe(`next: ${url}`)
  fs.renameSync(`${file}.away`, file)
  expect(gunzipSync((await ask(url)).body).toString()).toBe(SCRIPT)
})

test('a checkout that was never built serves no static files', async () => {
  const alone = http.createServer(
    withStaticFiles(path.join(directory, 'none'), (_request, response) => response.end('next')),
  )
  await new Promise<void>((resolve) => alone.listen(0, '127.0.0.1', resolve))
  const { port } = alone.address() as AddressInfo
  expect(await (await fetch(`http://127.0.0.1:${port}/_next/static/chunks/a.js`)).text()).toBe('next')
  await new Promise((resolve) => alone.close(resolve))
})
