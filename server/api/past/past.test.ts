import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import { commit } from '../../store/commit/commit'
import { acceptMigration, buildOf, changeOf, present, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// Past views through the API show the state at each time, and offer no actions.

const host = smallHost({ n: 1, frame: { zone: 'north' } })
const START = Date.now() + 60_000
const [BUILT, DOWN, GONE] = [START + 1000, START + 2000, START + 3000]
const NOW = START + 60_000

const api = onFreshDatabase((fresh) => openTestApi(fresh, { now: () => NOW }))
beforeAll(async () => {
  await putHost(api.database, host)
  const change = buildOf(await present(api.database, host.id), { flavor: pinned(4), name: 'web-1' })
  await commit(api.database, { ...change, at: BUILT })
  await api.settle()
  const down = changeOf([{ do: 'set-host', id: host.id, set: { status: 'down', reason: 'cable' } }])
  const was = { status: 'up', scheduling: 'enabled' }
  const event = { ...down.event, kind: 'host.status', hosts: [host.id], data: { status: 'down', was } }
  await commit(api.database, { ...down, event, at: DOWN })
  const { instance } = change
  const gone = changeOf([
    { do: 'release', consumer: instance },
    { do: 'delete-instance', id: instance },
  ])
  await commit(api.database, { ...gone, event: { ...gone.event, hosts: [host.id] }, at: GONE })
  await api.settle()
})

const hostAt = async (at: number) => (await api.as('viewer').past.hosts({ at })).rows[0]

test('the past list of hosts shows the allocations and the recorded status of that time', async () => {
  expect(await hostAt(BUILT - 1)).toMatchObject({ status: 'up', instances: 0, pinned: { used: 0 } })
  expect(await hostAt(BUILT)).toMatchObject({ status: 'up', instances: 1, pinned: { used: 4 } })
  expect(await hostAt(DOWN)).toMatchObject({ status: 'down', instances: 1 })
  expect(await hostAt(GONE)).toMatchObject({ status: 'down', instances: 0, pinned: { used: 0 } })
})

test('the past map shows the holders of that time, deleted instances included', async () => {
  const map = await api.as('viewer').past.map({ id: host.id, at: DOWN })
  expect(map.holders.map((each) => each.instance.name)).toEqual(['web-1'])
  const held = map.cells.flatMap((node) =>
    node.cores.flatMap((core) => core.threads.filter((cpu) => cpu.holders.length > 0)),
  )
  expect(held).toHaveLength(4)
  expect((await api.as('viewer').past.map({ id: host.id, at: GONE })).holders).toEqual([])
})

test('a past row permits no action', async () => {
  const row = await hostAt(BUILT)
  expect(Object.values(row!.permitted).every((permit) => !permit.ok)).toBe(true)
})

test('the slider has every recorded time of the host, oldest first', async () => {
  const changes = await api.as('viewer').past.changes({ host: host.id })
  expect(changes.map(({ at }) => at)).toEqual([BUILT, DOWN, GONE])
})

test('a time before the history is refused instead of shown as empty', async () => {
  await expect(api.as('viewer').past.hosts({ at: 1000 })).rejects.toThrow(/a time after/)
  const { from, to } = await api.as('viewer').past.range()
  expect(from).toBeLessThan(to)
})

test('a future time is refused instead of shown as now', async () => {
  const { hosts, map, migrations } = api.as('viewer').past
  const at = Date.UTC(2099, 0, 1)
  const refusal = {
    message: expect.stringMatching(/2099-01-01T00:00:00.000Z: a time in the past, up to/),
    cause: { view: { notChanged: 'Nothing was changed.', next: 'Choose another time, or return to now.' } },
  }
  await expect(hosts({ at })).rejects.toMatchObject(refusal)
  await expect(map({ id: host.id, at })).rejects.toMatchObject(refusal)
  await expect(migrations({ at })).rejects.toMatchObject(refusal)
})

test('a browser clock up to a minute ahead counts as now', async () => {
  const { rows } = await api.as('viewer').past.hosts({ at: NOW + 60_000 })
  expect(rows).toEqual((await api.as('viewer').past.hosts({ at: NOW })).rows)
  await expect(api.as('viewer').past.hosts({ at: NOW + 60_001 })).rejects.toThrow(/a time in the past/)
})

test('a past migration shows only what had happened: no target before its claim, and no end', async () => {
  const other = smallHost({ n: 2 })
  await putHost(api.database, other)
  const build = buildOf(await present(api.database, other.id), { flavor: pinned(1), name: 'web-2' })
  await commit(api.database, { ...build, at: GONE })
  const migration = await acceptMigration(api.database, build.instance)
  const [begun, claimed, ended] = [GONE + 1000, GONE + 2000, GONE + 3000]
  await api.database.pool.query(
    `update migration set created_at = $2, target = $5, outcome = 'completed', step = 'ended', ended_at = $4 where id = $1
       and $3::timestamptz is not null`,
    [migration.id, new Date(begun), new Date(claimed), new Date(ended), host.id],
  )
  await api.database.pool.query('delete from migration_step where migration_id = $1', [migration.id])
  await api.database.pool.query(
    `insert into migration_step (migration_id, seq, step, direction, started_at, ended_at, result) values
       ($1, 1, 'claim', 'target', $2, $3, 'done'), ($1, 2, 'prepare', 'target', $3, $4, 'done')`,
    [migration.id, new Date(begun), new Date(claimed), new Date(ended)],
  )
  const at = async (moment: number) => (await api.as('viewer').past.migrations({ at: moment }))[0]
  expect(await at(begun)).toMatchObject({ step: 'claim', target: null })
  expect(await at(claimed)).toMatchObject({ step: 'prepare', target: { id: host.id } })
  expect(Object.keys((await at(claimed))!)).not.toContain('endedAt')
  expect(await at(ended)).toBeUndefined()
})
