import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Operation } from '../engine/migration/state'
import type { PowerAction } from '../engine/power/request'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import type { Driver, Errand, NewGuest, PowerOrder, TransferAnswer } from './driver'

// What every driver must do, whichever hypervisor it speaks to. A driver's own test calls `driverContract` with a
// world of two hosts; nothing here knows how the hosts are made.

export interface ContractWorld {
  readonly driver: Driver
  /** Two hosts that can exchange guests. Nothing runs there. */
  readonly hosts: readonly [HostId, HostId]
  /** A guest that does not exist yet. */
  newGuest(host: HostId): NewGuest
  newMigration(): MigrationId
  /** Lets time pass while a transfer is polled. */
  pass(): Promise<void>
  close(): Promise<void>
}

const POWER_ACTIONS = Object.keys({
  ...{ start: 1, stop: 1, reboot: 1, pause: 1, resume: 1 },
} satisfies Record<PowerAction, 1>) as readonly PowerAction[]

const POLLS = 600 // then a transfer is stuck

export function driverContract(name: string, makeWorld: () => Promise<ContractWorld>): void {
  describe(`the contract of drivers: ${name}`, () => {
    let world: ContractWorld
    beforeEach(async () => {
      world = await makeWorld()
    })
    afterEach(() => world.close())

    lifecycleCases(() => world)
    powerCases(() => world)
    moveCases(() => world)
    keepingCases(() => world)
    nameCases(() => world)
    fenceCases(() => world)
  })
}

function lifecycleCases(world: () => ContractWorld): void {
  test('a guest is built once, however often it is asked for', async () => {
    const { driver, hosts, newGuest } = world()
    const guest = newGuest(hosts[0])
    await expectDone(driver.build(guest))
    await expectDone(driver.build(guest))
    expect(await guestsAt(driver, hosts[0])).toEqual([[guest.instance, 'running']])
  })

  test('a destroyed guest is gone, and destroying nothing does no harm', async () => {
    const { driver, hosts, newGuest } = world()
    const guest = newGuest(hosts[0])
    await expectDone(driver.build(guest))
    await expectDone(driver.destroy({ ...guest, fence: 2 }))
    await expectDone(driver.destroy({ ...guest, fence: 2 }))
    expect(await guestsAt(driver, hosts[0])).toEqual([])
  })

  test('a build that comes after the destroy is refused', async () => {
    const { driver, hosts, newGuest } = world()
    const guest = newGuest(hosts[0])
    await expectDone(driver.destroy({ ...guest, fence: 2 }))
    expect(await driver.build({ ...guest, fence: 1 })).toEqual({ did: 'stale-fence' })
    expect(await guestsAt(driver, hosts[0])).toEqual([])
  })
}

function powerCases(world: () => ContractWorld): void {
  /** Built at one time, and asked from then on. */
  const standing = async () => {
    const guest = world().newGuest(world().hosts[0])
    await expectDone(world().driver.build(guest))
    const order = { instance: guest.instance, host: guest.host, fence: 2, at: 0, hard: false }
    const ask = (action: PowerAction, set: Partial<PowerOrder> = {}) =>
      world().driver.power({ ...order, action, ...set })
    const shown = async () => {
      const seen = await world().driver.survey(guest.host)
      return seen?.find((each) => each.instance === guest.instance)?.power.state
    }
    return { guest, ask, shown }
  }

  test('a guest that is asked to shut down is off in the end and stays where it is, however often it is asked', async () => {
    const { ask, shown, guest } = await standing()
    expect(await shown()).toBe('running')
    let answer = await ask('stop')
    for (let poll = 0; answer.did === 'under-way' && poll < POLLS; poll++) {
      await world().pass()
      answer = await ask('stop')
    }
    expect(answer).toEqual({ did: 'done' })
    await expectDone(ask('stop'))
    expect(await shown()).toBe('shutdown')
    expect(await guestsAt(world().driver, guest.host)).toEqual([[guest.instance, 'stopped']])
  })

  test.each(POWER_ACTIONS)('%s twice is %s once', async (action) => {
    const { ask, shown } = await standing()
    const before: Readonly<Record<PowerAction, PowerAction | null>> = {
      ...{ start: 'stop', stop: null, reboot: null, pause: null, resume: 'pause' },
    }
    const first = before[action]
    if (first !== null) await expectDone(ask(first, { hard: true }))
    await twice(() => ask(action, { hard: true }))
    expect(await shown()).toBe(
      { start: 'running', stop: 'shutdown', reboot: 'running', pause: 'paused', resume: 'running' }[action],
    )
  })

  test.each(POWER_ACTIONS)(
    '%s with an older fence, or of a guest that is not there, changes nothing',
    async (action) => {
      const { ask, shown } = await standing()
      const { hosts } = world()
      await expectDone(ask('resume', { fence: 5 }))
      expect(await ask(action, { fence: 4, hard: true })).toEqual({ did: 'stale-fence' })
      expect(await ask(action, { fence: 5, host: hosts[1], hard: true })).toMatchObject({ did: 'failed' })
      expect(await shown()).toBe('running')
    },
  )

  test('a guest that is off can neither be paused nor resumed, and a paused one is not started', async () => {
    const { ask, shown } = await standing()
    await expectDone(ask('pause'))
    expect(await ask('start')).toMatchObject({ did: 'failed' })
    await expectDone(ask('stop', { hard: true }))
    expect(await ask('pause')).toMatchObject({ did: 'failed' })
    expect(await ask('resume')).toMatchObject({ did: 'failed' })
    expect(await shown()).toBe('shutdown')
  })
}

