import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { flavor } from '../../engine/testing/instances'
import { DISK_GB } from '../../engine/words/units'
import { readHost } from '../../store/host/read'
import { build, present, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// Hosts that join and leave shared storage, on real PostgreSQL.

const api = onFreshDatabase(openTestApi)

const reason = 'new storage'
const admin = () => api.as('admin').storage
const diskOf = async (n: number) => {
  const host = await readHost(api.database, hostId(n))
  return host?.providers.flatMap((each) =>
    each.inventories.flatMap(({ resourceClass, total, used }) =>
      resourceClass === DISK_GB ? [[each.sharing, total, used]] : [],
    ),
  )
}

test('a host joins, its instances take their disks from the storage, and it leaves once it is empty', async () => {
  await putHost(api.database, smallHost({ n: 1, shared: 2, diskGib: 100 }))
  const { id: storage } = await admin().create({ name: 'ceph', totalGib: 500, reason })
  const ask = { host: hostId(1) as string, storage, reason }
  const before = (await present(api.database, hostId(1))).providers[0]?.generation ?? 0
  await admin().join(ask)
  expect(await diskOf(1)).toEqual([[true, 500, 0]])
  expect((await present(api.database, hostId(1))).providers[0]?.generation).toBe(before + 1)
  await expect(admin().join(ask)).rejects.toThrow(/already/)
  const instance = await build(api.database, hostId(1), { flavor: flavor(1, {}, { diskGib: 7 }) })
  expect(await diskOf(1)).toEqual([[true, 500, 7]])
  expect((await api.as('viewer').storage.list()).storages).toEqual([
    { id: storage, name: 'ceph', totalGib: 500, usedGib: 7, hosts: [hostId(1)] },
  ])
  await expect(admin().leave({ ...ask, diskGib: 80 })).rejects.toThrow(/1 disk is on the shared storage/)
  await api.database.pool.query('delete from claim where instance_id = $1', [instance])
  await api.database.pool.query('delete from allocation where consumer_id = $1', [instance])
  await admin().leave({ ...ask, diskGib: 80 })
  expect(await diskOf(1)).toEqual([[false, 80, 0]])
  const { rows } = await api.database.pool.query('select action, who from audit_entry where reason = $1 order by id', [
    reason,
  ])
  expect(rows.map(({ action }) => action)).toEqual([
    'provider.storage-created',
    'host.storage-joined',
    'host.storage-left',
  ])
})

test('a host with local disks in use cannot join, and only an admin may join one', async () => {
  await putHost(api.database, smallHost({ n: 2, shared: 2, diskGib: 100 }))
  const { id: storage } = await admin().create({ name: 'nfs', totalGib: 500, reason })
  await build(api.database, hostId(2), { flavor: flavor(1, {}, { diskGib: 7 }), name: 'web-2' })
  const ask = { host: hostId(2) as string, storage, reason }
  await expect(admin().join(ask)).rejects.toThrow(/1 disk is on the host’s own disk/)
  expect(await diskOf(2)).toEqual([[false, 100, 7]])
  await expect(api.as('operator').storage.join(ask)).rejects.toThrow(/needs/)
  await expect(admin().create({ name: 'nfs', totalGib: 1, reason })).rejects.toThrow(/free name/)
})

test('a refused join creates no storage, and the same join succeeds later', async () => {
  await putHost(api.database, smallHost({ n: 7, shared: 2, diskGib: 100 }))
  const ask = { host: hostId(7) as string, name: 'filer', totalGib: 500, reason }
  const known = async () => (await admin().list()).storages.filter(({ name }) => name === 'filer')
  const instance = await build(api.database, hostId(7), { flavor: flavor(1, {}, { diskGib: 7 }) })
  await expect(admin().joinNew(ask)).rejects.toThrow(/1 disk is on the host/)
  expect(await known()).toEqual([])
  await api.database.pool.query('delete from claim where instance_id = $1', [instance])
  await api.database.pool.query('delete from allocation where consumer_id = $1', [instance])
  await admin().joinNew(ask)
  expect(await known()).toMatchObject([{ totalGib: 500, hosts: [hostId(7)] }])
  await expect(admin().joinNew({ ...ask, host: hostId(1) })).rejects.toThrow(/a free name/)
})
