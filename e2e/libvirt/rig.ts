import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makePki } from './pki'
import { bootHost, type RigHost } from './rig-host'
import type { RigTopology } from './sysfs'

// Independent libvirt hosts on one machine, without root.

export interface Rig {
  readonly hosts: readonly RigHost[]
  /** At the same path on every host. */
  readonly folder: string
  /** Certificates that the authority signed but no daemon accepts. */
  readonly unauthorizedPkiPath: string
  down(): Promise<void>
}

export async function startRig(topologies: readonly RigTopology[]): Promise<Rig> {
  // A socket path has at most 107 bytes, so keep the folder name short.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rig-'))
  const ips = topologies.map((_, at) => addressOf(at + 1))
  const { trusted, unauthorized } = makePki(path.join(folder, 'pki'), ips)
  const foldPath = path.join(folder, 'fold.so')
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', foldPath, path.join(import.meta.dirname, 'fold.c')])
  const booted = await Promise.allSettled(
    topologies.map((topology, at) =>
      bootHost({
        name: `hv${at + 1}`,
        ip: addressOf(at + 1),
        folder: path.join(folder, `hv${at + 1}`),
        topology,
        ...{ pkiPath: trusted, foldPath },
      }),
    ),
  )
  const hosts = booted.flatMap((host) => (host.status === 'fulfilled' ? [host.value] : []))
  const down = async () => {
    await Promise.all(hosts.map((host) => host.down()))
    fs.rmSync(folder, { recursive: true, force: true })
  }
  const failed = booted.find((host) => host.status === 'rejected')
  if (!failed) return { hosts, folder, unauthorizedPkiPath: unauthorized, down }
  await down()
  throw failed.reason
}

/** A loopback address that rigs of other processes do not use. */
const addressOf = (nth: number) => `127.${100 + (Math.floor(process.pid / 256) % 100)}.${process.pid % 256}.${nth}`

/** Two nodes of four cores with two threads and huge pages, a memory-only node, and assorted devices. */
export const TWO_NODES: RigTopology = {
  nodes: [
    { id: 0, cores: 4, threads: 2, memoryMib: 16_384, pages: { 2048: 512, 1048576: 2 } },
    { id: 2, cores: 4, threads: 2, memoryMib: 16_384, pages: { 2048: 256 } },
    { id: 5, cores: 0, threads: 1, memoryMib: 8_192, pages: {} },
  ],
  offlineCpus: [15],
  devices: [
    {
      ...{ address: '0000:5e:00.0', vendor: '8086', device: '1572', deviceClass: '020000' },
      ...{ node: 0, driver: 'i40e', group: 30, functions: { enabled: 4, most: 64, device: '154c' } },
    },
    {
      ...{ address: '0000:3b:00.0', vendor: '10de', device: '20f1', deviceClass: '030200' },
      ...{ node: 2, driver: 'nvidia', group: 20, mdevTypes: { 'nvidia-556': 4 } },
    },
    {
      ...{ address: '0000:d8:00.0', vendor: '10de', device: '20f1', deviceClass: '030200' },
      ...{ node: null, driver: 'vfio-pci', group: 80 },
    },
  ],
}
