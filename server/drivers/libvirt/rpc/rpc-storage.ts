import { nullIfMissing } from '../errors'
import type { StorageControl } from '../storage/control'
import type { RpcChannel } from './channel'
import { PROCEDURES, type RemotePool, type RemoteVolume } from './protocol'

const ACTIVE: ReadonlySet<number> = new Set([2, 3]) // libvirt-storage.h, virStoragePoolState: running and degraded

/** Pools and volumes, over one channel. */
export function rpcStorage({ call }: RpcChannel): StorageControl {
  const lookup = async (name: string): Promise<RemotePool> =>
    (await call(PROCEDURES.storagePoolLookupByName, { name })).pool
  const volume = async (pool: string, name: string): Promise<RemoteVolume> =>
    (await call(PROCEDURES.storageVolLookupByName, { pool: await lookup(pool), name })).vol
  return {
    pool: nullIfMissing(async (name: string) => {
      const info = await call(PROCEDURES.storagePoolGetInfo, { pool: await lookup(name) })
      if (!ACTIVE.has(info.state)) return null
      return { capacityBytes: Number(info.capacity), availableBytes: Number(info.available) }
    }),
    async refreshPool(name) {
      await call(PROCEDURES.storagePoolRefresh, { pool: await lookup(name), flags: 0 })
    },
    async volumes(name) {
      const args = { pool: await lookup(name), needResults: 1, flags: 0 }
      const { vols } = await call(PROCEDURES.storagePoolListAllVolumes, args)
      return vols.map((each) => each.name).sort()
    },
    volumeXml: (pool, name) =>
      nullIfMissing(async () => {
        const { xml } = await call(PROCEDURES.storageVolGetXmlDesc, { vol: await volume(pool, name), flags: 0 })
        return xml
      })(undefined),
    async createVolume(pool, xml) {
      await call(PROCEDURES.storageVolCreateXml, { pool: await lookup(pool), xml, flags: 0 })
    },
    async deleteVolume(pool, name) {
      await call(PROCEDURES.storageVolDelete, { vol: await volume(pool, name), flags: 0 })
    },
  }
}
