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

test.each([
  ['a call without a verb', []],
  ['a call without a role', ['add', 'x']],
  ['an unknown role', ['add', 'x', '--role', 'king']],
  ['an expiry in the past', ['add', 'x', '--role', 'admin', '--days', '-1']],
  ['an unknown token', ['revoke', 'x']],
])('%s is refused and changes nothing', (_, words) => {
  expect(token(...words)).toMatchObject({ status: 2, error: expect.stringContaining('Nothing was changed') })
})
