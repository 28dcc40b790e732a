import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { RigHost } from './rig-host'

// A storage pool on a rig host, in a folder of its own, with the image of a guest's disk and a volume that is nobody's
// business. What lies on a disk of a running guest is read and written through QEMU, as the guest itself would.

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

/** Changes when anything was done to the stranger's volume, also when it was only written anew. */
export function strangerVolume(host: RigHost): string {
  const file = path.join(folderOf(host), STRANGER)
  if (!fs.existsSync(folderOf(host))) return 'no pool'
  const { ino, size, mtimeMs } = fs.statSync(file)
  return `${ino} ${size} ${mtimeMs}`
}

async function qemuIo(host: RigHost, uuid: string, command: string): Promise<string> {
  const blocks = await host.virsh('qemu-monitor-command', uuid, JSON.stringify({ execute: 'query-block' }))
  const [, device = ''] = /"qdev":\s*"([^"]*virtio-disk0[^"]*)"/.exec(blocks) ?? []
  return host.virsh('qemu-monitor-command', uuid, '--hmp', `qemu-io -d ${device} "${command}"`)
}

/** As a guest that saves something. */
export async function writeToDisk(host: RigHost, uuid: string): Promise<void> {
  await qemuIo(host, uuid, `write -P ${OF_GUEST} 64k 64k`)
}

/** What lies where the guest may have written. */
export async function diskSays(host: RigHost, uuid: string): Promise<'guest' | 'image' | 'something else'> {
  const holds = async (byte: number) =>
    /read 65536\/65536/.test(await qemuIo(host, uuid, `read -P ${byte} 64k 64k`)) &&
    !/verification failed/.test(await qemuIo(host, uuid, `read -P ${byte} 64k 64k`))
  if (await holds(OF_GUEST)) return 'guest'
  return (await holds(OF_IMAGE)) ? 'image' : 'something else'
}
