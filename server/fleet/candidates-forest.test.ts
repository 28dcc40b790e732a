import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { smallHost } from '../engine/testing/hosts'
import { connectDatabase } from '../store/database/database'
import { forgetEventsBefore } from '../store/event/read'
import { relayOnce } from '../store/event/relay'
import { putHost } from '../store/testing/records'
import { ProviderForest } from './candidates-forest'

const database = onFreshDatabase(connectDatabase)
let n = 0

const put = () => putHost(database, smallHost({ n: ++n }))
const sql = (text: string, values: readonly unknown[]) => database.pool.query(text, [...values])
const opened = () => new ProviderForest(database).caughtUp()

test('an audit of an up-to-date memory finds nothing, not even in fresh commits', async () => {
  await put()
  const forest = await opened()
  expect(await forest.audited()).toEqual([])
  const late = await put()
  expect(await forest.audited()).toEqual([])
  expect(forest.provider(late.id)?.name).toBe(late.name)
})

test('an audit reports what memory missed, and corrects it', async () => {
  const host = await put()
  const forest = await opened()
  const stray = randomUUID()
  await sql('update resource_provider set generation = generation + 1 where id = $1', [host.id])
  await sql('insert into resource_provider (id, name, root_id) values ($1, $2, $1)', [stray, stray])
  const generation = forest.provider(host.id)?.generation ?? 0
  expect((await forest.caughtUp()).provider(host.id)?.generation).toBe(generation)

  expect(await forest.audited()).toEqual(
    expect.arrayContaining([
      { provider: host.id, name: host.name, memory: generation, tables: generation + 1 },
      { provider: stray, name: stray, memory: null, tables: 0 },
    ]),
  )
  expect(forest.provider(host.id)?.generation).toBe(generation + 1)
  await sql('delete from resource_provider where id = $1', [stray])
  expect(await forest.audited()).toEqual([{ provider: stray, name: stray, memory: 0, tables: null }])
  expect(forest.provider(stray)).toBeUndefined()
  expect(await forest.audited()).toEqual([])
})

test('changes while idle are read even after their events were deleted', async () => {
  const forest = await opened()
  const late = await put()
  while ((await relayOnce(database)) > 0);
  await forgetEventsBefore(database, Date.now() + 86_400_000)
  expect((await forest.caughtUp()).provider(late.id)?.name).toBe(late.name)
  const later = await put()
  while ((await relayOnce(database)) > 0);
  expect((await forest.caughtUp()).provider(later.id)?.name).toBe(later.name)
})

test('a read names the outbox rows that were read before only while they are there', async () => {
  while ((await relayOnce(database)) > 0);
  const forest = await opened()
  const named = vi.spyOn(database.pool, 'query')
  const namedBy = async () => {
    await forest.caughtUp()
    const [asked] = named.mock.lastCall as unknown as readonly [{ readonly values: readonly unknown[] }]
    return asked.values[1]
  }
  await put()
  await forest.caughtUp()
  expect(await namedBy()).toHaveLength(1)
  while ((await relayOnce(database)) > 0);
  await forest.caughtUp()
  expect(await namedBy()).toEqual([])
  named.mockRestore()
})

test('rows edited without bumping a generation are adopted but not reported', async () => {
  const host = await put()
  const forest = await opened()
  await sql('update inventory set reserved = reserved + 1 where provider_id = $1', [host.id])
  expect(await forest.audited()).toEqual([])
  const rows = await sql('select resource_class as of, reserved from inventory where provider_id = $1', [host.id])
  for (const { of, reserved } of rows.rows)
    expect(forest.provider(host.id)?.stocks.get(of)?.reserved).toBe(Number(reserved))
})

test('a name is known while it is in use, and unknown afterwards', async () => {
  const host = await put()
  await sql(`insert into trait (name) values ('CUSTOM_ONLY') on conflict do nothing`, [])
  await sql(`insert into provider_trait (provider_id, trait) values ($1, 'CUSTOM_ONLY')`, [host.id])
  const forest = await opened()
  expect([forest.hasTrait('CUSTOM_ONLY'), forest.hasClass('VCPU') || forest.hasClass('PCPU')]).toEqual([true, true])
  await sql(`delete from provider_trait where trait = 'CUSTOM_ONLY'`, [])
  await forest.audited()
  expect(forest.hasTrait('CUSTOM_ONLY')).toBe(false)
})
