import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { openTestApi, type TestApi } from '../testing/api'

const api = onFreshDatabase(openTestApi)

const hosts = { path: '/hosts', query: 'q=state%3Adown&cols=name,status' }
const listed = async (role: Parameters<TestApi['as']>[0], path = '/hosts') =>
  (await api.as(role).view.list({ path })).views.map(({ name, mine }) => `${name}${mine ? '' : ' of others'}`)
const trail = async () =>
  (await api.database.pool.query('select who, request, action, data from audit_entry order by id')).rows

describe('saved views', () => {
  test('are private and audited', async () => {
    await api.as('viewer').view.save({ ...hosts, name: 'Down', shared: false })
    expect(await listed('viewer')).toEqual(['Down'])
    expect(await listed('admin')).toEqual([])
    expect(await listed('viewer', '/instances')).toEqual([])
    expect((await trail()).at(-1)).toMatchObject({
      who: 'the_viewer',
      request: expect.any(String),
      action: 'view.saved',
      data: { name: 'Down', path: '/hosts', query: hosts.query, shared: false },
    })
  })

  test('replace an earlier view of the same name', async () => {
    const again = { ...hosts, query: 'q=web' }
    const { id } = await api.as('viewer').view.save({ ...again, name: 'Down', shared: false })
    expect((await api.as('viewer').view.list({ path: '/hosts' })).views).toMatchObject([{ id, query: 'q=web' }])
  })

  test('are shared only from support up, and appear after own views', async () => {
    await expect(api.as('viewer').view.save({ ...hosts, name: 'Mine', shared: true })).rejects.toThrow(
      /needs support\.$/,
    )
    await api.as('support').view.save({ ...hosts, name: 'All', shared: true })
    expect(await listed('viewer')).toEqual(['Down', 'All of others'])
    const { permitted } = await api.as('viewer').view.list({ path: '/hosts' })
    expect(permitted).toMatchObject({
      save: { ok: true },
      share: { ok: false, why: expect.stringContaining('support') },
    })
  })

  test('of others can be removed by an admin only if shared', async () => {
    const shared = (await api.as('viewer').view.list({ path: '/hosts' })).views.find(({ mine }) => !mine)!
    expect(shared.permitted).toMatchObject({ remove: { ok: false }, replace: { ok: false } })
    await expect(api.as('operator').view.remove({ id: shared.id })).rejects.toThrow(/admin/)
    const [own] = (await api.as('viewer').view.list({ path: '/hosts' })).views
    await expect(api.as('admin').view.remove({ id: own!.id })).rejects.toThrow(/no view/)
    await api.as('admin').view.remove({ id: shared.id })
    expect(await listed('viewer')).toEqual(['Down'])
    expect((await trail()).at(-1)).toMatchObject({ who: 'the_admin', action: 'view.removed', data: { name: 'All' } })
  })

  test('can be removed once by their owner', async () => {
    const [own] = (await api.as('viewer').view.list({ path: '/hosts' })).views
    await api.as('viewer').view.remove({ id: own!.id })
    await expect(api.as('viewer').view.remove({ id: own!.id })).rejects.toThrow(/no view/)
    expect(await listed('viewer')).toEqual([])
  })

  test.each([
    ['a path on another site', { path: '//evil.test/x' }],
    ['an absolute URL', { path: 'https://evil.test' }],
    ['a query in the path', { path: '/hosts?q=1' }],
    ['a line break', { query: 'q=a\nb' }],
    ['an empty name', { name: ' ' }],
    ['a query that is too long', { query: 'x'.repeat(2_001) }],
  ])('are refused with %s', async (_, wrong) => {
    await expect(api.as('admin').view.save({ ...hosts, name: 'x', shared: false, ...wrong })).rejects.toThrow(
      /expected/,
    )
  })

  test('are limited to a number that fits a menu', async () => {
    const { rows } = await api.database.pool.query("select id from auth_user where username = 'the_operator'")
    await api.database.pool.query(
      `insert into saved_view (id, owner_id, name, path, query, created_at, updated_at)
       select gen_random_uuid(), $1, 'v' || n, '/hosts', '', now(), now() from generate_series(1, 200) n`,
      [rows[0].id],
    )
    await expect(api.as('operator').view.save({ ...hosts, name: 'more', shared: false })).rejects.toThrow(
      /at the limit/,
    )
  })
})
