import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { smallHost } from '../engine/testing/hosts'
import { DISK_GB } from '../engine/words/units'
import { connectDatabase } from '../store/database/database'
import { readHosts } from '../store/host/read'
import { putHosts } from '../store/host/write'
import { specOf } from '../store/testing/records'
import { parseArguments } from './arguments'
import { onStorage, parseStorage } from './shared-storage'

const database = onFreshDatabase(connectDatabase)

test('hosts of several imports share a named storage and offer no local disk', async () => {
  const storage = parseStorage('ceph:5000')
  if (storage === null) throw new Error('NAME:GIB must be read')
  const by = { actor: { who: 'import', request: null, reason: null }, at: 0 }
  for (const n of [1, 2]) await putHosts(database, [onStorage(specOf(smallHost({ n, diskGib: 100 })), storage)], by)
  const disks = (await readHosts(database)).map(({ providers }) =>
    providers.flatMap(({ name, sharing, inventories }) =>
      inventories.flatMap(({ resourceClass, total }) => (resourceClass === DISK_GB ? [[name, sharing, total]] : [])),
    ),
  )
  expect(disks).toEqual([[['ceph', true, 5000]], [['ceph', true, 5000]]])
})

test.each(['ceph', 'ceph:0', 'ceph:1.5', ':5', 'a b:5', 'ceph:5:6'])(
  '%s is invalid storage, and the import says so',
  (text) => {
    expect(parseStorage(text)).toBeNull()
    const result = parseArguments(['fleet', '--nodes', 'n.csv', '--shared-storage', text])
    expect(result).toMatchObject({ ok: false, why: expect.stringContaining('--shared-storage') })
  },
)
