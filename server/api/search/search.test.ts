import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { createProvider } from '../../store/placement/provider'
import { acceptMigration, build, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

const api = onFreshDatabase(openTestApi)
const ids = { instance: '', migration: '' }
beforeAll(async () => {
  const first = await putHost(api.database, smallHost({ n: 1, vfs: 2, frame: { name: 'std-01' } }))
  await putHost(api.database, smallHost({ n: 2, vfs: 2, frame: { name: 'std-02' } }))
  const web = await build(api.database, first.id, { name: 'web-1' })
  await build(api.database, first.id, { name: 'old-web-1' })
  Object.assign(ids, { instance: web, migration: (await acceptMigration(api.database, web)).id })
  await api.settle()
})

const find = (q: string) => api.as('operator').search.find({ q })
const names = (found: readonly { name: string }[]) => found.map(({ name }) => name)

describe('the search', () => {
  test('finds names with the prefix before names that contain it', async () => {
    expect(names((await find('WEB')).instances)).toEqual(['web-1', 'old-web-1'])
  })
  test('finds by the prefix of an id', async () => {
    expect(names((await find(ids.instance.slice(0, 13))).instances)).toContain('web-1')
    expect((await find(ids.migration)).migrations.map(({ id }) => id)).toEqual([ids.migration])
    expect(names((await find(hostId(2))).hosts)).toEqual(['std-02'])
  })
  test('finds a device by its address, and within a host when the host is named', async () => {
    const unit = (await find('std-01 pci')).devices[0]!.unit
    expect(unit).toMatch(/\d/)
    const address = unit.replace(/^\w+:/, '')
    expect(new Set((await find(address)).devices.map(({ host }) => host.name))).toEqual(new Set(['std-01', 'std-02']))
    expect((await find(`std-02 ${address}`)).devices.map(({ host }) => host.name)).toEqual(['std-02'])
  })
  test('finds a tree of Nova by name and by id, but lists it under no host', async () => {
    const provider = randomUUID()
    const owner = { kind: 'token', id: 'nova', name: 'nova' } as const
    const nova = { who: 'nova', request: 'req-1', owner }
    await createProvider(api.database, { provider, name: 'std-nova', parent: null }, nova)
    expect((await find('std-')).trees).toEqual([{ id: provider, name: 'std-nova' }])
    expect(names((await find(provider.slice(0, 8))).trees)).toEqual(['std-nova'])
  })
  test('matches characters literally', async () => {
    expect((await find('%')).instances).toEqual([])
    expect((await find('_')).instances).toEqual([])
  })
  test('returns the permitted actions for each result, with reasons for the others', async () => {
    const { instances, permitted } = await api.as('viewer').search.find({ q: 'web-1' })
    expect(instances[0]?.permitted['live-migrate']).toEqual({ ok: false, why: expect.stringContaining('viewer') })
    expect(permitted.build).toMatchObject({ ok: false })
    const moving = (await find('web-1')).instances[0]?.permitted['live-migrate']
    expect(moving).toMatchObject({ ok: false, why: expect.any(String) })
  })
  test('returns for a host whether drain or evacuation is permitted', async () => {
    const { hosts } = await find('std-01')
    expect(hosts[0]?.permitted).toMatchObject({
      drain: { ok: true },
      evacuation: { ok: false, why: expect.stringContaining('std-01 is recorded as up') },
    })
    const seen = (await api.as('support').search.find({ q: 'std-01' })).hosts
    expect(seen[0]?.permitted.drain).toEqual({ ok: false, why: expect.stringContaining('support') })
    expect(seen[0]?.permitted.evacuation).toMatchObject({ why: expect.stringContaining('std-01 is recorded as up') })
  })
  test('finds nothing for an empty or unknown query', async () => {
    const nothing = { hosts: [], instances: [], migrations: [], devices: [], records: [], views: [] }
    expect(await find(' ')).toMatchObject(nothing)
    expect(await find('nothing-like-it')).toMatchObject(nothing)
  })
  test('finds unnamed objects by id, and own or shared views', async () => {
    const { rows } = await api.database.pool.query<{ id: string }>('select id from claim where instance_id = $1', [
      ids.instance,
    ])
    const claim = rows[0]!.id
    expect((await find(claim.slice(0, 18))).records).toContainEqual({ noun: 'claim', id: claim, name: 'web-1' })
    const view = { name: 'Silent hosts', path: '/hosts', query: 'q=status%3Adown' }
    await api.as('operator').view.save({ ...view, shared: false })
    expect((await find('silent')).views).toMatchObject([view])
    expect((await api.as('viewer').search.find({ q: 'silent' })).views).toEqual([])
  })
  test('finds one among 20,000 instances, and reports how long it took', async () => {
    await api.database.pool.query(
      `insert into instance select (jsonb_populate_record(null::instance, to_jsonb(i)
         || jsonb_build_object('id', gen_random_uuid(), 'name', 'bulk-' || n, 'host_id', null))).*
       from instance i, generate_series(1, 20000) n where i.id = $1`,
      [ids.instance],
    )
    await find('bulk-1')
    const took: number[] = []
    for (const q of ['bulk-19', 'b', '999', 'bulk-20000', 'nothing-like-it']) took.push((await find(q)).tookMs)
    expect(names((await find('bulk-20000')).instances)).toEqual(['bulk-20000'])
    console.log(`search among 20,000 instances: ${took.map((ms) => ms.toFixed(0)).join(', ')} ms`)
  })
})
