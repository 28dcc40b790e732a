import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId } from '../../engine/testing/hosts'
import { connectDatabase } from '../database/database'
import { countFindings } from './count'

const database = onFreshDatabase(connectDatabase)

const put = (n: number | null, severity: string, closed = false) =>
  database.pool.query(
    `insert into finding (id, fingerprint, kind, severity, confidence, host_id, body, first_seen_at, last_seen_at, closed_at)
      values ($1, $2, 'orphan-claim', $3, 'sure', $4, '{"stamp":"","of":{}}', now(), now(), case when $5 then now() end)`,
    [randomUUID(), randomUUID(), severity, n === null ? null : hostId(n), closed],
  )

test('open findings are counted by host, with the worst severity', async () => {
  for (const severity of ['info', 'critical', 'warning']) await put(1, severity)
  for (const severity of ['info', 'warning']) await put(2, severity)
  await put(2, 'critical', true)
  await put(3, 'info')
  await put(null, 'critical')
  expect(await countFindings(database)).toEqual(
    new Map([
      [hostId(1), { count: 3, worst: 'critical' }],
      [hostId(2), { count: 2, worst: 'warning' }],
      [hostId(3), { count: 1, worst: 'info' }],
    ]),
  )
})
