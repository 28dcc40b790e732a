import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { RigHost } from './rig-host'

// A storage pool on a rig host, in its own folder, with the image of a guest's disk and a foreign volume. The disk of a
// running guest is read and written through QEMU, as by the guest itself.

export const POOL = 'berth'
export const IMAGE = 'tiny.qcow2'
const STRANGER = 'not-berths.qcow2'

/** Bytes that the image, the guest and the stranger's volume are filled with. */
const [OF_IMAGE, OF_GUEST, OF_STRANGER] = [0xa5, 0x5a, 0x77]

const folderOf = ({ folder }: RigHost) => path.join(folder, 'pool')

export async function makePool(host: RigHost): Promise<void> {
  const folder = folderOf(host)
  fs.mkdirSync(folder, { mode: 0o700 })
  for (const [name, byte] of [
    [IMAGE, OF_IMAGE],
    [STRANGER, OF_STRANGER],
  ] as const) {
    const file = path.join(folder, name)
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', file, '4M'])
    execFileSync('qemu-io', ['-f', 'qcow2', '-c', `write -P ${byte} 0 4M`, file])
  }
  await host.virsh('pool-define-as', POOL, 'dir', '--target', folder)
  await host.virsh('pool-start', POOL)
  await host.virsh('pool-autostart', POOL)
}

/** The volumes beside the image and the stranger's, as the folder has them. */
export const volumesAt = (host: RigHost): readonly string[] =>
  fs
    .readdirSync(folderOf(host))
    .filter((name) => name !== IMAGE && name !== STRANGER)
    .sort()

/** Bytes that they take on the machine's own disk. */
export const allocatedAt = (host: RigHost): number =>
  volumesAt(host).reduce((sum, name) => sum + fs.statSync(path.join(folderOf(host), name)).blocks * 512, 0)

/** Changes with any operation on the foreign volume, also when it was only rewritten. */
export function strangerVolume(host: RigHost): string {
  const file = path.join(folderOf(host), STRANGER)
  if (!fs.existsSync(folderOf(host))) return 'no pool'
  const { ino, size, mtimeMs } = fs.statSync(file)
  return `${ino} ${size} ${mtimeMs}`
}

/** As a guest that saves something, by QEMU's own hand. */
export async function writeToDisk(host: RigHost, uuid: string): Promise<void> {
  const blocks = await host.virsh('qemu-monitor-command', uuid, JSON.stringify({ execute: 'query-block' }))
  const [, device = ''] = /"qdev":\s*"([^"]*virtio-disk0[^"]*)"/.exec(blocks) ?? []
  for (const command of [`write -P ${OF_GUEST} 64k 64k`, 'flush'])
    await host.virsh('qemu-monitor-command', uuid, '--hmp', `qemu-io -d ${device} "${command}"`)
}

/** What lies where the guest may have written, on the volume that its definition names. */
export async function diskSays(host: RigHost, uuid: string): Promise<'guest' | 'image' | 'something else'> {
  const [, volume = ''] = /<source pool='berth' volume='([^']+)'/.exec(await host.virsh('dumpxml', uuid)) ?? []
  const file = path.join(folderOf(host), volume)
  const holds = (byte: number) => {
    const words = ['-U', '-r', '-f', 'qcow2', '-c', `read -P ${byte} 64k 64k`, file] // shared with the QEMU that runs
    const { stdout } = spawnSync('qemu-io', words, { encoding: 'utf8' })
    return stdout.includes('read 65536/65536') && !stdout.includes('verification failed')
  }
  if (holds(OF_GUEST)) return 'guest'
  return holds(OF_IMAGE) ? 'image' : 'something else'
}
