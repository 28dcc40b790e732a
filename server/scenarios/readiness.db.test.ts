import { afterAll, beforeAll, expect, test } from 'vitest'
import { readinessResponse } from '../api/health/readiness'
import type { Berth } from '../api/running'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { connectDatabase } from '../store/database/database'
import { start } from '../wiring'

// `/readyz` of a running server while its database accepts no writes: full, or read-only after a failover.

const database = onFreshDatabase(connectDatabase)
let berth: Berth
beforeAll(async () => {
  process.env.BERTH_DEMO = 'no'
  process.env.BERTH_LOG = 'silent'
  berth = await start({ databaseUrl: database.url, log: () => {} })
})
afterAll(async () => {
  await berth.quiesce()
  expect((await answer()).status).toBe(503)
  await berth.stop()
})

async function answer() {
  const began = performance.now()
  const response = readinessResponse(await berth.readiness(), { strict: false })
  expect(performance.now() - began).toBeLessThan(2_000)
  return { status: response.status, reason: (await response.json()).reason }
}
const status = async () => (await answer()).status

// How a client sees a full disk: reads work, and each write that needs space fails with this code.
const FULL = `create function no_room() returns trigger language plpgsql as $$
  begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger no_room before insert or update on server_session execute function no_room()`

test('a server on a full disk is not ready until there is space again', async () => {
  await expect.poll(status).toBe(200)
  await database.pool.query(FULL)
  await expect.poll(status).toBe(503)
  expect((await answer()).reason).toContain('No space left on device')
  await database.pool.query('drop function no_room cascade')
  await expect.poll(status).toBe(200)
})

test('a server with a read-only database is not ready until it is writable again', async () => {
  const readOnly = (value: string) =>
    database.pool.query(`do $$ begin
      execute format('alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`)
  const cut = () =>
    database.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  await readOnly('on')
  await cut()
  await expect.poll(status).toBe(503)
  await database.pool.query('set default_transaction_read_only = off').catch(() => null)
  const client = await database.pool.connect()
  await client.query('set default_transaction_read_only = off')
  await client.query(`do $$ begin
    execute format('alter database %I reset default_transaction_read_only', current_database()); end $$`)
  client.release(true)
  await cut()
  await expect.poll(status).toBe(200)
})

test('failing checks make a server unready only in strict mode', async () => {
  const known = { reason: null, checks: [{ name: 'audit' as const, ok: false, why: 'The last audit is old.' }] }
  expect(readinessResponse(known, { strict: false }).status).toBe(200)
  expect(await readinessResponse(known, { strict: false }).json()).toMatchObject({ status: 'degraded' })
  expect(readinessResponse(known, { strict: true }).status).toBe(503)
  expect(readinessResponse({ reason: null, checks: [] }, { strict: true }).status).toBe(200)
  expect(readinessResponse(null, { strict: false }).status).toBe(503)
})
