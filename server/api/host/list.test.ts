import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { HOST_LIST, HOST_QUICK_FILTERS, type HostQuickFilter } from '@/lists/host'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { acceptMigration, build, putHost } from '../../store/testing/records'
import type { ApiInputs } from '../router'
import { openTestApi } from '../testing/api'

// Conditions and orders of the three lists. Hosts are filtered in memory and the others by the database; patterns work
// alike in both.

const api = onFreshDatabase(openTestApi)
const begun: { id: string; instance: string } = { id: '', instance: '' }
beforeAll(async () => {
  const { database } = api
  const frames = [
    { name: 'h-01', zone: 'a' },
    { name: 'h-02', zone: 'b' },
    { name: 'std%_1', zone: null, status: 'down' },
  ] as const
  const hosts = []
  for (const [at, frame] of frames.entries()) hosts.push(await putHost(database, smallHost({ n: at + 1, frame })))
  const ids = []
  for (const host of [hosts[0]!, hosts[0]!, hosts[1]!]) ids.push(await build(database, host.id))
  const names = ['web-1', 'web-2', 'db%_1']
  for (const [at, id] of ids.entries()) {
    await database.pool.query('update instance set name = $1, project = $2 where id = $3', [
      names[at],
      at === 0 ? 'shop' : 'bank',
      id,
    ])
  }
  Object.assign(begun, { id: (await acceptMigration(database, ids[0]!)).id, instance: ids[0] })
  await api.settle()
})

const names = (page: { rows: readonly { name: string }[] }) => page.rows.map(({ name }) => name)

test.each<[title: string, input: ApiInputs['host']['list'], expected: string[]]>([
  ['a name with a wildcard', { where: [{ key: 'host', any: ['h-0*'] }] }, ['h-01', 'h-02']],
  ['an exact name', { where: [{ key: 'host', any: ['h-0'] }] }, []],
  ['free text anywhere in the name', { where: [{ key: 'text', any: ['-0'] }] }, ['h-01', 'h-02']],
  ['the prefix of an id', { where: [{ key: 'text', any: [hostId(2).slice(0, 23)] }] }, ['std%_1', 'h-01', 'h-02']],
  ['a full id', { where: [{ key: 'text', any: [hostId(2).toUpperCase()] }] }, ['h-02']],
  ['literal SQL wildcards', { where: [{ key: 'text', any: ['%_'] }] }, ['std%_1']],
  [
    'a negated zone, which leaves out hosts without one',
    { where: [{ key: 'zone', any: ['A'], not: true }] },
    ['std%_1', 'h-02'],
  ],
  ['nothing, with troubled hosts first', {}, ['std%_1', 'h-01', 'h-02']],
  ['nothing, in another requested order', { sort: 'name' }, ['h-01', 'h-02', 'std%_1']],
  ['one of two states', { where: [{ key: 'state', any: ['down', 'quarantined'] }] }, ['std%_1']],
  [
    'two conditions at once',
    {
      where: [
        { key: 'host', any: ['h*'] },
        { key: 'zone', any: ['b'] },
      ],
    },
    ['h-02'],
  ],
  ['active migrations', { where: [{ key: 'migrating', any: ['yes'] }] }, ['h-01']],
  [
    'nothing, in an order of two columns',
    {
      order: [
        { by: 'status', dir: 'asc' },
        { by: 'name', dir: 'desc' },
      ],
    },
    ['std%_1', 'h-02', 'h-01'],
  ],
  ['nothing, with the requested order first', { order: [{ by: 'name', dir: 'desc' }] }, ['std%_1', 'h-02', 'h-01']],
])('the list of hosts filters by %s', async (_, input, expected) => {
  const page = await api.as('viewer').host.list(input as never)
  expect(names(page)).toEqual(expected)
  expect(page.total).toBe(expected.length)
})

