import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import type { NewGuest } from '../../server/drivers/driver'
import { type ContractWorld, driverContract } from '../../server/drivers/driver.contract'
import type { HypervisorClient } from '../../server/drivers/libvirt/connect'
import { sessionAddress } from '../../server/drivers/libvirt/connection.contract'
import { PLAIN_POLICY } from '../../server/drivers/libvirt/control'
import { libvirtDriver } from '../../server/drivers/libvirt/driver'
import { hostLinks } from '../../server/drivers/libvirt/host-links'
import { processMemory } from '../../server/drivers/libvirt/memory'
import type { HostId, InstanceId, MigrationId } from '../../server/engine/words/ids'
import { whyNoRig } from './able'
import { guestXml, writeGuest } from './guest'
import { type Rig, startRig, TWO_NODES } from './rig'
import type { RigHost } from './rig-host'
import { addStrangers, type Strangers, strangersNow, touchedStrangers } from './strangers'

// The contract of every driver, on two real daemons with real guests.

const why = whyNoRig()
if (why !== null) console.log(`skipped: ${why}`)

/** By one of the two clients: each is a file, so that they run side by side. */
export function driverOnRig(client: HypervisorClient): void {
  describe.skipIf(why !== null)(`the libvirt driver${why === null ? '' : ` (skipped: ${why})`}`, () => {
    let rig: Rig
    let strangers: Strangers
    let before: readonly string[]
    beforeAll(async () => {
      rig = await startRig([TWO_NODES, TWO_NODES])
      writeGuest(path.join(rig.folder, 'guest'))
      strangers = await addStrangers(rig)
      before = await strangersNow(strangers)
    })
    afterEach(async () => expect(await touchedStrangers(strangers, before)).toEqual([]))
    afterAll(() => rig?.down())
    driverContract(client, async () => worldOf(rig, strangers, client))
  })
}

/** Slow enough that a transfer is still under way when it is asked about. */
const POLICY = { ...PLAIN_POLICY, bandwidthMibPerS: 12 }

function worldOf(rig: Rig, strangers: Strangers, client: HypervisorClient): ContractWorld {
  const named = rig.hosts.map((host) => [randomUUID() as HostId, host] as const)
  const hosts = new Map<HostId, RigHost>(named)
  const links = hostLinks(async (id) => {
    const host = hosts.get(id)
    if (!host) return { ok: false, why: 'no such host' }
    const way = {
      address: sessionAddress(`unix:${host.socketPath}`, { readOnly: false }),
      peerAddress: sessionAddress(`tls:${host.ip}`, { pkiPath: host.pkiPath }),
      ...{ dataAddress: null, client, policy: POLICY },
    }
    return { ok: true, host: way }
  })
  const driver = libvirtDriver({
    links,
    memory: processMemory(),
    machineXml: async () => machineOf(rig),
    now: Date.now,
    shutdownLimitMs: 15_000,
  })
  const [first, second] = named.map(([id]) => id) as [HostId, HostId]
  return {
    driver,
    hosts: [first, second],
    newGuest,
    newMigration: () => randomUUID() as MigrationId,
    pass: () => new Promise((resolve) => setTimeout(resolve, 100)),
    async close() {
      await links.close()
      for (const host of rig.hosts)
        for (const uuid of (await host.virsh('list', '--all', '--uuid')).split(/\s+/).filter(Boolean))
          if (uuid !== strangers.get(host))
            for (const command of ['destroy', 'undefine']) await host.virsh(command, uuid).catch(() => {})
    },
  }
}

const machineOf = ({ folder }: Rig) =>
  guestXml({
    ...{ uuid: randomUUID(), name: 'machine', kernelPath: path.join(folder, 'guest') },
    logPath: path.join(folder, 'guest.log'),
  })

const newGuest = (host: HostId): NewGuest => ({
  ...{ instance: randomUUID() as InstanceId, name: 'web-1', host, fence: 1 },
  flavor: { name: 'm1', vcpus: 2, memoryMib: 48, diskGib: 0, extraSpecs: {} },
  image: { name: 'tiny', properties: {} },
  claim: {
    amounts: [],
    cells: [0, 1].map((cell) => ({
      ...{ guestCell: cell, hostCell: 0, memoryMib: 24, pageKib: null, sharedVcpus: [], reservedCpus: [] },
      ...{ pins: [[cell, cell] as const], cpuPolicy: 'dedicated' as const, threadPolicy: null },
    })),
    units: [],
  },
})
