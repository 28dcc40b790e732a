import http from 'node:http'
import { expect, test, vi } from 'vitest'
import { runBerth } from './main'
import { runAgainst } from './testing/listening'

// `berth audit` with more findings than one answer lists.

const MAX_ROWS = 2_000

let findings: readonly string[] = []
const server = http.createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://berth')
  const wanted = searchParams.getAll('severity')
  const found = findings.filter((severity) => wanted.length === 0 || wanted.includes(severity))
  const rows = found.slice(0, Math.min(MAX_ROWS, Number(searchParams.get('limit')))).map((severity, at) => ({
    ...{ id: `f${at}`, severity, kind: 'orphaned-claim', host: null, instance: null, expected: '', found: '' },
    heal: { ok: true },
  }))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ rows, total: found.length, seq: '1' }))
})
runAgainst(server)

async function audit(...words: readonly string[]) {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)))
  return { code: await runBerth(['audit', '--no-run', ...words], '0'), lines }
}

const many = Array<string>(MAX_ROWS).fill('info')

test.each<[found: readonly string[], failOn: string, code: number, count: number | null]>([
  [[...many, 'critical'], 'critical', 7, 1],
  [[...many, 'warning', 'critical'], 'warning', 7, 2],
  [[...many, 'warning'], 'critical', 0, null],
  [[...many, 'info'], 'info', 7, MAX_ROWS + 1],
  [['warning', 'critical'], 'critical', 7, 1],
  [['warning'], 'critical', 0, null],
  [[], 'info', 0, null],
])(
  'findings beyond those that are listed decide the exit code as well (case %#)',
  async (found, failOn, code, count) => {
    findings = found
    const { code: exit, lines } = await audit('--fail-on', failOn)
    expect(exit).toBe(code)
    if (count !== null) expect(lines.join('\n')).toContain(`Findings with severity ${failOn} or higher: ${count}.`)
  },
)

test('an audit says how many findings it does not list', async () => {
  findings = [...many, 'critical']
  expect((await audit()).lines).toEqual([`${MAX_ROWS} of ${MAX_ROWS + 1} are listed.`])
  findings = ['critical']
  expect((await audit()).lines).toEqual([])
})
