import fc from 'fast-check'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { connectDatabase } from '../database/database'
import { putHost } from '../testing/records'
import { type AuditLogQuery, type AuditLogRow, listAuditLog, REFUSED, timeFrom } from './list'

// Handwritten indexes answer searches. Here they are compared with a scan of every entry.

const database = onFreshDatabase(connectDatabase)
const PEOPLE = ['ada', 'Ada', 'bob', 'token nova', '100%_sure']
const ACTIONS = ['host.status', 'HOST.status', 'user.role', REFUSED]
const NAMES = [null, 'web-1', 'WEB-2', 'db*1', 'a\\b']
const ADDRESSES = [null, '10.0.0.1', '10.0.1.1', '2001:db8::1']
const REASONS = [null, 'new firmware', 'New Firmware']
const INSTANCES = [null, 'abcdef01-0000-4000-8000-000000000001', 'abcdef01-0000-4000-8000-000000000002']
const REQUESTS = [null, 'abcdef01-1111-4000-8000-000000000001', 'req-7']
let entries: readonly AuditLogRow[]
let host: string

beforeAll(async () => {
  await putHost(database, smallHost())
  const { rows } = await database.pool.query<{ id: string; name: string }>('select id, name from host')
  host = rows[0]?.name ?? ''
  const of = <T>(values: readonly T[], n: number, step: number) => values[(n * step) % values.length]
  for (let n = 0; n < 400; n++) {
    const address = of(ADDRESSES, n, 3)
    const data = { [n % 2 ? 'name' : 'username']: of(NAMES, n, 7) ?? undefined, procedure: of(ACTIONS, n, 5) }
    const origin =
      n % 11 === 0 ? null : JSON.stringify({ role: of(['viewer', 'admin'], n, 1), credential: 'x', address })
    await database.pool.query(
      `insert into audit_entry (at, who, request, reason, action, hosts, instance_id, data, origin)
       values (to_timestamp($1), $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[1_000_000 + n, of(PEOPLE, n, 1), of(REQUESTS, n, 2), of(REASONS, n, 1), of(ACTIONS, n, 3)],
        ...[n % 5 === 0 ? [rows[0]?.id] : [], of(INSTANCES, n, 1), JSON.stringify(data), origin],
      ],
    )
  }
  entries = (await listAuditLog(database, { ...ALL, where: [], limit: 10_000 })).rows
  expect(entries.length).toBeGreaterThanOrEqual(400)
})

const ALL = { after: null, before: null, oldestFirst: false, offset: 0 } as const

type Condition = AuditLogQuery['where'][number]

/** Matches like the database's `ilike`, with a star for any characters. */
const fits = (value: unknown, pattern: string) => {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return typeof value === 'string' && new RegExp(`^${parts.join('.*')}$`, 'is').test(value)
}

function valuesOf(entry: AuditLogRow, key: Condition['key']): readonly unknown[] {
  const { name, username, procedure } = entry.data as Readonly<Record<string, unknown>>
  const hosts = entry.hosts.length > 0 ? [host] : []
  const values: Readonly<Record<Condition['key'], readonly unknown[]>> = {
    text: [entry.who, entry.action, name ?? username, procedure, ...hosts],
    who: [entry.who],
    action: [entry.action, procedure],
    outcome: [entry.refused ? 'refused' : 'done'],
    instance: [],
    host: hosts,
    role: [entry.origin?.role],
    from: [entry.origin?.address],
    reason: [entry.reason],
    request: [entry.request],
  }
  return values[key]
}

function passes(entry: AuditLogRow, { key, any, not }: Condition): boolean {
  const isOne = any.some((pattern) => {
    if (key !== 'text') return valuesOf(entry, key).some((value) => fits(value, pattern))
    const starts = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i.test(pattern) ? [entry.request, entry.instance, entry.migration] : []
    const inside = pattern.includes('*') ? pattern : `*${pattern}*`
    return (
      valuesOf(entry, key).some((value) => fits(value, inside)) ||
      starts.some((id) => id?.toLowerCase().startsWith(pattern.toLowerCase()))
    )
  })
  return isOne !== Boolean(not)
}

const KEYS: readonly Condition['key'][] = [
  'text',
  'who',
  'action',
  'outcome',
  'host',
  'role',
  'from',
  'reason',
  'request',
]
const known = [
  ...PEOPLE,
  ...ACTIONS,
  ...NAMES,
  ...ADDRESSES,
  ...REASONS,
  ...REQUESTS,
  'refused',
  'admin',
  'abcdef01',
  '',
]
const pattern = fc.oneof(
  fc.constantFrom(...known.filter((each) => each !== null)),
  fc
    .constantFrom(...known.filter((each) => each !== null))
    .chain((text) => fc.nat(text.length).map((at) => `${text.slice(0, at)}*`)),
  fc.string({ maxLength: 4 }).filter((text) => !text.includes('\0')),
)
const condition: fc.Arbitrary<Condition> = fc.record({
  key: fc.constantFrom(...KEYS),
  any: fc.array(pattern, { minLength: 1, maxLength: 3 }),
  not: fc.boolean(),
})

it('the audit log returns the same entries and count as a full scan, on any page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(condition, { maxLength: 3 }),
      fc.constantFrom(5, 1_000),
      fc.constantFrom(0, 3, 390, 5_000),
      fc.boolean(),
      async (where, limit, offset, oldestFirst) => {
        const all = entries.filter((entry) => where.every((each) => passes(entry, each))).map(({ id }) => id)
        const expected = oldestFirst ? all.toReversed() : all
        const { rows, total } = await listAuditLog(database, { ...ALL, where, limit, offset, oldestFirst })
        expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit))
        expect(total).toBe(all.length)
      },
    ),
    { numRuns: 300 },
  )
})

it('the audit log finds entries of a deleted instance by the prefix of its id', async () => {
  const where = [{ key: 'text', any: ['abcdef01-0000-4000-8000-000000000002'] }] as const
  const { rows } = await listAuditLog(database, { ...ALL, where, limit: 1_000 })
  expect(rows.length).toBe(entries.filter(({ instance }) => instance === INSTANCES[2]).length)
  expect(rows.length).toBeGreaterThan(100)
})

afterEach(() => void vi.unstubAllEnvs())

it.each([
  ['2026-11-25', '2026-11-25T00:00:00.000Z'],
  ['2026-11-25T14:30', '2026-11-25T14:30:00.000Z'],
  ['2026-11-25T14:30:15', '2026-11-25T14:30:15.000Z'],
  ['2026-11-25T14:30:15.250Z', '2026-11-25T14:30:15.250Z'],
  ['2026-11-25T14:30+05:30', '2026-11-25T09:00:00.000Z'],
  // What the engine would read in the zone of the server, or guess.
  ['2026-11-25 14:30', null],
  ['2026-11-5', null],
  ['11/25/2026', null],
  ['5', null],
  ['2026-02-30', null],
  ['2026-11-25T25:00', null],
  ['yesterday', null],
])('the time %s is %s in every zone', (text, expected) => {
  for (const zone of ['UTC', 'America/New_York']) {
    vi.stubEnv('TZ', zone)
    const at = timeFrom(text)
    expect(at === null ? null : new Date(at).toISOString()).toBe(expected)
  }
})

// Last, because the others search all entries.
it('the log of more entries than are counted is read to its end, page by page', async () => {
  await database.pool.query(`insert into audit_entry (at, who, action, hosts, data)
    select to_timestamp(0), 'ada', 'host.status', '{}', '{}' from generate_series(1, 100005)`)
  const page = (offset: number) => listAuditLog(database, { ...ALL, where: [], offset, limit: 5 })
  const { rows, total } = await page(99_995)
  expect(rows).toHaveLength(5)
  expect(total).toBeGreaterThan(100_000)
  const all = 100_005 + entries.length
  expect(await page(all - 5)).toMatchObject({ rows: { length: 5 }, total: all })
  expect(await page(all - 2)).toMatchObject({ rows: { length: 2 }, total: all })
})
