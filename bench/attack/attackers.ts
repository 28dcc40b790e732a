import { spawnSync } from 'node:child_process'
import type { Role } from '../../server/api/permit/roles'
import { requestAt } from '../../server/api/testing/hostile/client'
import { openApi } from '../console/api'
import type { BenchServer } from '../console/server'

// The attackers: a signed-in user of each role, and a program with a token.

export interface AttackAccounts {
  readonly viewer: string
  readonly operator: string
  readonly admin: string
  readonly token: string
  readonly ids: readonly string[]
  readonly adminPassword: string
}

/** Name of the token whose role applies to part of the fleet. */
export const SCOPED = 'attacker-in-part'
const PASSWORD = 'a stone for every door'

export async function makeAttackAccounts(server: BenchServer): Promise<AttackAccounts> {
  const admin = await server.signIn()
  const port = Number(new URL(server.origin).port)
  const api = openApi(server.origin, admin)
  for (const role of ['viewer', 'operator'] as const) {
    const user = { username: `the_${role}`, name: role, email: `${role}@berth.test`, role, password: PASSWORD }
    const body = Buffer.from(JSON.stringify(user))
    const headers = { cookie: admin, 'content-type': 'application/json' }
    await requestAt(port, { method: 'POST', path: '/api/trpc/user.create', headers, body })
  }
  const [hosts, instances] = await Promise.all([
    api.query('host.list', { limit: 20 }),
    api.query('instance.list', { limit: 30 }),
  ])
  const ids = [...hosts.rows, ...instances.rows].map(({ id }) => String(id))
  const [viewer, operator] = [await enter(port, 'the_viewer'), await enter(port, 'the_operator')]
  return { viewer, operator, admin, ids, token: makeToken(server), adminPassword: server.password }
}

async function enter(port: number, username: string): Promise<string> {
  const body = Buffer.from(JSON.stringify({ username, password: PASSWORD }))
  const headers = { 'content-type': 'application/json' }
  const response = await requestAt(port, { method: 'POST', path: '/api/auth/sign-in/username', headers, body })
  const cookie = response.headers['set-cookie']?.[0]?.split(';')[0]
  if (!cookie) throw new Error(`${username} could not sign in: ${response.status} ${response.text}`)
  return cookie
}

/** `grant`: a higher role in a part of the fleet, such as `operator@zone:az1`. */
export function makeToken(server: BenchServer, role: Role = 'operator', grant: string | null = null): string {
  const env = { ...process.env, DATABASE_URL: server.databaseUrl }
  const name = grant === null ? `attacker-${role}` : SCOPED
  const words = ['add', name, '--role', role, ...(grant === null ? [] : ['--grant', grant])]
  const args = ['--import', 'tsx', 'server/cli/token.ts', ...words]
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const token = /[A-Za-z0-9_-]{30,}/.exec(stdout)?.[0]
  if (!token) throw new Error(`No token was created: ${stdout}${stderr}`)
  return token
}
