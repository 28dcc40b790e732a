import http from 'node:http'
import { expect, test, vi } from 'vitest'
import { runBerth } from './main'
import { runAgainst } from './testing/listening'

// `berth migrations watch` without ids, against a table of answers.

const PAGE = 2_000

interface Row {
  readonly id: string
  readonly outcome: string | null
  readonly waiting: { readonly for: string } | null
}

let flight: readonly Row[] = []
let waiting: readonly Row[] = []
let ended: readonly Row[] = []
/** Runs before each request, with its path and view. */
let onRequest: (path: string, view: string | null) => void = () => {}
let isRevoked = false

const server = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://berth.test')
  const view = searchParams.get('view')
  onRequest(pathname, view)
  const answer = isRevoked ? null : answerTo(pathname, view, searchParams)
  const [status, type] = answer === null ? [401, 'application/problem+json'] : [200, 'application/json']
  const problem = { what: 'No token.', where: null, refusals: [], notChanged: null, next: null, requestId: 'r' }
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(answer ?? problem))
})
runAgainst(server)

function answerTo(pathname: string, view: string | null, asked: URLSearchParams): unknown {
  const all = [...flight, ...waiting, ...ended]
  if (pathname !== '/api/v1/migrations') return all.find(({ id }) => pathname.endsWith(`/${id}`))
  const rows = view === 'flight' ? flight : view === 'waiting' ? waiting : all
  const [offset, limit] = [Number(asked.get('offset')), Math.min(Number(asked.get('limit')), PAGE)]
  return { rows: rows.slice(offset, offset + limit), total: rows.length, seq: '1' }
}

const row = (id: string, over: Partial<Row> = {}) => ({
  ...{ id, instance: { name: `web-${id}` }, operation: 'live-migrate', step: 'transfer', direction: 'target' },
  ...{ outcome: null, waiting: null, progress: null, ...over },
})

test('every migration that has not ended is followed, however many there are, and each end is printed', async () => {
  flight = Array.from({ length: PAGE + 5 }, (_, n) => row(`${n}`))
  waiting = [row('held', { waiting: { for: 'person' } })]
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const oldest = `${PAGE + 4}`
  onRequest = () => {
    if (lines.length === PAGE + 6) {
      flight = flight.slice(0, -1)
      ended = [row(oldest, { outcome: 'completed' })]
    }
    isRevoked = lines.length > PAGE + 6
  }
  await runBerth(['migrations', 'watch'], '0')
  expect(lines).toContain('held  web-held  live-migrate  awaiting confirm or revert')
  expect(lines.slice(PAGE + 6)).toEqual([`${oldest}  web-${oldest}  live-migrate  completed`])
})
