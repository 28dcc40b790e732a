import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../boot/test-database'
import { connectDatabase } from '../store/database/database'
import { findToken } from '../store/placement/token'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

function token(...words: readonly string[]) {
  const cli = path.join(import.meta.dirname, 'token.ts')
  const env = { ...process.env, DATABASE_URL: fresh.url }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', cli, ...words], { env })
  return { status, out: stdout.toString().trim(), error: stderr.toString() }
}

test('a token is printed once, works, and stops working when revoked', async () => {
  const database = connectDatabase({ url: fresh.url })
  const made = token('add', 'nova', '--role', 'operator', '--project', 'p')
  expect(made.status).toBe(0)
  expect(await findToken(database, made.out)).toMatchObject({ name: 'nova', role: 'operator', project: 'p' })
  const { rows } = await database.pool.query('select hash from api_token')
  expect(rows[0].hash).not.toContain(made.out)
  expect(token('add', 'nova', '--role', 'viewer')).toMatchObject({
    status: 2,
    error: expect.stringContaining('already'),
  })
  expect(token('revoke', 'nova').status).toBe(0)
  expect(await findToken(database, made.out)).toBeNull()
  expect(token('list').out).toBe('nova  operator  p  revoked')
  await database.close()
})

test('an expiry may be joined by an equals sign', async () => {
  const database = connectDatabase({ url: fresh.url })
  expect(token('add', 'ci', '--role=viewer', '--days=30')).toMatchObject({ status: 0 })
  const { rows } = await database.pool.query("select expires_at - created_at as left from api_token where name = 'ci'")
  expect(rows[0].left).toMatchObject({ days: expect.toSatisfy((days: number) => days >= 29 && days <= 30) })
  await database.close()
})

test.each([
  ['a call without a verb', []],
  ['a call without a role', ['add', 'x']],
  ['an unknown role', ['add', 'x', '--role', 'king']],
  ['an expiry in the past', ['add', 'x', '--role', 'admin', '--days', '-1']],
  ['an expiry beyond every date', ['add', 'ci', '--role', 'admin', '--days', '1e300']],
  ['an expiry without its days', ['add', 'ci', '--role', 'admin', '--days']],
  ['a misspelt option', ['add', 'ci', '--role', 'viewer', '--grants', 'operator@zone:az1']],
  ['a name that the console refuses', ['add', 'CI token', '--role', 'viewer']],
  ['a second name', ['add', 'ci', 'nova', '--role', 'viewer']],
  ['an unknown account', ['add', 'ci', '--role', 'viewer', '--account', 'nobody']],
  ['an unknown token', ['revoke', 'x']],
])('%s is refused and changes nothing', (_, words) => {
  expect(token(...words)).toMatchObject({ status: 2, error: expect.stringContaining('Nothing was changed') })
})
