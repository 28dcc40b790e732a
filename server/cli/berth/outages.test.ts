import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { runBerth } from './main'

// The command between a server that restarts, a proxy without a server, and something else at the address.
// server/scenarios/berth-command.db.test.ts runs it against Berth.

const ID = '0a000000-0000-4000-8000-000000000001'

type Reply = (response: http.ServerResponse) => void

let replies: Reply[] = []
const server = http.createServer((_, response) => {
  const [next, ...rest] = replies
  if (rest.length > 0) replies = rest
  next?.(response)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('BERTH_TOKEN', 'x')
  vi.stubEnv('BERTH_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterEach(() => void vi.restoreAllMocks())
afterAll(async () => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const json =
  (status: number, body: unknown, type = 'application/json'): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
const page =
  (status: number): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html>')
const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 }).write('{"id":')
  setTimeout(() => response.destroy(), 20)
}
const row = (outcome: string | null) => ({
  ...{
    id: ID,
    instance: { name: 'web-01' },
    operation: 'live-migrate',
    step: 'transfer',
    direction: 'target',
    outcome,
  },
  ...{ waiting: null, progress: null, source: { name: 'a' }, target: { name: 'b' }, createdAt: 0 },
})

async function run(given: readonly Reply[], ...words: readonly string[]) {
  replies = [...given]
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)))
  const code = await runBerth(words, '0')
  return { code, lines }
}

test('a wait goes on while Berth restarts, and says so once for each outage', async () => {
  const given = [json(200, row(null)), page(503), page(502), cut, json(200, row('completed'))]
  const { code, lines } = await run(given, '-o', 'json', 'migrations', 'watch', ID)
  expect(code).toBe(0)
  expect(lines.filter((line) => line.includes('Trying again'))).toHaveLength(1)
})

test.each<[string, Reply, number, RegExp]>([
  ['a page with status 200', page(200), 3, /not from Berth/],
  ['a page with status 404', page(404), 3, /not from Berth/],
  ['a page with status 502', page(502), 3, /not from Berth/],
  ['an answer that is cut off', cut, 3, /does not answer/],
  [
    'a problem that is no JSON',
    (response) => response.writeHead(409, { 'content-type': 'application/problem+json' }).end('{'),
    3,
    /not from Berth/,
  ],
])('%s ends a command with its code and one line', async (_title, reply, expected, says) => {
  const { code, lines } = await run([reply], 'whoami')
  expect({ code, lines }).toEqual({ code: expected, lines: [expect.stringMatching(says)] })
})
