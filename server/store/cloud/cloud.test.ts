import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import { addCloud, changeCloud, readCloud, readClouds, removeCloud } from './cloud'
import { readParts, readPartVersions, writeParts } from './part'

const at = Date.UTC(2026, 10, 25, 12)
const attribution = { actor: { who: 'olga', request: 'r1', reason: 'we run it' }, at }
const poller = { actor: { who: 'conductor a', request: null, reason: null }, at }
const cloud = (name: string) => ({
  id: randomUUID(),
  name,
  settings: { authUrl: 'http://k' },
  secret: Buffer.from('s'),
})

const database = onFreshDatabase(connectDatabase)
const auditOf = async (id: string) =>
  (
    await database.pool.query<{ action: string; who: string; reason: string }>(
      "select action, who, reason from audit_entry where data ->> 'cloud' = $1 order by id",
      [id],
    )
  ).rows.map(({ action, who, reason }) => `${action} ${who} ${reason}`)

describe('a cloud in the store', () => {
  test('is watched without actions by default, and each change records author and reason', async () => {
    const one = cloud('prod')
    expect(await addCloud(database, one, attribution)).toBe(true)
    expect(await addCloud(database, cloud('prod'), attribution)).toBe(false)
    expect(await readCloud(database, one.id)).toEqual({ ...one, enabled: true, mayAct: false, addedAt: at })
    expect(await changeCloud(database, { id: one.id, mayAct: true }, attribution)).toBe(true)
    expect(await changeCloud(database, { id: one.id, enabled: false }, attribution)).toBe(true)
    expect(await readClouds(database)).toMatchObject([{ name: 'prod', enabled: false, mayAct: true }])
    expect(await removeCloud(database, one.id, attribution)).toBe(true)
    expect(await removeCloud(database, one.id, attribution)).toBe(false)
    expect(await changeCloud(database, { id: one.id, mayAct: true }, attribution)).toBe(false)
    const why = 'olga we run it'
    expect(await auditOf(one.id)).toEqual([
      ...[`cloud.added ${why}`, `cloud.changed ${why}`, `cloud.changed ${why}`, `cloud.removed ${why}`],
    ])
  })

  test('writes no secret to the audit log or the outbox', async () => {
    const one = { ...cloud('sealed'), secret: Buffer.from('not-to-be-told') }
    await addCloud(database, one, attribution)
    const { rows } = await database.pool.query<{ all: string }>(
      'select concat((select jsonb_agg(data) from audit_entry), (select jsonb_agg(data) from outbox)) as all',
    )
    expect(rows[0]?.all).not.toContain('not-to-be-told')
    expect(rows[0]?.all).not.toContain(one.secret.toString('base64'))
  })

  test('is stored in parts, and a damaged part reads as null', async () => {
    const one = cloud('parts')
    await addCloud(database, one, attribution)
    const write = (parts: [string, string | null][]) =>
      writeParts(database, { cloud: one.id, parts: new Map(parts), isNews: false, ...poller })
    await write([
      ['status', 'ä'],
      ['servers 1', '[]'],
    ])
    await write([
      ['status', '2'],
      ['servers 1', null],
    ])
    expect(await readParts(database, one.id, ['status', 'servers 1'])).toEqual([
      { part: 'status', version: expect.any(Number), text: '2' },
    ])
    await database.pool.query('update cloud_part set body = body || body where cloud_id = $1', [one.id])
    await database.pool.query('update cloud_part set body = set_byte(body, 12, 255 - get_byte(body, 12))')
    expect(await readParts(database, one.id, ['status'])).toMatchObject([{ text: null }])
    await removeCloud(database, one.id, attribution)
    await write([['status', 'late']])
    expect((await readPartVersions(database)).filter(({ cloud: of }) => of === one.id)).toEqual([])
  })

  test('gives a part that was removed and added again another version', async () => {
    const one = cloud('again')
    await addCloud(database, one, attribution)
    const write = (text: string | null) =>
      writeParts(database, { cloud: one.id, parts: new Map([['servers 1', text]]), isNews: false, ...poller })
    const seen = new Set<number>()
    for (const text of ['[]', '[1]', null, '[2]', '[3]']) {
      await write(text)
      for (const { version } of await readParts(database, one.id, ['servers 1'])) seen.add(version)
      await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(Math.max(...seen)), { interval: 1 })
    }
    expect(seen.size).toBe(4)
  })

  test('causes an event only when something changed', async () => {
    const one = cloud('news')
    await addCloud(database, one, attribution)
    const write = (isNews: boolean) =>
      writeParts(database, { cloud: one.id, parts: new Map([['status', '1']]), isNews, ...poller })
    await write(false)
    await write(true)
    const { rows } = await database.pool.query(
      "select 1 from outbox where kind = 'cloud.read' and data ->> 'cloud' = $1",
      [one.id],
    )
    expect(rows).toHaveLength(1)
    expect(await auditOf(one.id)).toEqual(['cloud.added olga we run it'])
  })
})
