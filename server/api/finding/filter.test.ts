import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// Findings by conditions. Only open ones are listed, unless a condition says otherwise.

const api = onFreshDatabase(openTestApi)
beforeAll(async () => {
  const { id } = await putHost(api.database, smallHost({ n: 1, frame: { name: 'h-01' } }))
  const rows = [
    ['orphan-claim', 'warning', id, null],
    ['unit-held-twice', 'critical', id, 'cpu:6'],
    ['stray-allocation', 'warning', null, null],
  ] as const
  for (const [at, [kind, severity, host, unit]] of rows.entries()) {
    await api.database.pool.query(
      `insert into finding (id, fingerprint, kind, severity, confidence, host_id, unit, body, first_seen_at, last_seen_at, closed_at)
       values ($1, $2, $3, $4, 'sure', $5, $6, '{"of": {}, "stamp": ""}', now(), now(), case when $7 then now() end)`,
      [randomUUID(), `test ${at}`, kind, severity, host, unit, kind === 'stray-allocation'],
    )
  }
})

test.each<[title: string, where: object[], total: number]>([
  ['their default state, which is open', [], 2],
  ['a kind with a wildcard', [{ key: 'kind', any: ['*held*'] }], 1],
  ['the state closed', [{ key: 'state', any: ['closed'] }], 1],
  ['one of two states', [{ key: 'state', any: ['open', 'closed'] }], 3],
  [
    'a host and a negated severity',
    [
      { key: 'host', any: ['h-*'] },
      { key: 'severity', any: ['warning'], not: true },
    ],
    1,
  ],
  ['a unit', [{ key: 'where', any: ['CPU:6'] }], 1],
  ['an existing migration', [{ key: 'migration', any: ['yes'] }], 0],
  ['free text in the name of the host', [{ key: 'text', any: ['h-0'] }], 2],
])('findings are filtered by %s', async (_, where, total) => {
  const input: object = { where, limit: 0 }
  expect((await api.as('viewer').finding.list(input)).total).toBe(total)
})
