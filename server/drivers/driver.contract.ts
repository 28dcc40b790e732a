import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PowerAction } from '../engine/power/request'
import { diskCases } from './disk.contract'
import type { Driver, DriverOperation, PowerOrder } from './driver'
import {
  built,
  type DriverFixture,
  domainsAt,
  expectDone,
  expectDoneTwice,
  expectEndAt,
  expectStopped,
  POLLS,
  transferToEnd,
} from './fixture.contract'

// Requirements on every driver, for any hypervisor. A driver's own test calls `driverContract` with two hosts; nothing
// here knows how the hosts are made.

const POWER_ACTIONS = Object.keys({
  ...{ start: 1, stop: 1, reboot: 1, pause: 1, resume: 1 },
} satisfies Record<PowerAction, 1>) as readonly PowerAction[]

export function driverContract(name: string, makeFixture: () => Promise<DriverFixture>): void {
  describe(`the contract of drivers: ${name}`, () => {
    let fixture: DriverFixture
    beforeEach(async () => {
      fixture = await makeFixture()
    })
    afterEach(() => fixture.close())

    lifecycleCases(() => fixture)
    powerCases(() => fixture)
    migrationCases(() => fixture)
    keepingCases(() => fixture)
    diskCases(() => fixture)
    returnCases(() => fixture)
    nameCases(() => fixture)
    fenceCases(() => fixture)
  })
}

function lifecycleCases(fixture: () => DriverFixture): void {
  test('repeated builds create an instance once', async () => {
    const { driver, hosts, newInstance } = fixture()
    const order = newInstance(hosts[0])
    await expectDone(driver.build(order))
    await expectDone(driver.build(order))
    expect(await domainsAt(driver, hosts[0])).toEqual([[order.instance, 'running']])
  })

  test('a destroyed instance is gone, and a second destroy does no harm', async () => {
    const { driver, hosts, newInstance } = fixture()
    const order = newInstance(hosts[0])
    await expectDone(driver.build(order))
    await expectDone(driver.destroy({ ...order, fence: 2 }))
    await expectDone(driver.destroy({ ...order, fence: 2 }))
    expect(await domainsAt(driver, hosts[0])).toEqual([])
  })

  test('a build after the destroy is refused', async () => {
    const { driver, hosts, newInstance } = fixture()
    const order = newInstance(hosts[0])
    await expectDone(driver.destroy({ ...order, fence: 2 }))
    expect(await driver.build({ ...order, fence: 1 })).toEqual({ did: 'stale-fence' })
    expect(await domainsAt(driver, hosts[0])).toEqual([])
  })
}

