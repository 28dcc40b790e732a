import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Errand, NewGuest } from '../driver'
import { type ContractWorld, driverContract } from '../driver.contract'
import { type SimulatedFleet, simulatedFleet } from './driver'
import type { HostFault } from './faults'
import { OUTCOMES_OF_A_FAULT, type Verb } from './record'
import { memoryState } from './state'

const A = randomUUID() as HostId
const B = randomUUID() as HostId
const START = 1_800_000_000_000
const SECOND = 1_000
const MIB = 1024 * 1024

interface World extends ContractWorld {
  readonly driver: SimulatedFleet
  turn(ms: number): void
}

function makeWorld(speed = 1): World {
  let now = START
  const driver = simulatedFleet({ state: memoryState(), now: () => now, speed })
  const turn = (ms: number) => {
    now += ms
  }
  return {
    driver,
    hosts: [A, B],
    newGuest,
    newMigration: () => randomUUID() as MigrationId,
    turn,
    pass: async () => turn(SECOND),
    close: async () => {},
  }
}

function newGuest(host: HostId): NewGuest {
  return {
    instance: randomUUID() as InstanceId,
    name: 'web-1',
    host,
    flavor: { name: 'm1', vcpus: 2, memoryMib: 4096, diskGib: 10, extraSpecs: {} },
    image: { name: 'debian', properties: {} },
    claim: { amounts: [], cells: [], units: [] },
    fence: 1,
  }
}

async function moving(world: World, change: Partial<Errand> = {}): Promise<Errand> {
  const guest = newGuest(A)
  await world.driver.build(guest)
  return { ...errandOf(guest), ...change }
}

function errandOf(guest: NewGuest): Errand {
  const { instance, name, flavor, image, claim } = guest
  return {
    migration: randomUUID() as MigrationId,
    fence: 1,
    guestFence: 1,
    operation: 'live-migrate',
    instance,
    name,
    source: A,
    target: B,
    flavor: { source: flavor, target: flavor },
    image: { source: image, target: image },
    claim: { source: claim, target: claim },
    wasRunning: true,
    reach: { source: true, target: true },
  }
}

driverContract('simulated', async () => makeWorld())

describe('a guest that writes faster than the network sends', () => {
  async function busyTransfer(world: World, postCopy: 'yes' | 'no') {
    const image = { name: 'debian', properties: { berth_post_copy: postCopy } }
    const errand = await moving(world, { image: { source: image, target: image } })
    await world.driver.setDirtyRate(errand.instance, 8_000 * MIB)
    await world.driver.prepare(errand)
    await world.driver.transfer(errand)
    world.turn(3600 * SECOND)
    expect(await world.driver.transfer(errand)).toMatchObject({ did: 'running', handedOver: false })
    return errand
  }

  test('is handed over at once by post-copy, and then cannot be stopped', async () => {
    const world = makeWorld()
    const errand = await busyTransfer(world, 'yes')
    expect(await world.driver.forceTransfer(errand)).toEqual({ did: 'done' })
    world.turn(100)
    expect(await world.driver.transfer(errand)).toMatchObject({ handedOver: true, progress: { postCopy: true } })
    expect((await world.driver.stopTransfer(errand)).did).toBe('failed')
    expect((await world.driver.runAt(errand, 'source')).did).toBe('failed')
    world.turn(60 * SECOND)
    expect(await world.driver.transfer(errand)).toEqual({ did: 'done' })
  })

  test('is paused until the rest is there when its image forbids post-copy', async () => {
    const world = makeWorld()
    const errand = await busyTransfer(world, 'no')
    await world.driver.forceTransfer(errand)
    world.turn(100)
    expect(await world.driver.transfer(errand)).toMatchObject({ did: 'running', handedOver: false })
    world.turn(60 * SECOND)
    expect(await world.driver.transfer(errand)).toEqual({ did: 'done' })
    expect(await world.driver.locate(errand)).toEqual({ source: 'left', target: 'running' })
  })

  test('dies with either host once its memory lies on both', async () => {
    const world = makeWorld()
    const errand = await busyTransfer(world, 'yes')
    await world.driver.forceTransfer(errand)
    world.turn(100)
    await world.driver.setFault(A, { do: 'kill' })
    expect(await world.driver.locate(errand)).toEqual({ source: 'silent', target: 'stopped' })
  })
})

