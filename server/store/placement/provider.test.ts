import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import { untilItBlocks } from '../testing/blocking'
import { readProviderAggregates, setProviderAggregates } from './aggregate'
import { createProvider, deleteProvider, updateProvider } from './provider'
import type { Writer } from './refused'

// Providers whose tree changes while another request has it locked.

const database = onFreshDatabase(connectDatabase)

const WRITER: Writer = { who: 'a test', request: 'req-1', owner: { kind: 'token', id: 'token-1', name: 'a test' } }

async function created(parent: string | null = null): Promise<string> {
  const provider = randomUUID()
  expect(await createProvider(database, { provider, name: provider, parent }, WRITER)).toMatchObject({ ok: true })
  return provider
}

const move = (provider: string, parent: string | null, keeps = false) =>
  updateProvider(database, { provider, name: provider, parent, keeps, reparents: true }, WRITER)

/** What the other request answers that waits for this one to commit. */
async function whileUncommitted<T>(call: string, row: object, other: () => Promise<T>): Promise<T> {
  const connection = await database.pool.connect()
  try {
    await connection.query('begin')
    await connection.query(`select ${call}($1::jsonb)`, [JSON.stringify({ ...row, ...WRITER })])
    const answer = other()
    await untilItBlocks(database, connection)
    await connection.query('commit')
    return await answer
  } finally {
    connection.release(true)
  }
}

test('a child that is created while its tree moves gets the new root', async () => {
  const [tree, elsewhere, child] = [await created(), await created(), randomUUID()]
  const parent = await created(tree)
  const row = { provider: child, name: child, parent }
  expect(await whileUncommitted('placement_create_provider', row, () => move(tree, elsewhere))).toMatchObject({
    ok: true,
  })
  const { rows } = await database.pool.query<{ id: string }>('select id from resource_provider where root_id = $1', [
    elsewhere,
  ])
  expect(rows.map(({ id }) => id).sort()).toEqual([tree, elsewhere, parent, child].sort())
})

test('an update of a provider that was deleted meanwhile is refused', async () => {
  const provider = await created()
  const answer = await whileUncommitted('placement_delete_provider', { provider }, () => move(provider, null, true))
  expect(answer).toEqual({ ok: false, refused: { kind: 'no-provider' } })
  expect(await deleteProvider(database, provider, WRITER)).toEqual(answer)
})

test('replacing many aggregates takes the time of their number, and not of its square', async () => {
  const provider = await created()
  const msToSet = async (aggregates: readonly string[]) => {
    const begun = performance.now()
    await setProviderAggregates(database, { provider, generation: null, aggregates }, WRITER)
    return performance.now() - begun
  }
  const many = Array.from({ length: 40_000 }, () => randomUUID())
  const toCreate = await msToSet(many)
  // Each compared with all others, they take several times as long as to create.
  expect(await msToSet(many.slice(1))).toBeLessThan(2 * toCreate)
  expect((await readProviderAggregates(database, provider))?.aggregates).toHaveLength(many.length - 1)
})