function powerCases(fixture: () => DriverFixture): void {
  /** A running instance on the first host, and functions that request power actions and read its power state. */
  const standing = async () => {
    const built = fixture().newInstance(fixture().hosts[0])
    await expectDone(fixture().driver.build(built))
    const order = { instance: built.instance, host: built.host, fence: 2, at: 0, hard: false }
    const ask = (action: PowerAction, set: Partial<PowerOrder> = {}) =>
      fixture().driver.power({ ...order, action, ...set })
    const shown = async () => {
      const seen = await fixture().driver.survey(built.host)
      return seen?.find((each) => each.instance === built.instance)?.power.state
    }
    return { built, ask, shown }
  }

  test('a repeated soft shutdown ends with the instance off on its host', async () => {
    const { ask, shown, built } = await standing()
    expect(await shown()).toBe('running')
    let answer = await ask('stop')
    for (let poll = 0; answer.did === 'under-way' && poll < POLLS; poll++) {
      await fixture().pass()
      answer = await ask('stop')
    }
    expect(answer).toEqual({ did: 'done' })
    await expectDone(ask('stop'))
    expect(await shown()).toBe('shutdown')
    expect(await domainsAt(fixture().driver, built.host)).toEqual([[built.instance, 'stopped']])
  })

  test.each(POWER_ACTIONS)('%s is idempotent: a second %s changes nothing', async (action) => {
    const { ask, shown } = await standing()
    const before: Readonly<Record<PowerAction, PowerAction | null>> = {
      ...{ start: 'stop', stop: null, reboot: null, pause: null, resume: 'pause' },
    }
    const first = before[action]
    if (first !== null) await expectDone(ask(first, { hard: true }))
    await expectDoneTwice(() => ask(action, { hard: true }))
    expect(await shown()).toBe(
      { start: 'running', stop: 'shutdown', reboot: 'running', pause: 'paused', resume: 'running' }[action],
    )
  })

  test.each(POWER_ACTIONS)(
    '%s with an older fence, or of an instance that does not exist, changes nothing',
    async (action) => {
      const { ask, shown } = await standing()
      const { hosts } = fixture()
      await expectDone(ask('resume', { fence: 5 }))
      expect(await ask(action, { fence: 4, hard: true })).toEqual({ did: 'stale-fence' })
      expect(await ask(action, { fence: 5, host: hosts[1], hard: true })).toMatchObject({ did: 'failed' })
      expect(await shown()).toBe('running')
    },
  )

  test('an instance that is off cannot be paused or resumed, and a paused one cannot be started', async () => {
    const { ask, shown } = await standing()
    await expectDone(ask('pause'))
    expect(await ask('start')).toMatchObject({ did: 'failed' })
    await expectDone(ask('stop', { hard: true }))
    expect(await ask('pause')).toMatchObject({ did: 'failed' })
    expect(await ask('resume')).toMatchObject({ did: 'failed' })
    expect(await shown()).toBe('shutdown')
  })
}

function migrationCases(fixture: () => DriverFixture): void {
  test.each(['live-migrate', 'cold-migrate', 'resize'] as const)('%s: each operation is idempotent', async (op) => {
    const { driver, hosts } = fixture()
    const driverOperation = await built(fixture(), op, hosts)
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
    await expectDoneTwice(() => driver.prepare(driverOperation))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'shell' })
    expect(await transferToEnd(fixture(), driverOperation)).toMatchObject({ did: 'done' })
    const final = await driver.transfer(driverOperation)
    expect(final).toMatchObject({ did: 'done' })
    expect(await driver.transfer(driverOperation)).toEqual(final)
    await expectDoneTwice(() => driver.runAt(driverOperation, 'target'))
    const seen = await driver.locate(driverOperation)
    expect(seen.target).toBe('running')
    expect(seen.source).not.toBe('running')
    await expectDoneTwice(() => driver.clean(driverOperation, 'source'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'absent', target: 'running' })
    expect(await domainsAt(driver, hosts[1])).toEqual([[driverOperation.instance, 'running']])
  })

  test('a finished live transfer reports its downtime, even if it was never polled', async () => {
    const { driver, hosts, pass } = fixture()
    const driverOperation = await built(fixture(), 'live-migrate', hosts)
    await expectDone(driver.prepare(driverOperation))
    await driver.transfer(driverOperation)
    for (let n = 0; n < POLLS && (await driver.locate(driverOperation)).target !== 'running'; n++) await pass()
    const answer = await transferToEnd(fixture(), driverOperation)
    const downtimeMs = 'progress' in answer ? answer.progress.downtimeMs : null
    expect(Number.isInteger(downtimeMs)).toBe(true)
    expect(downtimeMs).toBeGreaterThan(0)
  })

  test('a stopped live transfer leaves the instance running at its source', async () => {
    await expectStopped(fixture(), await built(fixture(), 'live-migrate', fixture().hosts))
  })
}

