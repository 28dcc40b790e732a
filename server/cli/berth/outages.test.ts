import http from 'node:http'
import { expect, test, vi } from 'vitest'
import { runBerth } from './main'
import { runAgainst } from './testing/listening'

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
runAgainst(server)

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

const problem = (status: number, refusals: readonly object[]): Reply =>
  json(
    status,
    {
      ...{ what: 'Start a resize of web-01: it is refused.', where: 'web-01', refusals },
      ...{ notChanged: 'Nothing was changed.', next: 'Correct it.', requestId: 'r' },
    },
    'application/problem+json',
  )

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

const UNKNOWN = 'It is unknown whether the change was made; check before you repeat it.'
const LOST: Reply = (response) => response.destroy()

test.each<[string, Reply, string, RegExp]>([
  ['cut off', LOST, UNKNOWN, /does not answer at http:/],
  ['answered by a proxy', page(504), UNKNOWN, /status 504/],
])('a write that is %s may have been made', async (_title, reply, notChanged, says) => {
  const { code, lines } = await run([reply], 'migrations', 'start', 'live-migrate', ID)
  expect({ code, text: lines.join().split('\n') }).toEqual({
    code: 3,
    text: [expect.stringMatching(says), notChanged, expect.stringMatching(/^Check BERTH_URL/)],
  })
})

test.each<[string, readonly string[], number, RegExp]>([
  ['no server', ['--url', 'http://127.0.0.1:9', 'migrations', 'start', 'live-migrate', ID], 3, /does not answer/],
  ['an address of another kind', ['--url', 'ftp://berth.example', 'whoami'], 2, /no http or https URL/],
  ['an operation that does not exist', ['migrations', 'start', 'teleport', ID], 2, /Unknown operation/],
  ['explain about nothing', ['explain'], 2, /no instance and no flavor/],
  ['an unknown severity', ['audit', '--fail-on', 'bad'], 2, /Unknown severity/],
])('%s: the error names what failed, what was not changed and what to do', async (_title, words, expected, says) => {
  const { code, lines } = await run([], ...words)
  const [what, notChanged, next, ...more] = lines.join().split('\n')
  expect({ code, what, more }).toEqual({ code: expected, what: expect.stringMatching(says), more: [] })
  expect(notChanged).toMatch(/nothing|was changed|was made/)
  expect(next).toMatch(/^(Set|Use|Check) /)
})

test.each([
  [['hosts', 'lst'], 'berth hosts --help'],
  [['hosts', 'show', '--deep', 'a'], 'berth hosts show --help'],
  [['hosts', 'show'], 'berth hosts show --help'],
  [['hosts', 'disable', 'a'], 'berth hosts disable --help'],
  [['migrations', 'list', '--limit', 'many'], 'berth migrations list --help'],
  [['repair', 'apply', ID, '--parts', '1,x', '--reason', 'r'], 'berth repair apply --help'],
])('berth %j changes nothing and points to the help', async (words, help) => {
  const written: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  const { code } = await run([], ...words)
  expect({ code, text: written.join('') }).toEqual({ code: 2, text: expect.stringContaining(help) })
  expect(written.join('')).toContain('Nothing was changed.')
})

test('a token that no header can carry is refused before anything is sent', async () => {
  vi.stubEnv('BERTH_TOKEN', 'a\nb')
  const { code, lines } = await run([], 'whoami')
  vi.stubEnv('BERTH_TOKEN', 'x')
  expect({ code, lines }).toEqual({ code: 2, lines: [expect.stringMatching(/BERTH_TOKEN.*\nNothing was changed/)] })
})

const short = { kind: 'memory', need: 10, have: null, free: 4, unit: 'MiB' }
const wrong = { kind: 'bad-input', need: 'expected the new flavor', have: 'flavor', free: null, unit: null }

test.each([
  [400, [wrong], 2, []],
  [
    400,
    [wrong, { ...wrong, have: 'image' }],
    2,
    ['  flavor: expected the new flavor', '  image: expected the new flavor'],
  ],
  [409, [short], 6, ['  needs 10 MiB, free 4']],
])(
  'a problem %i with %j ends with its code, and lists rules only if they add something',
  async (status, rules, code, listed) => {
    const ran = await run([problem(status, rules)], 'migrations', 'start', 'resize', ID)
    const text = [
      'Start a resize of web-01: it is refused.',
      ...listed,
      'Nothing was changed.',
      'Correct it.',
      'Request r',
    ]
    expect(ran).toEqual({ code, lines: [text.join('\n')] })
  },
)