describe('a host', () => {
  test('that goes silent answers nothing, and its guests go on', async () => {
    const world = makeWorld()
    const errand = await moving(world)
    await world.driver.setFault(A, { do: 'go-silent' })
    expect(await world.driver.survey(A)).toBeNull()
    expect((await world.driver.prepare(errand)).did).toBe('no-answer')
    await world.driver.setFault(A, { do: 'return' })
    expect((await world.driver.locate(errand)).source).toBe('running')
  })

  test.each(['kill', 'fence'] as const)('%s: its guests have stopped when it returns', async (fault) => {
    const world = makeWorld()
    const errand = await moving(world)
    await world.driver.setFault(A, { do: fault })
    world.turn(SECOND)
    await world.driver.setFault(A, { do: 'return' })
    expect((await world.driver.survey(A))?.map((guest) => guest.sight)).toEqual(['stopped'])
    expect(await world.driver.runAt(errand, 'source')).toEqual({ did: 'done' })
    world.turn(SECOND)
    expect((await world.driver.locate(errand)).source).toBe('running')
  })

  test('that is gone never returns', async () => {
    const world = makeWorld()
    await world.driver.setFault(A, { do: 'vanish' })
    await world.driver.setFault(A, { do: 'return' })
    expect((await world.driver.status(A)).power).toBe('gone')
    expect(await world.driver.survey(A)).toBeNull()
  })

  test('that dies in a transfer fails it, and the guest runs on at the source', async () => {
    const world = makeWorld()
    const errand = await moving(world)
    await world.driver.prepare(errand)
    await world.driver.transfer(errand)
    world.turn(SECOND)
    await world.driver.setFault(B, { do: 'kill' })
    world.turn(3600 * SECOND)
    expect((await world.driver.transfer(errand)).did).toBe('failed')
    expect(await world.driver.locate(errand)).toEqual({ source: 'running', target: 'silent' })
  })

  test('that dies after a transfer does not undo it', async () => {
    const world = makeWorld()
    const errand = await moving(world)
    await world.driver.prepare(errand)
    await world.driver.transfer(errand)
    world.turn(3600 * SECOND)
    await world.driver.setFault(A, { do: 'kill' })
    expect((await world.driver.locate(errand)).target).toBe('running')
  })

  test('with a slow network takes longer', async () => {
    const world = makeWorld()
    const errand = await moving(world)
    await world.driver.setFault(B, { do: 'bandwidth', bytesPerS: 10 * MIB })
    await world.driver.setDirtyRate(errand.instance, 0)
    await world.driver.prepare(errand)
    await world.driver.transfer(errand)
    world.turn(400 * SECOND)
    expect(await world.driver.transfer(errand)).toMatchObject({ progress: { bandwidthBytesPerS: 10 * MIB } })
    world.turn(20 * SECOND)
    expect(await world.driver.transfer(errand)).toEqual({ did: 'done' })
  })
})

describe('while the other side is silent and the guest may run there', () => {
  async function silentSource(reach: Errand['reach']) {
    const world = makeWorld()
    const errand = await moving(world, { operation: 'cold-migrate', reach })
    await world.driver.prepare(errand)
    await world.driver.transfer(errand)
    world.turn(3600 * SECOND)
    await world.driver.transfer(errand)
    await world.driver.runAt(errand, 'target')
    await world.driver.runAt(errand, 'source')
    await world.driver.setFault(A, { do: 'go-silent' })
    return world.driver.runAt(errand, 'target')
  }

  test('a guest is not started', async () => {
    expect((await silentSource({ source: true, target: true })).did).toBe('no-answer')
  })

  test('it is started all the same when the caller knows better', async () => {
    expect(await silentSource({ source: false, target: true })).toEqual({ did: 'done' })
  })
})

describe('an evacuation', () => {
  test('goes on beside a dead source, and the stale guest is cleaned when the host returns', async () => {
    const world = makeWorld()
    const errand = await moving(world, { operation: 'evacuate', reach: { source: false, target: true } })
    await world.driver.setFault(A, { do: 'fence' })
    expect(await world.driver.prepare(errand)).toEqual({ did: 'done' })
    await world.driver.transfer(errand)
    world.turn(60 * SECOND)
    expect(await world.driver.transfer(errand)).toEqual({ did: 'done' })
    expect(await world.driver.runAt(errand, 'target')).toEqual({ did: 'done' })
    expect((await world.driver.clean(errand, 'source')).did).toBe('no-answer')
    await world.driver.setFault(A, { do: 'return' })
    expect(await world.driver.clean(errand, 'source')).toEqual({ did: 'done' })
    expect(await world.driver.survey(A)).toEqual([])
  })
})

