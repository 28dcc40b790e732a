import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ClaimBody } from '../engine/host'
import type { Operation } from '../engine/migration/state'
import type { PowerAction } from '../engine/power/request'
import type { HostId, InstanceId, MigrationId, ProviderId } from '../engine/words/ids'
import { DISK_GB } from '../engine/words/units'
import type { Driver, DriverOperation, NewGuest, PowerOrder, TransferAnswer } from './driver'

// What every driver must do, whichever hypervisor it speaks to. A driver's own test calls `driverContract` with a
// world of two hosts; nothing here knows how the hosts are made.

export interface ContractWorld {
  readonly driver: Driver
  /** Two hosts that can exchange guests. Nothing runs there. */
  readonly hosts: readonly [HostId, HostId]
  /** A guest that does not exist yet. `own-disk`: it has a disk that lies at its host alone. */
  newGuest(host: HostId, kind?: 'own-disk'): NewGuest
  /** How many disks of guests lie at the host. */
  disks(host: HostId): Promise<number>
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
    diskCases(() => world)
    returnCases(() => world)
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
      const driverOperation = await built(world(), op, hosts)
      expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
      await twice(() => driver.prepare(driverOperation))
      expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'shell' })
      expect(await transferToEnd(world(), driverOperation)).toMatchObject({ did: 'done' })
      const final = await driver.transfer(driverOperation)
      expect(final).toMatchObject({ did: 'done' })
      expect(await driver.transfer(driverOperation)).toEqual(final)
      await twice(() => driver.runAt(driverOperation, 'target'))
      const seen = await driver.locate(driverOperation)
      expect(seen.target).toBe('running')
      expect(seen.source).not.toBe('running')
      await twice(() => driver.clean(driverOperation, 'source'))
      expect(await driver.locate(driverOperation)).toEqual({ source: 'absent', target: 'running' })
      expect(await guestsAt(driver, hosts[1])).toEqual([[driverOperation.instance, 'running']])
    },
  )

  test('a live transfer that is done says for how long the guest stood still, also if nobody asked on the way', async () => {
    const { driver, hosts, pass } = world()
    const driverOperation = await built(world(), 'live-migrate', hosts)
    await expectDone(driver.prepare(driverOperation))
    await driver.transfer(driverOperation)
    for (let n = 0; n < POLLS && (await driver.locate(driverOperation)).target !== 'running'; n++) await pass()
    const answer = await transferToEnd(world(), driverOperation)
    const downtimeMs = 'progress' in answer ? answer.progress.downtimeMs : null
    expect(Number.isInteger(downtimeMs)).toBe(true)
    expect(downtimeMs).toBeGreaterThan(0)
  })

  test('a live transfer that is stopped leaves the guest running where it was', async () => {
    const { driver, hosts } = world()
    const driverOperation = await built(world(), 'live-migrate', hosts)
    await expectDone(driver.prepare(driverOperation))
    expect((await driver.transfer(driverOperation)).did).toBe('running')
    // As the conductor asks before it looks at both sides.
    await twice(() => driver.stopTransfer({ ...driverOperation, reach: { source: true, target: false } }))
    await twice(() => driver.runAt(driverOperation, 'source'))
    await twice(() => driver.clean(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
  })
}

function keepingCases(world: () => ContractWorld): void {
  test('a resize on one host goes back to what the guest was', async () => {
    const { driver, hosts } = world()
    const driverOperation = await built(world(), 'resize', [hosts[0], hosts[0]])
    await expectDone(driver.prepare(driverOperation))
    expect(await transferToEnd(world(), driverOperation)).toMatchObject({ did: 'done' })
    await expectDone(driver.runAt(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'stopped', target: 'running' })
    await twice(() => driver.runAt(driverOperation, 'source'))
    await twice(() => driver.clean(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
    expect(await guestsAt(driver, hosts[0])).toEqual([[driverOperation.instance, 'running']])
  })

  test('stopping, forcing or cleaning what never began does no harm', async () => {
    const { driver, hosts } = world()
    const driverOperation = await built(world(), 'live-migrate', hosts)
    await expectDone(driver.stopTransfer(driverOperation))
    await expectDone(driver.clean(driverOperation, 'target'))
    expect((await driver.forceTransfer(driverOperation)).did).toBe('failed')
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
  })

  test('a clean-up never takes the only copy of a guest', async () => {
    const { driver, hosts } = world()
    const driverOperation = await built(world(), 'cold-migrate', hosts)
    expect((await driver.clean(driverOperation, 'source')).did).toBe('failed')
    expect((await driver.locate(driverOperation)).source).toBe('running')
  })
}

/** At a host, of a guest that has a disk of its own there. */
const claimWithDisk = ({ claim, flavor }: NewGuest, host: HostId): ClaimBody => ({
  ...claim,
  amounts: [{ provider: host as string as ProviderId, resourceClass: DISK_GB, amount: flavor.diskGib }],
})

async function builtWithDisk(
  world: ContractWorld,
  operation: Operation,
  [source, target]: readonly [HostId, HostId],
): Promise<DriverOperation> {
  const bare = world.newGuest(source, 'own-disk')
  const guest = { ...bare, claim: claimWithDisk(bare, source) }
  const claim = { source: guest.claim, target: claimWithDisk(bare, target) }
  const driverOperation = { ...(await builtAs(world, operation, [source, target], guest)), claim }
  return operation === 'live-migrate' ? { ...driverOperation, storage: 'block' } : driverOperation
}

function diskCases(world: () => ContractWorld): void {
  const disksOf = async () => Promise.all(world().hosts.map((host) => world().disks(host)))

  test('a live migration that copies the disk takes it along, and leaves none behind', async () => {
    const { driver, hosts } = world()
    const driverOperation = await builtWithDisk(world(), 'live-migrate', hosts)
    expect(await disksOf()).toEqual([1, 0])
    await twice(() => driver.prepare(driverOperation))
    expect(await disksOf()).toEqual([1, 1])
    const first = await driver.transfer(driverOperation)
    expect(first.did).toBe('running')
    const final = await transferToEnd(world(), driverOperation)
    expect(final).toMatchObject({ did: 'done' })
    await twice(() => driver.runAt(driverOperation, 'target'))
    await twice(() => driver.clean(driverOperation, 'source'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'absent', target: 'running' })
    expect(await disksOf()).toEqual([0, 1])
    await expectDone(driver.destroy({ instance: driverOperation.instance, host: hosts[1], fence: 2 }))
    expect(await disksOf()).toEqual([0, 0])
  })

  test('a live migration that is stopped while it copies the disk leaves the disk where it was', async () => {
    const { driver, hosts } = world()
    const driverOperation = await builtWithDisk(world(), 'live-migrate', hosts)
    await expectDone(driver.prepare(driverOperation))
    expect((await driver.transfer(driverOperation)).did).toBe('running')
    await twice(() => driver.stopTransfer({ ...driverOperation, reach: { source: true, target: false } }))
    await twice(() => driver.runAt(driverOperation, 'source'))
    await twice(() => driver.clean(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
    expect(await disksOf()).toEqual([1, 0])
  })

  test('a disk that the target does not share is neither left behind nor copied over itself', async () => {
    const { driver, hosts } = world()
    const driverOperation = await builtWithDisk(world(), 'live-migrate', hosts)
    expect((await driver.prepare({ ...driverOperation, storage: 'shared' })).did).toBe('failed')
    await twice(() => driver.clean(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
    expect(await disksOf()).toEqual([1, 0])
  })

  test('rebuild: every verb twice is every verb once, and the disk is another one', async () => {
    const { driver, hosts } = world()
    const driverOperation = await builtWithDisk(world(), 'rebuild', [hosts[0], hosts[0]])
    await twice(() => driver.prepare(driverOperation))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'shell' })
    expect(await disksOf()).toEqual([2, 0])
    expect(await transferToEnd(world(), driverOperation)).toMatchObject({ did: 'done' })
    await twice(() => driver.runAt(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'stopped', target: 'running' })
    await twice(() => driver.clean(driverOperation, 'source'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'absent', target: 'running' })
    expect(await guestsAt(driver, hosts[0])).toEqual([[driverOperation.instance, 'running']])
    expect(await disksOf()).toEqual([1, 0])
  })

  test('a rebuild that goes back leaves the guest with the disk it had', async () => {
    const { driver, hosts } = world()
    const driverOperation = await builtWithDisk(world(), 'rebuild', [hosts[0], hosts[0]])
    await expectDone(driver.prepare(driverOperation))
    await twice(() => driver.runAt(driverOperation, 'source'))
    await twice(() => driver.clean(driverOperation, 'target'))
    expect(await driver.locate(driverOperation)).toEqual({ source: 'running', target: 'absent' })
    expect(await disksOf()).toEqual([1, 0])
  })
}

function returnCases(world: () => ContractWorld): void {
  test('what an evacuation left is removed when only the host that came back is asked, and the guest runs on', async () => {
    const { driver, hosts } = world()
    const base = await built(world(), 'evacuate', hosts)
    const away = { ...base, reach: { source: false, target: true } }
    await expectDone(driver.prepare(away))
    expect(await transferToEnd(world(), away)).toMatchObject({ did: 'done' })
    await expectDone(driver.runAt(away, 'target'))
    const back = { ...base, reach: { source: true, target: false } }
    await twice(() => driver.clean(back, 'source'))
    expect(await guestsAt(driver, hosts[0])).toEqual([])
    expect(await guestsAt(driver, hosts[1])).toEqual([[base.instance, 'running']])
  })
}

function nameCases(world: () => ContractWorld): void {
  test('what a migration makes carries its name until the other side is cleaned', async () => {
    const { driver, hosts } = world()
    const driverOperation = await built(world(), 'live-migrate', hosts)
    await expectDone(driver.prepare(driverOperation))
    expect((await driver.survey(hosts[1]))?.map((guest) => guest.migration)).toEqual([driverOperation.migration])
    expect(await transferToEnd(world(), driverOperation)).toMatchObject({ did: 'done' })
    await expectDone(driver.runAt(driverOperation, 'target'))
    await expectDone(driver.clean(driverOperation, 'source'))
    expect((await driver.survey(hosts[1]))?.map((guest) => guest.migration)).toEqual([null])
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

function fenceCases(world: () => ContractWorld): void {
  test.each(Object.entries(FENCED))(
    '%s with an older fence is refused once the hosts were looked at',
    async (_, verb) => {
      const { driver, hosts } = world()
      const driverOperation = await built(world(), 'live-migrate', hosts)
      await expectDone(driver.prepare(driverOperation))
      const before = await driver.locate({ ...driverOperation, fence: driverOperation.fence + 1 })
      expect(await verb(driver, driverOperation)).toEqual({ did: 'stale-fence' })
      expect(await driver.locate({ ...driverOperation, fence: driverOperation.fence + 1 })).toEqual(before)
    },
  )
}

async function built(
  world: ContractWorld,
  operation: Operation,
  hosts: readonly [HostId, HostId],
): Promise<DriverOperation> {
  return builtAs(world, operation, hosts, world.newGuest(hosts[0]))
}

async function builtAs(
  world: ContractWorld,
  operation: Operation,
  hosts: readonly [HostId, HostId],
  guest: NewGuest,
): Promise<DriverOperation> {
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

async function transferToEnd(world: ContractWorld, driverOperation: DriverOperation): Promise<TransferAnswer> {
  let handedOver = false
  for (let poll = 0; poll < POLLS; poll++) {
    const answer = await world.driver.transfer(driverOperation)
    if (answer.did !== 'running') return answer
    if (handedOver) expect(answer.handedOver).toBe(true)
    // Until the guest is handed over nobody knows for how long it will have stood still.
    if (!answer.handedOver) expect(answer.progress?.downtimeMs ?? null).toBeNull()
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
  return (guests ?? []).map((guest) => [guest.instance, guest.observedState] as const)
}
