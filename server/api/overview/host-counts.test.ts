import { beforeAll, expect, test } from 'vitest'
import type { HostQuickFilter } from '@/lists/host'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { HostStatus } from '../../engine/host'
import { smallHost } from '../../engine/testing/hosts'
import { build, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'
import type { AttentionKind } from './attention'

// "3 down" on the hosts page and "2 hosts down" on the overview would be two meanings of one word.

const SAME: Partial<Record<AttentionKind, HostQuickFilter>> = {
  'host-down': 'down',
  'to-evacuate': 'toEvacuate',
  'host-silent': 'silent',
  'host-never-answered': 'neverAnswered',
  quarantined: 'quarantined',
}

/** With and without instances. */
const HOSTS: readonly (readonly [HostStatus, instances: boolean])[] = [
  ...(['down', 'fenced', 'lost', 'up'] as const).flatMap((status) => [
    [status, true] as const,
    [status, false] as const,
  ]),
]

const api = onFreshDatabase(openTestApi)
beforeAll(async () => {
  for (const [at, [status, instances]] of HOSTS.entries()) {
    const host = smallHost({ n: at + 1 })
    await putHost(api.database, host)
    if (instances) await build(api.database, host.id)
    await api.database.pool.query('update host set status = $1 where id = $2', [status, host.id])
  }
  await api.settle()
})

test('the overview and the list of hosts count the same hosts', async () => {
  const viewer = api.as('viewer')
  const { attention } = await viewer.overview.get()
  const counts = await viewer.host.counts()
  const counted = Object.entries(SAME).map(([kind, quick]) => {
    const items = attention.filter((item) => item.kind === kind)
    return [quick, items.reduce((sum, { host, count }) => sum + (host === null ? count : 1), 0)]
  })
  expect(counts).toMatchObject(Object.fromEntries(counted))
  expect(counts).toMatchObject({ down: 2, toEvacuate: 2 })
})
