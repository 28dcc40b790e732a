import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DriverOperation } from '../../server/drivers/driver'
import { driverContract } from '../../server/drivers/driver.contract'
import type { DriverFixture } from '../../server/drivers/fixture.contract'
import type { HypervisorClient } from '../../server/drivers/libvirt/connect'
import { sessionAddress } from '../../server/drivers/libvirt/connection.contract'
import { type MigrationPolicy, PLAIN_POLICY } from '../../server/drivers/libvirt/control'
import { inProcessRecordStore } from '../../server/drivers/libvirt/domain-record'
import { libvirtDriver } from '../../server/drivers/libvirt/driver'
import { hostLinks } from '../../server/drivers/libvirt/host-links'
import type { HostId, MigrationId } from '../../server/engine/words/ids'
import { type GuardedRig, guardedRig } from './guarded-rig'
import { buildOrderOn, DISK_IMAGE, machineOf } from './guest'
import { allocatedAt, diskSays, POOL, volumesAt, writeToDisk } from './pool'
import { whyNoRig } from './prerequisites'
import type { RigHost } from './rig-host'

// The driver contract, on two real daemons with real domains.

const why = whyNoRig()
if (why !== null) console.log(`skipped: ${why}`)

/** With one of the two clients. Each client has its own test file, so that they run in parallel. */
export function driverOnRig(client: HypervisorClient): void {
  describe.skipIf(why !== null)(`the libvirt driver${why === null ? '' : ` (skipped: ${why})`}`, () => {
    const guarded = guardedRig()
    driverContract(client, async () => fixtureOf(guarded(), client))
    diskContents(client, guarded)
  })
}

/** Data written by the guest follows a migration, and is gone after a rebuild. */
function diskContents(client: HypervisorClient, guarded: () => GuardedRig): void {
  test(`a copied disk keeps its data and stays sparse, and a rebuilt one equals the image again (${client})`, async () => {
    const fixture = fixtureOf(guarded(), client, { tls: true })
    const { driver, pass } = fixture
    const [from, to] = guarded().rig.hosts as [RigHost, RigHost]
    try {
      const order = fixture.newInstance(fixture.hosts[0], 'own-disk')
      const { instance, name, flavor, image, claim } = order
      expect(await driver.build(order)).toEqual({ did: 'done' })
      expect(await diskSays(from, instance)).toBe('image')
      await writeToDisk(from, instance)
      expect(await diskSays(from, instance)).toBe('guest')
      const both = <T>(each: T) => ({ source: each, target: each })
      const base = {
        ...{ fence: 1, instanceFence: 1, instance, name, wasRunning: true, reach: both(true) },
        ...{ flavor: both(flavor), image: both(image), claim: both(claim) },
      }
      const carry = async (driverOperation: DriverOperation) => {
        expect(await driver.prepare(driverOperation)).toEqual({ did: 'done' })
        let moved = await driver.transfer(driverOperation)
        let most = 0
        while (moved.did === 'running') {
          most = Math.max(most, moved.progress.totalBytes)
          await pass()
          moved = await driver.transfer(driverOperation)
        }
        expect(moved.did).toBe('done')
        expect(await driver.runAt(driverOperation, 'target')).toEqual({ did: 'done' })
        expect(await driver.clean(driverOperation, 'source')).toEqual({ did: 'done' })
        return most
      }
      const migration = {
        ...base,
        migration: fixture.newMigration(),
        source: fixture.hosts[0],
        target: fixture.hosts[1],
      }
      const most = await carry({ ...migration, operation: 'live-migrate', storage: 'block' })
      expect(most).toBeGreaterThan(flavor.diskGib * 1024 ** 3) // counts disk and memory
      expect(await diskSays(to, instance)).toBe('guest')
      expect(volumesAt(from)).toEqual([])
      expect(allocatedAt(to)).toBeLessThan(16 * 1024 ** 2)
      const anew = { ...base, migration: fixture.newMigration(), source: fixture.hosts[1], target: fixture.hosts[1] }
      await carry({ ...anew, operation: 'rebuild', storage: null })
      expect(await diskSays(to, instance)).toBe('image')
      expect(volumesAt(to)).toHaveLength(1)
    } finally {
      await fixture.close()
    }
  })
}

/** Slow enough that a transfer is still active when it is queried, even with a disk of 1 GiB. */
const [BARE_MIB_PER_S, DISK_MIB_PER_S] = [12, 200]

function fixtureOf(
  { rig, foreignDomains }: GuardedRig,
  client: HypervisorClient,
  policy: Partial<MigrationPolicy> = {},
): DriverFixture {
  let bandwidthMibPerS = BARE_MIB_PER_S
  const named = rig.hosts.map((host) => [randomUUID() as HostId, host] as const)
  const hosts = new Map<HostId, RigHost>(named)
  const links = hostLinks(async (id) => {
    const host = hosts.get(id)
    if (!host) return { ok: false, why: 'no such host' }
    const way = {
      address: sessionAddress(`unix:${host.socketPath}`, { readOnly: false }),
      peerAddress: sessionAddress(`tls:${host.ip}`, { pkiPath: host.pkiPath }),
      ...{ dataAddress: null, pool: POOL, client, machine: null },
      policy: { ...PLAIN_POLICY, bandwidthMibPerS, ...policy },
    }
    return { ok: true, host: way }
  })
  const driver = libvirtDriver({
    links,
    memory: inProcessRecordStore(),
    machineXml: async (image) => machineOf(rig.folder, image === DISK_IMAGE ? 'own-disk' : undefined),
    now: Date.now,
    shutdownLimitMs: 15_000,
  })
  const [first, second] = named.map(([id]) => id) as [HostId, HostId]
  return {
    driver,
    hosts: [first, second],
    newInstance(host, kind) {
      bandwidthMibPerS = kind ? DISK_MIB_PER_S : BARE_MIB_PER_S
      return buildOrderOn(host, kind)
    },
    disks: async (id) => volumesAt(hosts.get(id) as RigHost).length,
    newMigration: () => randomUUID() as MigrationId,
    pass: () => new Promise((resolve) => setTimeout(resolve, 100)),
    async close() {
      await links.close()
      for (const host of rig.hosts)
        for (const uuid of (await host.virsh('list', '--all', '--uuid')).split(/\s+/).filter(Boolean))
          if (!foreignDomains.isOne(host, uuid))
            for (const command of ['destroy', 'undefine']) await host.virsh(command, uuid).catch(() => {})
      for (const host of rig.hosts)
        for (const volume of volumesAt(host)) await host.virsh('vol-delete', '--pool', POOL, '--vol', volume)
    },
  }
}
