import { expect } from 'vitest'
import type { Operation, Side } from '../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import { otherSide } from '../engine/words/side'
import type { BuildOrder, Driver, DriverOperation, TransferAnswer } from './driver'

// Fixtures of the driver contract: two hosts, and helpers that call their driver.

export interface DriverFixture {
  readonly driver: Driver
  /** Two hosts that can exchange instances. Nothing runs there. */
  readonly hosts: readonly [HostId, HostId]
  /** An instance that does not exist yet. `own-disk`: it has a disk that is local to its host. */
  newInstance(host: HostId, kind?: 'own-disk'): BuildOrder
  /** How many instance disks are on the host. */
  disks(host: HostId): Promise<number>
  newMigration(): MigrationId
  /** Lets time pass while a transfer is polled. */
  pass(): Promise<void>
  close(): Promise<void>
}

export const POLLS = 600 // then a transfer is stuck
const STOPS = 5 // then a transfer does not stop

export async function built(
  fixture: DriverFixture,
  operation: Operation,
  hosts: readonly [HostId, HostId],
): Promise<DriverOperation> {
  return builtAs(fixture, operation, { hosts, order: fixture.newInstance(hosts[0]) })
}

interface Between {
  readonly hosts: readonly [HostId, HostId]
  readonly order: BuildOrder
}

export async function builtAs(
  fixture: DriverFixture,
  operation: Operation,
  { hosts, order }: Between,
): Promise<DriverOperation> {
  await expectDone(fixture.driver.build(order))
  const { instance, name, flavor, image, claim } = order
  return {
    migration: fixture.newMigration(),
    fence: 1,
    instanceFence: 1,
    operation,
    instance,
    name,
    source: hosts[0],
    target: hosts[1],
    flavor: { source: flavor, target: flavor },
    image: { source: image, target: image },
    claim: { source: claim, target: claim },
    wasRunning: true,
    storage: operation === 'live-migrate' ? 'shared' : null,
    reach: { source: true, target: true },
  }
}

export async function transferToEnd(fixture: DriverFixture, driverOperation: DriverOperation): Promise<TransferAnswer> {
  let handedOver = false
  for (let poll = 0; poll < POLLS; poll++) {
    const answer = await fixture.driver.transfer(driverOperation)
    if (answer.did !== 'running') return answer
    if (handedOver) expect(answer.handedOver).toBe(true)
    // Before the hand-over the downtime is unknown.
    if (!answer.handedOver) expect(answer.progress?.downtimeMs ?? null).toBeNull()
    handedOver = answer.handedOver
    await fixture.pass()
  }
  throw new Error(`The transfer did not end within ${POLLS} polls.`)
}

export async function expectDoneTwice(verb: () => Promise<{ readonly did: string }>): Promise<void> {
  await expectDone(verb())
  await expectDone(verb())
}

/** Ends the migration on one side: runs each driver operation twice, and expects the instance to run only there. */
export async function expectEndAt({ driver }: DriverFixture, driverOperation: DriverOperation, side: Side) {
  await expectDoneTwice(() => driver.runAt(driverOperation, side))
  await expectDoneTwice(() => driver.clean(driverOperation, otherSide(side)))
  expect(await driver.locate(driverOperation)).toEqual({ [side]: 'running', [otherSide(side)]: 'absent' })
}

/** Prepares and begins a live transfer, stops it, and ends where it began. */
export async function expectStopped(fixture: DriverFixture, driverOperation: DriverOperation): Promise<void> {
  await expectDone(fixture.driver.prepare(driverOperation))
  expect((await fixture.driver.transfer(driverOperation)).did).toBe('running')
  await stopTwice(fixture, driverOperation)
  await expectEndAt(fixture, driverOperation, 'source')
}

/**
 * Stops a live transfer as the conductor does before it observes both sides, and again while it has not ended: a
 * hypervisor on a slow machine may take longer than one call.
 */
async function stopTwice({ driver, pass }: DriverFixture, driverOperation: DriverOperation): Promise<void> {
  const stop = () => driver.stopTransfer({ ...driverOperation, reach: { source: true, target: false } })
  let answer = await stop()
  for (let call = 0; answer.did === 'no-answer' && call < STOPS; call++) {
    await pass()
    answer = await stop()
  }
  expect(answer).toEqual({ did: 'done' })
  await expectDone(stop())
}

export async function expectDone(answer: Promise<{ readonly did: string }>): Promise<void> {
  expect(await answer).toEqual({ did: 'done' })
}

export async function domainsAt(driver: Driver, host: HostId): Promise<(readonly [InstanceId, string])[]> {
  const domains = await driver.survey(host)
  return (domains ?? []).map((domain) => [domain.instance, domain.observedState] as const)
}
