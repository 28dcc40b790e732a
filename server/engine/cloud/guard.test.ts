import { expect, test } from 'vitest'
import { failedGuards } from './guard'
import { migrationGuard, serverGuard } from './repair'
import type { CloudSnapshot } from './snapshot'
import { addHost, addServer, capture, FLAVORS, hostNamed, newCloud } from './testing/nova-cloud'
import { resize, runAll } from './testing/nova-operations'

/** A resized instance with its migration, and the cloud an hour later. */
function resized() {
  const cloud = newCloud({ hosts: 2, shared: false, witness: false })
  const [host] = cloud.hosts.values()
  const server = addServer(cloud, host ?? addHost(cloud), FLAVORS[0])
  runAll(resize(cloud, server, { target: hostNamed(cloud, [...cloud.hosts.keys()][1] ?? null), flavor: FLAVORS[1] }))
  cloud.now += 3_600_000
  return { cloud, server, migration: cloud.migrations.at(-1)! }
}

/** As a mirror dates the rows that were written while the clock was ahead. */
function datedAt(now: number, read: CloudSnapshot): CloudSnapshot {
  const dated = <T extends { readonly updatedAt: number | null; readonly createdAt: number }>(row: T): T => ({
    ...row,
    ...(row.updatedAt !== null && { updatedAt: now, writtenAs: row.updatedAt }),
  })
  const { servers, migrations } = read
  return {
    ...read,
    ...(servers.isRead && { servers: { ...servers, value: servers.value.map(dated) } }),
    ...(migrations.isRead && { migrations: { ...migrations, value: migrations.value.map(dated) } }),
  }
}

test('a record that was written while the clock was ahead is unchanged until it is written again', () => {
  const { cloud, server, migration } = resized()
  const [now, ahead] = [cloud.now, cloud.now + 3_600_000]
  Object.assign(server, { updatedAt: ahead })
  Object.assign(migration, { updatedAt: ahead })
  const { servers, migrations } = datedAt(now, capture(cloud))
  if (!servers.isRead || !migrations.isRead) throw new Error('not read')
  const guards = [
    ...servers.value.map((row) => serverGuard(row)),
    ...migrations.value.map((row) => migrationGuard(row)),
  ]
  cloud.now += 10_000
  const failed = () => failedGuards(capture(cloud), guards, now)
  expect(failed()).toEqual([])
  Object.assign(server, { updatedAt: cloud.now })
  expect(failed()).toEqual(['the instance was written since'])
  Object.assign(migration, { updatedAt: cloud.now })
  expect(failed()).toEqual(['the instance was written since', 'the migration was written since'])
})
