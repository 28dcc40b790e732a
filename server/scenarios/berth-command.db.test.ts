import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Role } from '../api/permit/roles'
import { OWN_CHECK, operationAt } from '../api/testing/rest/answers'
import { type FreshDatabase, freshDatabase } from '../boot/test-database'
import { connectDatabase } from '../store/database/database'
import { createToken } from '../store/placement/token'
import { TEST_ATTRIBUTION } from '../store/testing/attribution'
import { type Berth, start } from '../wiring'

// docs/cli.md is correct: bash runs each block against a complete Berth with a small demo fleet, and each command exits
// as the page says.

const BIN = path.resolve('server/cli/berth/berth.mjs')
const TOKENS: Readonly<Record<'operator' | 'viewer', string>> = { operator: randomUUID(), viewer: randomUUID() }
const SETTINGS = { BERTH_DEMO: '', SIMULATOR_SPEED: '60', BERTH_LOG: 'silent' }

let fresh: FreshDatabase
let berth: Berth
let server: http.Server
let between: http.Server
let folder: string
const proxyStats = { answers: 0, faults: [] as string[] }

beforeAll(async () => {
  fresh = await freshDatabase()
  for (const [name, value] of Object.entries(SETTINGS)) vi.stubEnv(name, value)
  berth = await start({ databaseUrl: fresh.url, log: () => {} })
  server = berth.server({ answer: (_, response) => response.end(), isDev: false })
  between = http.createServer((request, response) => void passOn(request, response))
  for (const each of [server, between]) await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))
  const database = connectDatabase({ url: fresh.url })
  for (const role of ['operator', 'viewer'] as const) await keep(database, role)
  // Written without Berth, so that there is something to repair.
  await database.pool.query(
    `update allocation a set amount = amount + 1 from instance i
      where i.name = 'web-07' and a.consumer_id = i.id and a.resource_class = 'DISK_GB'`,
  )
  await database.close()
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-command-'))
  fs.symlinkSync(BIN, path.join(folder, 'berth'))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  for (const each of [between, server]) {
    each?.closeAllConnections()
    each?.close()
  }
  await berth?.stop()
  await fresh?.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

const keep = (database: ReturnType<typeof connectDatabase>, role: Role & keyof typeof TOKENS) =>
  createToken(database, {
    ...{ id: randomUUID(), name: `the-${role}`, role, project: '', expiresAt: null, token: TOKENS[role] },
    ...TEST_ATTRIBUTION,
  })

const portOf = (of: http.Server) => (of.address() as AddressInfo).port

/** A proxy between command and server that checks each answer against the OpenAPI document. */
async function passOn(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const sent = ['x-auth-token', 'content-type'].flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]] as const] : [],
  )
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  const target = new URL(url, `http://127.0.0.1:${portOf(server)}`)
  const answer = await fetch(target, { method, headers: Object.fromEntries(sent), ...body })
  const text = await answer.text()
  const operation = operationAt(method, target.pathname) ?? null
  const fault = OWN_CHECK.faultOf({ operation, status: answer.status, body: JSON.parse(text) })
  proxyStats.answers++
  if (fault !== null) proxyStats.faults.push(fault)
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text)
}

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

/** Asynchronous, because the server that the command queries runs in this thread. */
function run(script: string, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const env = {
    ...{ ...process.env, PATH: `${folder}:${process.env.PATH}` },
    ...{ BERTH_URL: `http://127.0.0.1:${portOf(between)}`, BERTH_TOKEN: TOKENS.operator },
    ...more,
  }
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', script], { env })
    let [out, error] = ['', '']
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (error += chunk))
    child.on('close', (code) => resolve({ code, out, error }))
  })
}

interface Step {
  readonly command: string
  readonly code: number
}

const text = fs.readFileSync('docs/cli.md', 'utf8')
const blocks = [...text.matchAll(/## (.+)\n[^#]*?```console\n([^`]+)```/g)].map(([, title = '', block = '']) => ({
  title,
  steps: [...block.matchAll(/^\$ (.+)(?:\n→ (\d+))?/gm)].map(
    ([, command = '', code = '0']): Step => ({ command, code: Number(code) }),
  ),
}))

test('docs/cli.md has enough command blocks', () => expect(blocks.length).toBeGreaterThan(4))

test.each(blocks)('$title: each command ends as docs/cli.md says', async ({ steps }) => {
  const lines = steps.map(({ command }) => `${command}; echo "@@ $?"`)
  const { out, error } = await run(['set -o pipefail', ...lines].join('\n'))
  const codes = [...out.matchAll(/^@@ (\d+)$/gm)].map(([, code]) => Number(code))
  const ended = steps.map(({ command }, n) => ({ command, code: codes[n] }))
  expect(ended, `${out}\n${error}`).toEqual(steps)
})

describe('the exit code is right for', () => {
  test.each<[string, string, Readonly<Record<string, string>>, number, RegExp]>([
    ['a missing token', 'berth whoami', { BERTH_TOKEN: '' }, 2, /BERTH_TOKEN/],
    ['a missing address', 'berth whoami', { BERTH_URL: '' }, 2, /BERTH_URL/],
    ['an unknown command', 'berth fly', {}, 2, /unknown command/],
    ['an unreachable server', 'berth whoami --url http://127.0.0.1:9', {}, 3, /does not answer/],
    ['an unknown token', 'berth whoami', { BERTH_TOKEN: 'x' }, 4, /valid token is required/],
    [
      'a role without permission',
      `berth hosts disable std-01 --reason x`,
      { BERTH_TOKEN: TOKENS.viewer },
      4,
      /needs operator/,
    ],
    ['an unknown migration', `berth migrations show ${randomUUID()}`, {}, 5, /no migration/],
  ])('%s', async (_title, command, env, code, says) => {
    const ran = await run(command, env)
    expect(ran.error).toMatch(says)
    expect(ran.code).toBe(code)
  })

  test.each([200, 404, 502])('a server that is not Berth and answers %i with a page', async (status) => {
    const other = http.createServer((_request, response) => response.writeHead(status).end('<!doctype html>'))
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const ran = await run(`berth whoami --url http://127.0.0.1:${portOf(other)}`)
    other.close()
    expect(ran.error).toContain('is not from Berth')
    expect(ran.code).toBe(3)
  })

  test('errors are JSON when output is JSON', async () => {
    const { error } = await run(`berth -o json migrations show ${randomUUID()}`)
    expect(JSON.parse(error)).toMatchObject({ status: 404, code: 'input.unknown', notChanged: 'Nothing was changed.' })
  })

  test('completion offers the words of each command', async () => {
    const words = 'COMP_WORDS=(berth migrations re); COMP_CWORD=2; _berth; IFS=" "; echo "$' + '{COMPREPLY[*]}"'
    const { out } = await run(`source <(berth completion bash); ${words}`)
    expect(out.trim().split(' ')).toEqual(['revert', 'retry'])
  })
})

test('every response to the command conforms to the OpenAPI document', () => {
  expect(proxyStats.answers).toBeGreaterThan(20)
  expect(proxyStats.faults).toEqual([])
})
