import { expect, test } from 'vitest'
import type { ClaimBody } from '../engine/host'
import type { Operation } from '../engine/migration/state'
import type { HostId, ProviderId } from '../engine/words/ids'
import { DISK_GB } from '../engine/words/units'
import type { BuildOrder, DriverOperation } from './driver'
import {
  builtAs,
  type DriverFixture,
  domainsAt,
  expectDone,
  expectDoneTwice,
  expectEndAt,
  expectStopped,
  transferToEnd,
} from './fixture.contract'

// Requirements on every driver for a disk that is local to one host.

/** The claim of an instance that has a local disk on the host. */
const claimWithDisk = ({ claim, flavor }: BuildOrder, host: HostId): ClaimBody => ({
  ...claim,
  amounts: [{ provider: host as string as ProviderId, resourceClass: DISK_GB, amount: flavor.diskGib }],
})

async function builtWithDisk(
  fixture: DriverFixture,
  operation: Operation,
  [source, target]: readonly [HostId, HostId],
): Promise<DriverOperation> {
  const bare = fixture.newInstance(source, 'own-disk')
  const instance = { ...bare, claim: claimWithDisk(bare, source) }
  const claim = { source: instance.claim, target: claimWithDisk(bare, target) }
  const driverOperation = {
    ...(await builtAs(fixture, operation, { hosts: [source, target], order: instance })),
    claim,
  }
  return operation === 'live-migrate' ? { ...driverOperation, storage: 'block' } : driverOperation
}

export function diskCases(fixture: () => DriverFixture): void {
  const disksOf = async () => Promise.all(fixture().hosts.map((host) => fixture().disks(host)))

  test('a live migration that copies the disk takes it along and leaves none behind', async () => {
    const { driver, hosts } = fixture()
    const driverOperation = await builtWithDisk(fixture(), 'live-migrate', hosts)
    expect(await disksOf()).toEqual([1, 0])
    await expectDoneTwice(() => driver.prepare(driverOperation))
    expect(await disksOf()).toEqual([1, 1])
    const first = await driver.transfer(driverOperation)
    expect(first.did).toBe('running')
    const final = await transferToEnd(fixture(), driverOperation)
    expect(final).toMatchObject({ did: 'done' })
    await expectEndAt(fixture(), driverOperation, 'target')
    expect(await disksOf()).toEqual([0, 1])
    await expectDone(driver.destroy({ instance: driverOperation.instance, host: hosts[1], fence: 2 }))
    expect(await disksOf()).toEqual([0, 0])
  })

  test('an aborted live migration leaves the disk at the source', async () => {
    await expectStopped(fixture(), await builtWithDisk(fixture(), 'live-migrate', fixture().hosts))
    expect(await disksOf()).toEqual([1, 0])
  })

  test('shared mode fails without shared storage, and the disk stays only at the source', async () => {
    const { driver, hosts } = fixture()
    const driverOperation = await builtWithDisk(fixture(), 'live-migrate', hosts)
    expect((await driver.prepare({ ...driverOperation, storage: 'shared' })).did).toBe('failed')
    await expectDoneTwice(() => driver.clean(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
    expect(await disksOf()).toEqual([1, 0])
  })

  test('rebuild: each operation is idempotent, and the disk is a new one', async () => {
    const { driver, hosts } = fixture()
    const driverOperation = await builtWithDisk(fixture(), 'rebuild', [hosts[0], hosts[0]])
    await expectDoneTwice(() => driver.prepare(driverOperation))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'shell' })
    expect(await disksOf()).toEqual([2, 0])
    expect(await transferToEnd(fixture(), driverOperation)).toMatchObject({ did: 'done' })
    await expectDoneTwice(() => driver.runAt(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'stopped', target: 'running' })
    await expectDoneTwice(() => driver.clean(driverOperation, 'source'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'absent', target: 'running' })
    expect(await domainsAt(driver, hosts[0])).toEqual([[driverOperation.instance, 'running']])
    expect(await disksOf()).toEqual([1, 0])
  })

  test('a rebuild that rolls back keeps the old disk', async () => {
    const { driver, hosts } = fixture()
    const driverOperation = await builtWithDisk(fixture(), 'rebuild', [hosts[0], hosts[0]])
    await expectDone(driver.prepare(driverOperation))
    await expectEndAt(fixture(), driverOperation, 'source')
    expect(await disksOf()).toEqual([1, 0])
  })
}
