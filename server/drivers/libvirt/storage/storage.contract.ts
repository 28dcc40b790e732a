import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { HypervisorConnection } from '../connection'
import { volumeXmlOf } from './volume'

// Requirements on every HypervisorConnection in a real storage pool. `virsh` verifies them independently.

export interface StorageFixture {
  connect(readOnly?: boolean): Promise<HypervisorConnection>
  virsh(...words: string[]): Promise<string>
  /** A pool that is active. */
  readonly pool: string
  /** A foreign volume of 4 MiB in it. */
  readonly image: string
}

const MIB = 1024 ** 2

export function storageContract(name: string, fixture: () => StorageFixture): void {
  describe(`the contract of storage: ${name}`, () => {
    let connection: HypervisorConnection
    beforeAll(async () => {
      connection = await fixture().connect()
    })
    afterAll(() => connection.close())
    const made: string[] = []
    afterEach(async () => {
      for (const volume of made.splice(0))
        await fixture()
          .virsh('vol-delete', '--pool', fixture().pool, '--vol', volume)
          .catch(() => {}) // it was deleted by the test
    })
    const newName = () => {
      const volume = `made-${randomUUID()}`
      made.push(volume)
      return volume
    }

    test('a pool reports its capacity and free space, and an unknown pool is null', async () => {
      const { virsh, pool } = fixture()
      const output = await virsh('pool-info', '--bytes', '--pool', pool)
      const [, capacity] = /^Capacity: +(\d+)$/m.exec(output) ?? []
      const reported = await connection.pool(pool)
      expect(reported?.capacityBytes).toBe(Number(capacity))
      expect(reported?.availableBytes).toBeGreaterThan(0)
      expect(reported?.availableBytes).toBeLessThan(Number(capacity))
      expect(await connection.pool('no-such-pool')).toBeNull()
    })

    test('a volume with a backing volume is created and deleted, and the backing volume stays', async () => {
      const { virsh, pool, image } = fixture()
      await connection.refreshPool(pool)
      const before = await connection.volumes(pool)
      expect(before).toContain(image)
      const [, path = ''] = /<path>(.+?)<\/path>/.exec((await connection.volumeXml(pool, image)) ?? '') ?? []
      const volume = newName()
      const backing = { path, format: 'qcow2' }
      await connection.createVolume(pool, volumeXmlOf({ name: volume, capacityBytes: 64 * MIB, backing }))
      const shown = await virsh('vol-dumpxml', '--pool', pool, '--vol', volume)
      expect(shown).toContain(`<capacity unit='bytes'>${64 * MIB}</capacity>`)
      expect(shown).toMatch(new RegExp(`<backingStore>\\s*<path>${path}</path>\\s*<format type='qcow2'/>`))
      expect((await connection.volumeXml(pool, volume))?.trim()).toBe(shown.trim())
      expect(await connection.volumes(pool)).toEqual([...before, volume].sort())
      await connection.deleteVolume(pool, volume)
      expect(await connection.volumeXml(pool, volume)).toBeNull()
      expect(await connection.volumes(pool)).toEqual(before)
    })

    test('invalid operations are refused, and a read-only connection changes nothing', async () => {
      const { pool, image } = fixture()
      const refused = { kind: 'refused' }
      const volume = newName()
      const xml = volumeXmlOf({ name: volume, capacityBytes: MIB, backing: null })
      await expect(connection.deleteVolume(pool, volume)).rejects.toMatchObject(refused)
      await expect(connection.createVolume('no-such-pool', xml)).rejects.toMatchObject(refused)
      const reader = await fixture().connect(true)
      expect(await reader.pool(pool)).not.toBeNull()
      await expect(reader.createVolume(pool, xml)).rejects.toMatchObject(refused)
      await expect(reader.deleteVolume(pool, image)).rejects.toMatchObject(refused)
      await reader.close()
      await connection.createVolume(pool, xml)
      await expect(connection.createVolume(pool, xml)).rejects.toMatchObject(refused)
    })
  })
}
