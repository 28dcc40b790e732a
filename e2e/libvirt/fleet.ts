import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { LIBVIRT_PORT, settingsFor } from '../address'
import { OwnServer } from '../server'
import { ForeignDomains } from './foreign-domains'
import { domainXml, writeKernel } from './guest'
import { IMAGE, makePool, POOL } from './pool'
import { type RigPower, startPower } from './power'
import { type Rig, startRig } from './rig'
import type { RigHost } from './rig-host'
import type { RigTopology } from './sysfs'

// A Berth with the hosts of the rig, imported by the command in docs/first-host.md. Each host also has a running domain
// that Berth did not create.

const run = promisify(execFile)

export interface RealFleet {
  readonly rig: Rig
  readonly power: RigPower
  readonly server: OwnServer
  readonly foreignDomains: ForeignDomains
  logOf(image: string): string
  end(): Promise<void>
}

/** Two nodes with four CPUs. The larger node alternates, so that pinned CPUs differ between hosts. */
const topologyOf = (nth: number): RigTopology => ({
  nodes: [0, 1].map((id) => ({ id, cores: 4, threads: 1, memoryMib: id === nth % 2 ? 16_384 : 8_192, pages: {} })),
  offlineCpus: [],
  devices: [],
})

/** Image names. Each instance has its own image, because the image's domain XML sets its console log. */
interface Images {
  readonly bare: readonly string[]
  /** Images whose instances have a root disk. */
  readonly withDisk: readonly string[]
}

export async function startFleet(hosts: number, { bare, withDisk }: Images): Promise<RealFleet> {
  const rig = await startRig(Array.from({ length: hosts }, (_, nth) => topologyOf(nth)))
  const at = (...parts: readonly string[]) => path.join(rig.folder, ...parts)
  const logOf = (image: string) => at(`${image}.log`)
  const machine = (name: string) =>
    domainXml({
      ...{ uuid: randomUUID(), name, kernelPath: at('guest'), logPath: logOf(name) },
      ...(withDisk.includes(name) && { disk: { pool: POOL, volume: IMAGE } }),
    })
  writeKernel(at('guest'))
  fs.mkdirSync(at('machines'))
  for (const host of rig.hosts) await makePool(host)
  for (const image of [...bare, ...withDisk]) fs.writeFileSync(at('machines', `${image}.xml`), machine(image))
  const sockets = rig.hosts.map(({ socketPath }) => path.dirname(socketPath)).join(path.delimiter)
  const power = await startPower(rig)
  const server = new OwnServer(LIBVIRT_PORT, {
    ...{ BERTH_DEMO: 'no', LIBVIRT_MACHINES: at('machines'), LIBVIRT_PATHS: sockets },
    BERTH_FENCING_FILE: power.filePath,
  })
  const end = async () => {
    await server.stop()
    await power.controller.close()
    await rig.down()
  }
  try {
    const foreignDomains = await ForeignDomains.on(rig)
    await server.startAnew()
    return { rig, power, server, foreignDomains, logOf, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Runs `npm run import -- host …` and returns its output. */
export async function importHost(host: RigHost, words: readonly string[] = []): Promise<string> {
  const way = ['--connect', `unix:${host.socketPath}`, '--session', '--dedicated', '0-7']
  const control = ['--control', '--peer', `tls:${host.ip}`, '--peer-pki', host.pkiPath, '--data-address', host.ip]
  const { stdout } = await run('npm', ['run', '--silent', 'import', '--', 'host', ...way, ...control, ...words], {
    env: { ...process.env, ...settingsFor(LIBVIRT_PORT), DATABASE_URL: '' },
    cwd: path.join(import.meta.dirname, '../..'),
  })
  return stdout
}
