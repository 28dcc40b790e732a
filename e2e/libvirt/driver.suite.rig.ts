import { randomUUID } from 'node:crypto'
import { describe } from 'vitest'
import { type ContractWorld, driverContract } from '../../server/drivers/driver.contract'
import type { HypervisorClient } from '../../server/drivers/libvirt/connect'
import { sessionAddress } from '../../server/drivers/libvirt/connection.contract'
import { PLAIN_POLICY } from '../../server/drivers/libvirt/control'
import { libvirtDriver } from '../../server/drivers/libvirt/driver'
import { hostLinks } from '../../server/drivers/libvirt/host-links'
import { processMemory } from '../../server/drivers/libvirt/memory'
import type { HostId, MigrationId } from '../../server/engine/words/ids'
import { whyNoRig } from './able'
import { type GuardedRig, guardedRig } from './guarded-rig'
import { machineOf, newGuest } from './guest'
import type { RigHost } from './rig-host'

// The contract of every driver, on two real daemons with real guests.

const why = whyNoRig()
if (why !== null) console.log(`skipped: ${why}`)

/** By one of the two clients: each is a file, so that they run side by side. */
export function driverOnRig(client: HypervisorClient): void {
  describe.skipIf(why !== null)(`the libvirt driver${why === null ? '' : ` (skipped: ${why})`}`, () => {
    const guarded = guardedRig()
    driverContract(client, async () => worldOf(guarded(), client))
  })
}

/** Slow enough that a transfer is still under way when it is asked about. */
const POLICY = { ...PLAIN_POLICY, bandwidthMibPerS: 12 }

function worldOf({ rig, strangers }: GuardedRig, client: HypervisorClient): ContractWorld {
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
    machineXml: async () => machineOf(rig.folder),
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
          if (!strangers.isOne(host, uuid))
            for (const command of ['destroy', 'undefine']) await host.virsh(command, uuid).catch(() => {})
    },
  }
}
