import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import { putSetting } from '../../store/catalog/policy'
import { commit } from '../../store/commit/commit'
import { noteSurvey } from '../../store/survey/survey'
import { AT, acceptMigration, buildOf, changeOf, present, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// Ledger, devices and capacity over the same two hosts: held amounts, holders and free amounts of each.

const api = onFreshDatabase(openTestApi)
let web: string
const first = smallHost({ n: 1, vfs: 2, frame: { zone: 'north' } })
const second = smallHost({ n: 2, vfs: 2, shared: 2, frame: { zone: 'south', scheduling: 'disabled' } })

beforeAll(async () => {
  // These records begin before the database was made.
  await putSetting(api.database, 'past-since', AT)
  await putHost(api.database, first)
  await putHost(api.database, second)
  const change = buildOf(await present(api.database, first.id), {
    flavor: pinned(4, { 'pci_passthrough:alias': 'vf:1' }),
    name: 'web-1',
  })
  web = change.instance
  await commit(api.database, { ...change, at: AT + 1000, actor: { who: 'mona', request: 'req-7', reason: 'a shop' } })
  const brief = buildOf(await present(api.database, first.id), { flavor: pinned(2), name: 'brief' })
  await commit(api.database, { ...brief, at: AT + 2000 })
  const gone = [
    { do: 'release', consumer: brief.instance } as const,
    { do: 'delete-instance', id: brief.instance } as const,
  ]
  await commit(api.database, { ...changeOf(gone), at: AT + 3000 })
  await noteSurvey(
    api.database,
    [first, second].map(({ id }) => ({ host: id, at: Date.now(), guests: [] })),
  )
  await api.settle()
})

test('a row shows the amounts, the provider, the generations, and the request that wrote it', async () => {
  const { rows, total } = await api.as('viewer').ledger.list({ q: 'web' })
  expect(total).toBe(1)
  expect(rows[0]).toMatchObject({
    consumer: { kind: 'instance', id: web, name: 'web-1', generation: 1 },
    provider: { name: 'h1' },
    host: { id: first.id, name: 'h1' },
    since: AT + 1000,
    wrote: { who: 'mona', request: 'req-7', reason: 'a shop' },
    ...{ findings: [], migration: null },
  })
  expect(rows[0]?.units.filter((name) => name.startsWith('cpu:'))).toHaveLength(4)
  expect(rows[0]?.units.filter((name) => name.startsWith('pci:'))).toHaveLength(1)
  expect(rows[0]?.amounts).toContainEqual({ resourceClass: 'PCPU', amount: 4 })
  expect(rows[0]?.claim).not.toBeNull()
})

test('the ledger filters by host, by consumer and by class', async () => {
  const list = async (input: object) => (await api.as('viewer').ledger.list(input)).rows.map((row) => row.consumer.name)
  expect(await list({ host: first.id })).toEqual(['web-1'])
  expect(await list({ host: second.id })).toEqual([])
  expect(await list({ instance: web })).toEqual(['web-1'])
  expect(await list({ provider: first.id, resourceClass: 'PCPU' })).toEqual(['web-1'])
  expect(await list({ resourceClass: 'VGPU' })).toEqual([])
})

test.each<[title: string, where: object[], names: string[]]>([
  ['a class it holds', [{ key: 'class', any: ['pcpu'] }], ['web-1']],
  ['a class it does not hold', [{ key: 'class', any: ['VGPU'] }], []],
  ['a negated class', [{ key: 'class', any: ['PCPU'], not: true }], []],
  ['its author', [{ key: 'wrote', any: ['mo*'] }], ['web-1']],
  ['its request', [{ key: 'request', any: ['req-8'] }], []],
  ['a negated mark', [{ key: 'marks', any: ['*'], not: true }], ['web-1']],
  ['free text in the name of the provider', [{ key: 'text', any: ['H1'] }], ['web-1']],
])('the ledger filters by %s', async (_, where, names) => {
  const input: object = { where, order: [{ by: 'provider', dir: 'desc' }] }
  const { rows } = await api.as('viewer').ledger.list(input)
  expect(rows.map((row) => row.consumer.name)).toEqual(names)
})

test.each<[title: string, where: object[], hosts: string[]]>([
  ['their holder', [{ key: 'holder', any: ['web-*'] }], ['h1']],
  [
    'their state',
    [
      { key: 'state', any: ['held'] },
      { key: 'role', any: ['vf'] },
    ],
    ['h1'],
  ],
  ['a unit name without its kind', [{ key: 'unit', any: ['*3b:02.0'] }], []],
  ['free text without a match', [{ key: 'text', any: ['nowhere'] }], []],
])('the list of devices filters by %s', async (_, where, hosts) => {
  const input: object = { where, order: [{ by: 'host', dir: 'desc' }] }
  const { rows } = await api.as('viewer').device.list(input)
  expect(rows.map(({ host }) => host.name)).toEqual(hosts)
})

test('an allocation without a claim is marked as odd', async () => {
  const stray = '00000000-0000-4000-8000-00000000dead'
  await api.database.pool.query(`insert into consumer (id, type, owner_kind) values ($1, 'INSTANCE', 'berth')`, [stray])
  await api.database.pool.query(
    `insert into allocation (consumer_id, provider_id, resource_class, amount) values ($1, $2, 'MEMORY_MB', 64)`,
    [stray, second.id],
  )
  const marked = await api.as('viewer').ledger.list({ where: [{ key: 'marks', any: ['no-claim'] }] })
  expect(marked.rows.map(({ consumer }) => consumer.id)).toEqual([stray])
  const { rows } = await api.as('viewer').ledger.list({ odd: true })
  expect(rows).toMatchObject([
    { consumer: { kind: 'other', id: stray }, claim: null, wrote: null, host: { name: 'h2' } },
  ])
})

test('the ledger of a past time has the holders of that time, with their names then', async () => {
  const { rows } = await api.as('viewer').ledger.list({ at: AT + 2500, sort: 'consumer' })
  expect(rows.map((row) => row.consumer.name)).toEqual(['brief', 'web-1'])
  expect((await api.as('viewer').ledger.list({ at: AT + 1500 })).rows).toHaveLength(1)
  expect((await api.as('viewer').ledger.list({ at: AT })).rows).toHaveLength(0)
})

test('the ledger refuses a time before its history and one in the future', async () => {
  const at = async (at: number) => await api.as('viewer').ledger.list({ at })
  await expect(at(AT - 1)).rejects.toThrow(/a time after/)
  await expect(at(Date.now() + 3_600_000)).rejects.toThrow(/a time in the past/)
})

test('devices are listed by kind, with their holder', async () => {
  const kinds = await api.as('viewer').device.kinds()
  expect(kinds).toContainEqual(expect.objectContaining({ kind: 'pci', held: 1, hosts: 2 }))
  const { rows } = await api.as('viewer').device.list({ state: ['held'] })
  expect(rows).toMatchObject([{ host: { name: 'h1' }, holder: { name: 'web-1' }, use: 'device' }])
  expect((await api.as('viewer').device.list({ host: second.id, state: ['held'] })).total).toBe(0)
})

test('a device shows its card and its holders, and a core shows the earlier ones', async () => {
  const [held] = (await api.as('viewer').device.list({ state: ['held'] })).rows
  const detail = await api.as('viewer').device.byUnit({ host: first.id, unit: held!.unit })
  expect(detail.history).toMatchObject([{ holder: { name: 'web-1' }, from: AT + 1000, to: null }])
  expect(detail.family.map(({ unit }) => unit)).toContain(held!.unit)
  const cores = await Promise.all(
    first.numaNodes.flatMap((node) =>
      node.dedicatedCpus.map((cpu) => api.as('viewer').device.byUnit({ host: first.id, unit: `cpu:${cpu}` })),
    ),
  )
  const ended = cores.flatMap(({ history }) => history.filter(({ to }) => to !== null))
  expect(ended).toHaveLength(2)
  expect(ended[0]).toMatchObject({ holder: { name: 'brief' }, from: AT + 2000, to: AT + 3000 })
  const shared = second.numaNodes.flatMap(({ sharedCpus }) => sharedCpus)[0]
  const pool = await api.as('viewer').device.byUnit({ host: second.id, unit: `cpu:${shared}` })
  expect(pool, 'a CPU of the shared pool').toMatchObject({ device: null, history: [] })
  await expect(api.as('viewer').device.byUnit({ host: first.id, unit: 'cpu:999' })).rejects.toThrow(/no CPU or device/)
})

test('capacity adds up, and counts free amounts on unavailable hosts apart', async () => {
  const { classes } = await api.as('viewer').capacity.get()
  const cpus = classes.find(({ resourceClass }) => resourceClass === 'PCPU')
  expect(cpus).toMatchObject({ total: 28, held: 4, free: 24, closed: 12, heldTwice: 0 })
})

test('rows written by a layout conversion name the user who converted the host', async () => {
  const { state } = await api.as('admin').layout.convert({ host: first.id, reason: 'nested from now on' })
  expect(state).toBe('verified')
  await api.settle()
  const { rows } = await api.as('viewer').ledger.list({ q: 'web' })
  expect(rows.length).toBeGreaterThan(1)
  for (const { wrote } of rows) expect(wrote).toMatchObject({ kind: expect.any(String), reason: expect.any(String) })
  expect(rows.map(({ wrote }) => wrote?.kind)).toContain('layout.healed')
})

test('a row of a migration has the name of its instance, with or without a claim', async () => {
  const { pool } = api.database
  const instance = buildOf(await present(api.database, first.id), { flavor: pinned(2), name: 'mover' })
  await commit(api.database, instance)
  const migration = await acceptMigration(api.database, instance.instance)
  await commit(api.database, changeOf([{ do: 'exchange', instance: instance.instance, migration: migration.id }]))
  const row = async () => (await api.as('viewer').ledger.list({ instance: instance.instance })).rows[0]
  const consumer = { kind: 'migration', id: migration.id, name: 'mover' }
  const part = { id: migration.id, operation: migration.operation, side: 'source' }
  expect(await row()).toMatchObject({ consumer, claim: expect.any(String), host: { name: 'h1' }, migration: part })
  await pool.query('delete from claim where consumer_id = $1', [migration.id])
  expect(await row()).toMatchObject({ consumer, claim: null, host: { name: 'h1' } })
  await pool.query('update migration set instance_name = $2 where id = $1', [migration.id, 'as it was called'])
  await pool.query('delete from instance where id = $1', [instance.instance])
  expect(await row()).toMatchObject({ consumer: { ...consumer, name: 'as it was called' } })
})

test('the counts of the ledger equal the totals of its filters', async () => {
  const viewer = api.as('viewer')
  const total = async (key: 'marks' | 'kind', value: string) =>
    (await viewer.ledger.list({ where: [{ key, any: [value] }], limit: 1 })).total
  const finding = (consumer: string) =>
    api.database.pool.query(
      `insert into finding (id, fingerprint, kind, severity, confidence, instance_id, body, first_seen_at, last_seen_at)
       select gen_random_uuid(), 'of the test', 'wrong-amount', 'critical', 'sure', id, '{"stamp": "1", "of": {}}', now(), now()
       from instance where id = $1`,
      [consumer],
    )
  const counts = async () => ({
    orphaned: await total('marks', 'no-claim'),
    findings: await total('marks', '*'),
    migrations: await total('kind', 'migration'),
    other: await total('kind', 'other'),
  })
  const before = await viewer.ledger.counts()
  expect(before).toEqual(await counts())
  expect(before.orphaned).toBeGreaterThan(0)
  await finding(web)
  const after = await viewer.ledger.counts()
  expect(after).toEqual(await counts())
  expect(after.findings).toBeGreaterThan(before.findings)
})