test('the driver filter offers the kinds of hypervisor that have a driver', () => {
  const folders = fs.readdirSync('server/drivers', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect([...HOST_LIST.filters.driver.values].sort()).toEqual(folders.map(({ name }) => name).sort())
})

test('every count equals the number of hosts that its filter lists', async () => {
  const viewer = api.as('viewer')
  await viewer.host.list({})
  const counts = await viewer.host.counts()
  expect(counts).toMatchObject({ all: 3, down: 1, neverAnswered: 2, migrating: 1, up: 0, findings: 0 })
  for (const [quick, conditions] of Object.entries(HOST_QUICK_FILTERS)) {
    const where = conditions.map((condition) => ({ ...condition, any: [...condition.any] }))
    const { total } = await viewer.host.list({ where })
    expect([quick, total]).toEqual([quick, counts[quick as HostQuickFilter]])
  }
})

test.each<[title: string, input: ApiInputs['instance']['list'], expected: string[]]>([
  ['a name with a wildcard', { where: [{ key: 'name', any: ['WEB-*'] }] }, ['web-1', 'web-2']],
  ['an exact name', { where: [{ key: 'name', any: ['web'] }] }, []],
  ['free text anywhere in the name', { where: [{ key: 'text', any: ['b-'] }] }, ['web-1', 'web-2']],
  ['literal SQL wildcards', { where: [{ key: 'text', any: ['%_'] }] }, ['db%_1']],
  ['a negated host', { where: [{ key: 'host', any: ['h-01'], not: true }] }, ['db%_1']],
  [
    'a negated group, which keeps instances without one',
    { where: [{ key: 'group', any: ['*'], not: true }] },
    ['db%_1', 'web-1', 'web-2'],
  ],
  ['active migrations', { where: [{ key: 'migrating', any: ['yes'] }] }, ['web-1']],
  [
    'nothing, in an order of two columns',
    {
      order: [
        { by: 'project', dir: 'asc' },
        { by: 'name', dir: 'desc' },
      ],
    },
    ['web-2', 'db%_1', 'web-1'],
  ],
])('the list of instances filters by %s', async (_, input, expected) => {
  const page = await api.as('viewer').instance.list(input as never)
  expect(names(page)).toEqual(expected)
  expect(page.total).toBe(expected.length)
})

type MigrationWhere = NonNullable<ApiInputs['migration']['list']['where']>
const migrationIds = async (where: MigrationWhere) =>
  (await api.as('viewer').migration.list({ view: 'all', where } as never)).rows.map(({ id }) => id)

test.each<[title: string, where: () => MigrationWhere, found: boolean]>([
  ['its instance', () => [{ key: 'instance', any: ['web-*'] }], true],
  ['either of its hosts', () => [{ key: 'host', any: ['h-01'] }], true],
  ['a part of its id', () => [{ key: 'text', any: [begun.id.slice(0, 8)] }], true],
  ['a negated operation', () => [{ key: 'operation', any: ['*'], not: true }], false],
  ['being active', () => [{ key: 'state', any: ['flight'] }], true],
  ['another outcome', () => [{ key: 'state', any: ['failed'] }], false],
])('the list of migrations filters by %s', async (_, where, found) => {
  expect(await migrationIds(where())).toEqual(found ? [begun.id] : [])
})

describe('the overdue filter', () => {
  const overdue = () => migrationIds([{ key: 'state', any: ['overdue'] }])
  /** This many migrations did the step between the same hosts, each in a second. */
  const past = (times: number) =>
    api.database.pool.query(
      `with one as (select m.*, s.id as new_id from migration m,
           (select gen_random_uuid() as id from generate_series(1, $2)) s where m.id = $1),
         made as (insert into migration select (jsonb_populate_record(null::migration, to_jsonb(one) || jsonb_build_object(
           'id', one.new_id, 'instance_id', gen_random_uuid(), 'step', 'ended', 'outcome', 'completed',
           'waiting', null, 'ended_at', now()))).* from one returning id)
       insert into migration_step (migration_id, seq, step, direction, started_at, ended_at, result)
       select made.id, 1, m.step, m.direction, now() - interval '1 second', now(), 'done' from made, migration m where m.id = $1`,
      [begun.id, times],
    )

  test('matches nothing without a baseline', async () => {
    await api.database.pool.query("update migration set step_since = now() - interval '1 day' where id = $1", [
      begun.id,
    ])
    expect(await overdue()).toEqual([])
    await past(4)
    expect(await overdue()).toEqual([])
  })
  test('matches steps that last longer than 19 of 20 earlier ones between those hosts', async () => {
    await past(1)
    expect(await overdue()).toEqual([begun.id])
    await api.database.pool.query('update migration set step_since = now() where id = $1', [begun.id])
    expect(await overdue()).toEqual([])
  })
})

test.each<[path: 'host' | 'instance', input: object, says: RegExp]>([
  ['host', { where: [{ key: 'colour', any: ['red'] }] }, /expected one of text/],
  ['host', { where: [{ key: 'host', any: [] }] }, /at least one text/],
  ['instance', { where: [{ key: 'name', any: [' '] }] }, /a text to compare with/],
  ['instance', { where: Array(21).fill({ key: 'name', any: ['a'] }) }, /at most 20/],
  ['instance', { order: Array(7).fill({ by: 'name', dir: 'asc' }) }, /at most 6/],
  ['host', { order: [{ by: randomUUID(), dir: 'asc' }] }, /expected one of name/],
])('%s.list refuses %j', async (path, input, says) => {
  await expect(api.as('viewer')[path].list(input as never)).rejects.toThrow(says)
})
