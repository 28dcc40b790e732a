import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { addCloud } from '../store/cloud/cloud'
import { writeParts } from '../store/cloud/part'
import { connectDatabase } from '../store/database/database'
import { readStatuses } from './cloud-cache'
import { STATUS, statusText } from './parts'
import type { CloudStatus } from './status'

const database = onFreshDatabase(connectDatabase)
const attribution = { actor: { who: 'olga', request: null, reason: null }, at: Date.UTC(2026, 10, 25, 12) }

test('the statuses of any number of clouds are one query', async () => {
  const ids = Array.from({ length: 5 }, () => randomUUID())
  for (const [n, id] of ids.entries()) {
    await addCloud(database, { id, name: `cloud-${n}`, settings: {}, secret: Buffer.from('s') }, attribution)
    const status: CloudStatus = {
      ...{ at: n, reachedAt: null, error: null, fix: null, requestsPerS: 0, pollMs: 0, auditMs: 0, counts: null },
      notifications: null,
    }
    const parts = n === 4 ? new Map([['meta', '{}']]) : new Map([[STATUS, statusText(status)]])
    await writeParts(database, { cloud: id, parts, isNews: false, ...attribution })
  }
  const query = vi.spyOn(database.pool, 'query')
  const statuses = await readStatuses(database, ids)
  expect([...statuses].map(([id, { at }]) => [id, at]).sort()).toEqual(
    ids
      .slice(0, 4)
      .map((id, n) => [id, n])
      .sort(),
  )
  expect(query).toHaveBeenCalledTimes(1)
  expect(await readStatuses(database, [])).toEqual(new Map())
})
