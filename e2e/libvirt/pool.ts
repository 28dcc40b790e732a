import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { RigHost } from './rig-host'

// A storage pool on a rig host, in its own folder, with an image for root disks and a foreign volume. Writes to the
// disk of a running domain go through QEMU, as those of the guest do.

export const POOL = 'berth'
export const IMAGE = 'tiny.qcow2'
const FOREIGN_DISK = 'not-berths.qcow2'

/** Fill bytes of the image, of the guest's data and of the foreign volume. */
const [OF_IMAGE, OF_GUEST, OF_FOREIGN] = [0xa5, 0x5a, 0x77]

const folderOf = ({ folder }: RigHost) => path.join(folder, 'pool')

export async function makePool(host: RigHost): Promise<void> {
  const folder = folderOf(host)
  fs.mkdirSync(folder, { mode: 0o700 })
  for (const [name, byte] of [
    [IMAGE, OF_IMAGE],
    [FOREIGN_DISK, OF_FOREIGN],
  ] as const) {
    const file = path.join(folder, name)
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', file, '4M'])
    execFileSync('qemu-io', ['-f', 'qcow2', '-c', `write -P ${byte} 0 4M`, file])
  }
  await host.virsh('pool-define-as', POOL, 'dir', '--target', folder)
  await host.virsh('pool-start', POOL)
  await host.virsh('pool-autostart', POOL)
}

/** Volumes in the folder, except the image and the foreign volume. */
export const volumesAt = (host: RigHost): readonly string[] =>
  fs
    .readdirSync(folderOf(host))
    .filter((name) => name !== IMAGE && name !== FOREIGN_DISK)
    .sort()

/** Bytes that these volumes take on the disk of this machine. */
export const allocatedAt = (host: RigHost): number =>
  volumesAt(host).reduce((sum, name) => sum + fs.statSync(path.join(folderOf(host), name)).blocks * 512, 0)

/** Changes with any operation on the foreign volume, even a rewrite of the same data. */
export function foreignVolumeState(host: RigHost): string {
  const file = path.join(folderOf(host), FOREIGN_DISK)
  if (!fs.existsSync(folderOf(host))) return 'no pool'
  const { ino, size, mtimeMs } = fs.statSync(file)
  return `${ino} ${size} ${mtimeMs}`
}

/** Writes through QEMU, as a guest does. */
export async function writeToDisk(host: RigHost, uuid: string): Promise<void> {
  const blocks = await host.virsh('qemu-monitor-command', uuid, JSON.stringify({ execute: 'query-block' }))
  const [, device = ''] = /"qdev":\s*"([^"]*virtio-disk0[^"]*)"/.exec(blocks) ?? []
  for (const command of [`write -P ${OF_GUEST} 64k 64k`, 'flush'])
    await host.virsh('qemu-monitor-command', uuid, '--hmp', `qemu-io -d ${device} "${command}"`)
}

/** Whose data is at the offset that `writeToDisk` uses, on the volume in the definition. */
export async function diskSays(host: RigHost, uuid: string): Promise<'guest' | 'image' | 'something else'> {
  const [, volume = ''] = /<source pool='berth' volume='([^']+)'/.exec(await host.virsh('dumpxml', uuid)) ?? []
  const file = path.join(folderOf(host), volume)
  const holds = (byte: number) => {
    const words = ['-U', '-r', '-f', 'qcow2', '-c', `read -P ${byte} 64k 64k`, file] // -U: QEMU has the file open
    const { stdout } = spawnSync('qemu-io', words, { encoding: 'utf8' })
    return stdout.includes('read 65536/65536') && !stdout.includes('verification failed')
  }
  if (holds(OF_GUEST)) return 'guest'
  return holds(OF_IMAGE) ? 'image' : 'something else'
}