function moveCases(world: () => ContractWorld): void {
  test.each(['live-migrate', 'cold-migrate', 'resize'] as const)(
    '%s: every verb twice is every verb once',
    async (op) => {
      const { driver, hosts } = world()
      const errand = await built(world(), op, hosts)
      expect(await driver.locate(errand)).toEqual({ source: 'running', target: 'absent' })
      await twice(() => driver.prepare(errand))
      expect(await driver.locate(errand)).toEqual({ source: 'running', target: 'shell' })
      expect((await transferToEnd(world(), errand)).did).toBe('done')
      const final = await driver.transfer(errand)
      expect(final).toMatchObject({ did: 'done' })
      expect(await driver.transfer(errand)).toEqual(final)
      await twice(() => driver.runAt(errand, 'target'))
      const seen = await driver.locate(errand)
      expect(seen.target).toBe('running')
      expect(seen.source).not.toBe('running')
      await twice(() => driver.clean(errand, 'source'))
      expect(await driver.locate(errand)).toEqual({ source: 'absent', target: 'running' })
      expect(await guestsAt(driver, hosts[1])).toEqual([[errand.instance, 'running']])
    },
  )

  test('a live transfer that is done says for how long the guest stood still, also if nobody asked on the way', async () => {
    const { driver, hosts, pass } = world()
    const errand = await built(world(), 'live-migrate', hosts)
    await expectDone(driver.prepare(errand))
    await driver.transfer(errand)
    for (let n = 0; n < POLLS && (await driver.locate(errand)).target !== 'running'; n++) await pass()
    const answer = await transferToEnd(world(), errand)
    const downtimeMs = 'progress' in answer ? answer.progress.downtimeMs : null
    expect(Number.isInteger(downtimeMs)).toBe(true)
    expect(downtimeMs).toBeGreaterThan(0)
  })

  test('a live transfer that is stopped leaves the guest running where it was', async () => {
    const { driver, hosts } = world()
    const errand = await built(world(), 'live-migrate', hosts)
    await expectDone(driver.prepare(errand))
    expect((await driver.transfer(errand)).did).toBe('running')
    await twice(() => driver.stopTransfer(errand))
    await twice(() => driver.runAt(errand, 'source'))
    await twice(() => driver.clean(errand, 'target'))
    expect(await driver.locate(errand)).toEqual({ source: 'running', target: 'absent' })
  })
}