describe('the fault plan', () => {
  const expected = { fail: 'failed', 'lose-answer': 'no-answer', silent: 'no-answer', half: 'failed' } as const

  test.each(OUTCOMES_OF_A_FAULT)('%s: strikes the nth call and no other, and a second try heals it', async (goes) => {
    const world = makeWorld()
    const errand = await moving(world)
    await world.driver.setFault(B, { do: 'plan', fault: { on: 'prepare', nth: 2, goes } })
    expect(await world.driver.prepare(errand)).toEqual({ did: 'done' })
    await world.driver.clean(errand, 'target')
    expect((await world.driver.prepare(errand)).did).toBe(expected[goes])
    await world.driver.setFault(B, { do: 'return' })
    expect(await world.driver.prepare(errand)).toEqual({ did: 'done' })
  })

  test('a transfer that breaks halfway fails, and the guest runs on at the source', async () => {
    const world = makeWorld()
    const errand = await moving(world)
    await world.driver.setFault(A, { do: 'plan', fault: { on: 'transfer', nth: 1, goes: 'half' } })
    await world.driver.prepare(errand)
    expect((await world.driver.transfer(errand)).did).toBe('running')
    world.turn(3600 * SECOND)
    expect((await world.driver.transfer(errand)).did).toBe('failed')
    expect(await world.driver.locate(errand)).toEqual({ source: 'running', target: 'shell' })
  })

  test('a switch that stops in the middle leaves the guest nowhere running, and the next one ends it', async () => {
    const world = makeWorld()
    const errand = await moving(world, { operation: 'cold-migrate' })
    await world.driver.setFault(B, { do: 'plan', fault: { on: 'runAt', nth: 1, goes: 'half' } })
    await world.driver.prepare(errand)
    await world.driver.transfer(errand)
    world.turn(3600 * SECOND)
    await world.driver.transfer(errand)
    expect((await world.driver.runAt(errand, 'target')).did).toBe('no-answer')
    expect(await world.driver.locate(errand)).toEqual({ source: 'stopped', target: 'shell' })
    expect(await world.driver.runAt(errand, 'target')).toEqual({ did: 'done' })
  })
})

test('a faster fleet takes less of our time for the same work', async () => {
  const ends = await Promise.all(
    [1, 10].map(async (speed) => {
      const world = makeWorld(speed)
      const errand = { ...(await moving(world)), instance: '00000000-0000-4000-8000-000000000010' as InstanceId }
      await world.driver.build({ ...newGuest(A), instance: errand.instance })
      await world.driver.prepare(errand)
      let ms = 0
      while ((await world.driver.transfer(errand)).did === 'running') {
        world.turn(10)
        ms += 10
      }
      return ms
    }),
  )
  expect(ends[0]! / ends[1]!).toBeCloseTo(10, 0)
})

type Move =
  | { readonly do: 'verb'; readonly verb: Verb; readonly side: 'source' | 'target' }
  | { readonly do: 'fault'; readonly host: 'A' | 'B'; readonly fault: HostFault['do'] }
  | { readonly do: 'wait'; readonly ms: number }

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    do: fc.constant('verb' as const),
    verb: fc.constantFrom<Verb>('prepare', 'transfer', 'stopTransfer', 'forceTransfer', 'runAt', 'clean'),
    side: fc.constantFrom('source' as const, 'target' as const),
  }),
  fc.record({
    do: fc.constant('fault' as const),
    host: fc.constantFrom('A' as const, 'B' as const),
    fault: fc.constantFrom<HostFault['do']>('go-silent', 'kill', 'return'),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
)

async function play(world: World, errand: Errand, move: Move): Promise<void> {
  const { driver } = world
  if (move.do === 'wait') return world.turn(move.ms)
  if (move.do === 'fault') {
    return driver.setFault(move.host === 'A' ? A : B, { do: move.fault } as HostFault)
  }
  if (move.verb === 'runAt') await driver.runAt(errand, move.side)
  else if (move.verb === 'clean') await driver.clean(errand, move.side)
  else if (move.verb === 'prepare') await driver.prepare(errand)
  else if (move.verb === 'transfer') await driver.transfer(errand)
  else if (move.verb === 'stopTransfer') await driver.stopTransfer(errand)
  else await driver.forceTransfer(errand)
}

test('whatever is asked in whatever order, the guest never runs twice and its last copy is never wiped', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('live-migrate' as const, 'cold-migrate' as const, 'resize' as const),
      fc.array(moves, { maxLength: 25 }),
      async (operation, script) => {
        const world = makeWorld()
        const errand = await moving(world, { operation })
        for (const move of script) await play(world, errand, move)
        for (const host of [A, B]) await world.driver.setFault(host, { do: 'return' })
        const surveys = await Promise.all([A, B].map((host) => world.driver.survey(host)))
        const sights = surveys.flat().map((guest) => guest?.sight)
        expect(sights.filter((sight) => sight === 'running').length).toBeLessThanOrEqual(1)
        expect(sights.filter((sight) => sight !== 'shell').length).toBeGreaterThanOrEqual(1)
      },
    ),
    { numRuns: 500 },
  )
})