function keepingCases(fixture: () => DriverFixture): void {
  test('a same-host resize can be rolled back to the old shape', async () => {
    const { driver, hosts } = fixture()
    const driverOperation = await built(fixture(), 'resize', [hosts[0], hosts[0]])
    await expectDone(driver.prepare(driverOperation))
    expect(await transferToEnd(fixture(), driverOperation)).toMatchObject({ did: 'done' })
    await expectDone(driver.runAt(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'stopped', target: 'running' })
    await expectEndAt(fixture(), driverOperation, 'source')
    expect(await domainsAt(driver, hosts[0])).toEqual([[driverOperation.instance, 'running']])
  })

  test('stopping, forcing or cleaning up a transfer that never began does no harm', async () => {
    const { driver, hosts } = fixture()
    const driverOperation = await built(fixture(), 'live-migrate', hosts)
    await expectDone(driver.stopTransfer(driverOperation))
    await expectDone(driver.clean(driverOperation, 'target'))
    expect((await driver.forceTransfer(driverOperation)).did).toBe('failed')
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
  })

  test('a clean-up never removes the only copy of an instance', async () => {
    const { driver, hosts } = fixture()
    const driverOperation = await built(fixture(), 'cold-migrate', hosts)
    expect((await driver.clean(driverOperation, 'source')).did).toBe('failed')
    expect((await driver.locate(driverOperation)).source).toBe('running')
  })
}

function returnCases(fixture: () => DriverFixture): void {
  test('the clean-up after an evacuation needs only the returned host, and the instance keeps running', async () => {
    const { driver, hosts } = fixture()
    const base = await built(fixture(), 'evacuate', hosts)
    const away = { ...base, reach: { source: false, target: true } }
    await expectDone(driver.prepare(away))
    expect(await transferToEnd(fixture(), away)).toMatchObject({ did: 'done' })
    await expectDone(driver.runAt(away, 'target'))
    const back = { ...base, reach: { source: true, target: false } }
    await expectDoneTwice(() => driver.clean(back, 'source'))
    expect(await domainsAt(driver, hosts[0])).toEqual([])
    expect(await domainsAt(driver, hosts[1])).toEqual([[base.instance, 'running']])
  })
}

function nameCases(fixture: () => DriverFixture): void {
  test('a target domain is tagged with its migration until the source is cleaned up', async () => {
    const { driver, hosts } = fixture()
    const driverOperation = await built(fixture(), 'live-migrate', hosts)
    await expectDone(driver.prepare(driverOperation))
    expect((await driver.survey(hosts[1]))?.map((domain) => domain.migration)).toEqual([driverOperation.migration])
    expect(await transferToEnd(fixture(), driverOperation)).toMatchObject({ did: 'done' })
    await expectDone(driver.runAt(driverOperation, 'target'))
    await expectDone(driver.clean(driverOperation, 'source'))
    expect((await driver.survey(hosts[1]))?.map((domain) => domain.migration)).toEqual([null])
  })
}

type FencedVerb = (driver: Driver, driverOperation: DriverOperation) => Promise<{ readonly did: string }>

const FENCED: Readonly<Record<string, FencedVerb>> = {
  prepare: (driver, driverOperation) => driver.prepare(driverOperation),
  transfer: (driver, driverOperation) => driver.transfer(driverOperation),
  stopTransfer: (driver, driverOperation) => driver.stopTransfer(driverOperation),
  forceTransfer: (driver, driverOperation) => driver.forceTransfer(driverOperation),
  'runAt source': (driver, driverOperation) => driver.runAt(driverOperation, 'source'),
  'runAt target': (driver, driverOperation) => driver.runAt(driverOperation, 'target'),
  'clean source': (driver, driverOperation) => driver.clean(driverOperation, 'source'),
  'clean target': (driver, driverOperation) => driver.clean(driverOperation, 'target'),
}

function fenceCases(fixture: () => DriverFixture): void {
  test.each(Object.entries(FENCED))('%s with an older fence is refused once a newer one was used', async (_, verb) => {
    const { driver, hosts } = fixture()
    const driverOperation = await built(fixture(), 'live-migrate', hosts)
    await expectDone(driver.prepare(driverOperation))
    const before = await driver.locate({ ...driverOperation, fence: driverOperation.fence + 1 })
    expect(await verb(driver, driverOperation)).toEqual({ did: 'stale-fence' })
    expect(await driver.locate({ ...driverOperation, fence: driverOperation.fence + 1 })).toEqual(before)
  })
}
