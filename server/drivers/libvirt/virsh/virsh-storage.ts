import type { HypervisorAddress } from '../address'
import type { StorageControl } from '../storage/control'
import { runVirsh, unlessGone } from './command'
import { linesOf, readPool, readVolumeNames } from './output'
import { withFiles } from './virsh-control'

/** Pools and volumes, a process per question. */
export function virshStorage(address: HypervisorAddress, limitMs: number): StorageControl {
  const run = (...words: string[]) => runVirsh(address, words, { limitMs })
  const active = async () => linesOf(await run('pool-list', '--name')).map((line) => line.trim())
  const names = async (pool: string) => readVolumeNames(await run('vol-list', '--pool', pool))
  return {
    pool: (name) => unlessGone(active, name, async () => readPool(await run('pool-info', '--bytes', '--pool', name))),
    async refreshPool(name) {
      await run('pool-refresh', '--pool', name)
    },
    volumes: names,
    volumeXml: (pool, name) =>
      unlessGone(
        () => names(pool),
        name,
        () => run('vol-dumpxml', '--pool', pool, '--vol', name),
      ),
    createVolume: (pool, xml) =>
      withFiles({ xml }, async ({ xml: file }) => {
        await run('vol-create', '--pool', pool, '--file', file)
      }),
    async deleteVolume(pool, name) {
      await run('vol-delete', '--pool', pool, '--vol', name)
    },
  }
}