function keepingCases(world: () => ContractWorld): void {
  test('a resize on one host goes back to what the guest was', async () => {
    const { driver, hosts } = world()
    const errand = await built(world(), 'resize', [hosts[0], hosts[0]])
    await expectDone(driver.prepare(errand))
    expect((await transferToEnd(world(), errand)).did).toBe('done')
    await expectDone(driver.runAt(errand, 'target'))
    expect(await driver.locate(errand)).toEqual({ source: 'stopped', target: 'running' })
    await twice(() => driver.runAt(errand, 'source'))
    await twice(() => driver.clean(errand, 'target'))
    expect(await driver.locate(errand)).toEqual({ source: 'running', target: 'absent' })
    expect(await guestsAt(driver, hosts[0])).toEqual([[errand.instance, 'running']])
  })

  test('stopping, forcing or cleaning what never began does no harm', async () => {
    const { driver, hosts } = world()
    const errand = await built(world(), 'live-migrate', hosts)
    await expectDone(driver.stopTransfer(errand))
    await expectDone(driver.clean(errand, 'target'))
    expect((await driver.forceTransfer(errand)).did).toBe('failed')
    expect(await driver.locate(errand)).toEqual({ source: 'running', target: 'absent' })
  })

  test('a clean-up never takes the only copy of a guest', async () => {
    const { driver, hosts } = world()
    const errand = await built(world(), 'cold-migrate', hosts)
    expect((await driver.clean(errand, 'source')).did).toBe('failed')
    expect((await driver.locate(errand)).source).toBe('running')
  })
}

function nameCases(world: () => ContractWorld): void {
  test('what a migration makes carries its name until the other side is cleaned', async () => {
    const { driver, hosts } = world()
    const errand = await built(world(), 'live-migrate', hosts)
    await expectDone(driver.prepare(errand))
    expect((await driver.survey(hosts[1]))?.map((guest) => guest.migration)).toEqual([errand.migration])
    expect((await transferToEnd(world(), errand)).did).toBe('done')
    await expectDone(driver.runAt(errand, 'target'))
    await expectDone(driver.clean(errand, 'source'))
    expect((await driver.survey(hosts[1]))?.map((guest) => guest.migration)).toEqual([null])
  })
}

type FencedVerb = (driver: Driver, errand: Errand) => Promise<{ readonly did: string }>

const FENCED: Readonly<Record<string, FencedVerb>> = {
  prepare: (driver, errand) => driver.prepare(errand),
  transfer: (driver, errand) => driver.transfer(errand),
  stopTransfer: (driver, errand) => driver.stopTransfer(errand),
  forceTransfer: (driver, errand) => driver.forceTransfer(errand),
  'runAt source': (driver, errand) => driver.runAt(errand, 'source'),
  'runAt target': (driver, errand) => driver.runAt(errand, 'target'),
  'clean source': (driver, errand) => driver.clean(errand, 'source'),
  'clean target': (driver, errand) => driver.clean(errand, 'target'),
}

function fenceCases(world: () => ContractWorld): void {
  test.each(Object.entries(FENCED))(
    '%s with an older fence is refused once the hosts were looked at',
    async (_, verb) => {
      const { driver, hosts } = world()
      const errand = await built(world(), 'live-migrate', hosts)
      await expectDone(driver.prepare(errand))
      const before = await driver.locate({ ...errand, fence: errand.fence + 1 })
      expect(await verb(driver, errand)).toEqual({ did: 'stale-fence' })
      expect(await driver.locate({ ...errand, fence: errand.fence + 1 })).toEqual(before)
    },
  )
}

async function built(world: ContractWorld, operation: Operation, hosts: readonly [HostId, HostId]): Promise<Errand> {
  const guest = world.newGuest(hosts[0])
  await expectDone(world.driver.build(guest))
  const { instance, name, flavor, image, claim } = guest
  return {
    migration: world.newMigration(),
    fence: 1,
    guestFence: 1,
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

async function transferToEnd(world: ContractWorld, errand: Errand): Promise<TransferAnswer> {
  let handedOver = false
  for (let poll = 0; poll < POLLS; poll++) {
    const answer = await world.driver.transfer(errand)
    if (answer.did !== 'running') return answer
    if (handedOver) expect(answer.handedOver).toBe(true)
    handedOver = answer.handedOver
    await world.pass()
  }
  throw new Error(`The transfer did not end within ${POLLS} polls.`)
}

async function twice(verb: () => Promise<{ readonly did: string }>): Promise<void> {
  await expectDone(verb())
  await expectDone(verb())
}

async function expectDone(answer: Promise<{ readonly did: string }>): Promise<void> {
  expect(await answer).toEqual({ did: 'done' })
}

async function guestsAt(driver: Driver, host: HostId): Promise<(readonly [InstanceId, string])[]> {
  const guests = await driver.survey(host)
  return (guests ?? []).map((guest) => [guest.instance, guest.sight] as const)
}
