import { describe, expect, test } from 'vitest'
import { planDrain } from './drain'
import type { DrainPlan } from './drain/plan'
import { drainCaseOf, drainOf, type InstanceFixture } from './testing/drains'
import { groupId, hostId, instanceId, smallHost } from './testing/hosts'
import { flavor, pinned } from './testing/instances'

// The contents of a plan: target, operation and order of each instance, and why an instance stays.

const bare = { cells: 1, cores: 4, threads: 1 }
const hosts = (count: number, set = {}) =>
  Array.from({ length: count }, (_, n) => smallHost({ n: n + 1, ...bare, ...set }))
const at = (flavorOf: InstanceFixture['flavor'], on: number, rest: Partial<InstanceFixture> = {}): InstanceFixture => ({
  flavor: flavorOf,
  on,
  ...rest,
})

const rowsOf = ({ migrations: all }: DrainPlan) =>
  all.map(({ instance, to, method, wave }) => [instance.slice(-1), to.slice(-1), method, wave])

describe('a direct plan', () => {
  test('live-migrates every instance where the scheduler would, and leaves none', () => {
    const plan = planDrain(drainOf(drainCaseOf(hosts(3), [at(pinned(2), 1), at(pinned(1), 1), at(pinned(2), 2)])))
    expect(plan.remaining).toEqual([])
    expect(plan.migrations.map(({ helper }) => helper)).toEqual([false, false])
    expect(plan.migrations.every(({ from, method }) => from === hostId(1) && method === 'live-migrate')).toBe(true)
  })

  test('runs no more migrations in parallel than the limits allow', () => {
    const four = Array.from({ length: 4 }, () => at(pinned(1), 1))
    const limits = { perSource: 3, perTarget: 1, fleet: 64 }
    const plan = planDrain(drainOf(drainCaseOf(hosts(3), four), { limits }))
    expect(rowsOf(plan).map(([, to, , wave]) => [wave, to])).toEqual([
      [1, '2'],
      [1, '3'],
      [2, '2'],
      [2, '3'],
    ])
    expect(plan.migrations.every(({ after }) => after.length === 0)).toBe(true)
  })

  test('ignores the outgoing limit of a dead source in an evacuation, and no other', () => {
    const four = Array.from({ length: 4 }, () => at(pinned(1), 1))
    const dead = hosts(3).map((host) => (host.id === hostId(1) ? { ...host, status: 'fenced' as const } : host))
    const batchesOf = (limits: { perSource: number; perTarget: number; fleet: number }) => {
      const plan = planDrain(drainOf(drainCaseOf(dead, four), { kind: 'evacuation', limits }))
      expect(plan.remaining).toEqual([])
      return plan.migrations.map(({ wave }) => wave)
    }
    expect(batchesOf({ perSource: 1, perTarget: 9, fleet: 64 })).toEqual([1, 1, 1, 1])
    expect(batchesOf({ perSource: 1, perTarget: 1, fleet: 64 })).toEqual([1, 1, 2, 2])
    expect(batchesOf({ perSource: 1, perTarget: 9, fleet: 3 })).toEqual([1, 1, 1, 2])
  })

  test('starts with the instance that has the fewest hosts, whatever its size', () => {
    const zoned = [smallHost({ n: 1, ...bare }), smallHost({ n: 2, ...bare, cores: 2, frame: { zone: 'a' } })]
    const drainCase = drainCaseOf(
      [...zoned, smallHost({ n: 3, ...bare, frame: { zone: 'b' } })],
      [at(pinned(2), 1), at(pinned(1), 1, { set: { zone: null } })],
    )
    const bound = drainCase.instances.map((instance, index) =>
      index === 1
        ? { ...instance, demand: { ...instance.demand!, constraints: { ...instance.demand!.constraints, zone: 'a' } } }
        : instance,
    )
    const plan = planDrain(drainOf({ ...drainCase, instances: bound }))
    expect(plan.remaining).toEqual([])
    expect(plan.migrations[0]).toMatchObject({ instance: instanceId(2), to: hostId(2) })
  })

  test('puts priority before everything else', () => {
    const drainCase = drainCaseOf(hosts(3), [at(pinned(1), 1), at(pinned(1), 1)])
    const instances = drainCase.instances.map((instance, index) => ({ ...instance, priority: index }))
    expect(planDrain(drainOf({ ...drainCase, instances })).migrations[0]!.instance).toBe(instanceId(2))
  })
})

describe('an instance that cannot live-migrate', () => {
  const withVf = pinned(1, { 'pci_passthrough:alias': 'vf:1' })
  const drainCase = drainCaseOf(hosts(2, { vfs: 1 }), [at(withVf, 1)])

  test('is cold-migrated with the reason', () => {
    const plan = planDrain(drainOf(drainCase))
    expect(plan.migrations).toMatchObject([{ method: 'cold-migrate', to: hostId(2) }])
    expect(plan.migrations[0]!.notLive.map(({ kind }) => kind)).toContain('device-not-migratable')
  })

  test('is cold-migrated with a reason that counts every host', () => {
    const { migrations: all } = planDrain(drainOf(drainCaseOf(hosts(4, { vfs: 1 }), [at(withVf, 1)])))
    expect(all[0]!.refusing).toMatchObject({
      of: 3,
      rules: expect.arrayContaining([{ rule: 'device-not-migratable', hosts: 3 }]),
    })
  })

  test('is not stopped unless the operator chose so', () => {
    const plan = planDrain(drainOf(drainCase, { fallback: 'stay' }))
    expect(plan.migrations.filter(({ method }) => method !== 'live-migrate')).toEqual([])
    expect(plan.remaining[0]!.refusing).toMatchObject({
      of: 1,
      rules: expect.arrayContaining([{ rule: 'device-not-migratable', hosts: 1 }]),
    })
  })

  test.each([
    ['stay', 'stays'],
    ['stop', 'stops'],
  ] as const)('%ss by choice', (fallback, is) => {
    const plan = planDrain(drainOf(drainCase, { fallback }))
    expect(plan.migrations).toEqual([])
    expect(plan.remaining).toMatchObject([{ is, change: { is: 'move-cold', host: hostId(2) } }])
  })

  test('is cold-migrated despite the fallback when it is stopped already', () => {
    const stopped = drainCaseOf(hosts(2, { vfs: 1 }), [at(withVf, 1, { set: { vmState: 'stopped' } })])
    expect(planDrain(drainOf(stopped, { fallback: 'stay' })).migrations).toMatchObject([
      { method: 'cold-migrate', notLive: [] },
    ])
  })

  test('is cold-migrated or stays as the operator chose', () => {
    const choose = (chosen: 'stay' | 'cold-migrate') =>
      planDrain(
        drainOf(
          { ...drainCase, instances: drainCase.instances.map((instance) => ({ ...instance, chosen })) },
          { fallback: 'stay' },
        ),
      )
    expect(choose('cold-migrate').migrations).toMatchObject([{ method: 'cold-migrate' }])
    expect(choose('stay').remaining).toMatchObject([{ is: 'stays' }])
  })
})

describe('a tight fleet', () => {
  // h2 and h3 have two CPUs free each, the instance on h1 needs four on one host.
  const slide = drainCaseOf(hosts(3), [at(pinned(4), 1), at(pinned(2), 2), at(pinned(2), 3)])

  test('is solved by first migrating an instance of another host', () => {
    const plan = planDrain(drainOf(slide))
    expect(plan.remaining).toEqual([])
    expect(plan.migrations).toMatchObject([
      { helper: true, wave: 1, after: [] },
      { helper: false, wave: 2, after: [0], instance: instanceId(1) },
    ])
    expect(plan.migrations[0]!.from).toBe(plan.migrations[1]!.to)
  })

  test('has no plan when other hosts may not help, and names the instance in the way', () => {
    const plan = planDrain(drainOf(slide, { helpersAllowed: false }))
    expect(plan.migrations).toEqual([])
    expect(plan.remaining).toMatchObject([
      { is: 'blocked', proof: 'exhaustive', rule: 'amount', change: { is: 'guest-away', host: hostId(2) } },
    ])
  })

  test('is solved on a large scale by looking only at instances in the way', () => {
    const full = Array.from({ length: 30 }, (_, n) => at(pinned(2), n + 2))
    const plan = planDrain(drainOf(drainCaseOf(hosts(31), [at(pinned(4), 1), ...full]), { steps: 5_000 }))
    expect(plan.remaining).toEqual([])
    expect(plan.migrations).toHaveLength(2)
    expect(plan.decisions).toBeLessThan(5_000)
  })

  test('without a plan ends within the budget, and the proof says that it was bounded', () => {
    const full = Array.from({ length: 60 }, (_, n) => at(pinned(3), (n % 30) + 2))
    const plan = planDrain(drainOf(drainCaseOf(hosts(31), [at(pinned(4), 1), ...full]), { steps: 3_000 }))
    expect(plan.remaining).toMatchObject([{ is: 'blocked', proof: 'bounded', change: { is: 'guest-away' } }])
  })
})

describe('the smallest change', () => {
  const only = (set: Parameters<typeof smallHost>[0], instance = pinned(2)) =>
    planDrain(
      drainOf(drainCaseOf([smallHost({ n: 1, ...bare }), smallHost({ n: 2, ...bare, ...set })], [at(instance, 1)])),
    ).remaining

  test('is to enable a host that would fit', () => {
    expect(only({ frame: { scheduling: 'disabled' } })).toMatchObject([
      { change: { is: 'enable-host', host: hostId(2) } },
    ])
  })
  test('is to bring a host up', () => {
    expect(only({ frame: { status: 'down' } })).toMatchObject([{ change: { is: 'host-up' } }])
  })
  test('is none where not even an empty host would fit', () => {
    expect(only({ cores: 1 })).toMatchObject([{ proof: 'no-host-at-all', change: null, rule: 'amount' }])
  })
  test('is an amount when several instances are in the way', () => {
    const small = Array.from({ length: 4 }, () => at(pinned(1), 2))
    const plan = planDrain(drainOf(drainCaseOf(hosts(2), [at(pinned(4), 1), ...small])))
    expect(plan.remaining).toMatchObject([
      {
        proof: 'exhaustive',
        change: { is: 'more-room', host: hostId(2), refusals: [{ kind: 'amount', shortBy: 4 }, {}] },
      },
    ])
  })
  test('is to drop the affinity group', () => {
    const group = { id: groupId(1), generation: 1, policy: 'affinity', maxPerHost: 1 } as const
    const pair = [at(pinned(1), 1, { group: group.id }), at(pinned(1), 1, { group: group.id })]
    const { remaining } = planDrain(drainOf(drainCaseOf(hosts(2), pair), {}, [group]))
    expect(remaining).toMatchObject([{ rule: 'affinity', change: { is: 'drop-group', group: group.id } }, {}])
  })
  test('is to drop the zone', () => {
    const drainCase = drainCaseOf(
      [smallHost({ n: 1, ...bare, frame: { zone: 'a' } }), smallHost({ n: 2, ...bare, frame: { zone: 'b' } })],
      [at(flavor(1), 1), at(pinned(1), 1, { set: { zone: 'a' } })],
    )
    expect(planDrain(drainOf(drainCase)).remaining).toMatchObject([{ change: { is: 'drop-zone', zone: 'a' } }])
  })
})

test('anti-affinity holds at every step of a plan', () => {
  const group = { id: groupId(1), generation: 1, policy: 'anti-affinity', maxPerHost: 1 } as const
  const apart = [at(pinned(1), 1, { group: group.id }), at(pinned(1), 2, { group: group.id })]
  const { migrations: found } = planDrain(drainOf(drainCaseOf(hosts(3), apart), {}, [group]))
  expect(found).toMatchObject([{ to: hostId(3) }])
})

describe('an evacuation', () => {
  const lost = [smallHost({ n: 1, ...bare, frame: { status: 'fenced' } }), smallHost({ n: 2, ...bare })]

  test('rebuilds every instance elsewhere, including those that cannot live-migrate', () => {
    const drainCase = drainCaseOf(lost, [at(pinned(2), 1), at(pinned(1), 1, { set: { vmState: 'error' } })])
    const { migrations: found, remaining } = planDrain(drainOf(drainCase, { kind: 'evacuation', fallback: 'stay' }))
    expect(remaining).toEqual([])
    expect(found.map(({ method }) => method)).toEqual(['evacuate', 'evacuate'])
  })

  test('of a host that is only down is refused for every instance', () => {
    const down = [smallHost({ n: 1, ...bare, frame: { status: 'down' } }), smallHost({ n: 2, ...bare })]
    const { remaining } = planDrain(drainOf(drainCaseOf(down, [at(pinned(1), 1)]), { kind: 'evacuation' }))
    expect(remaining).toMatchObject([{ is: 'blocked', rule: 'host-not-fenced' }])
  })
})

test('the same request gives the same plan', () => {
  const ask = drainOf(drainCaseOf(hosts(4), [at(pinned(3), 1), at(pinned(2), 2), at(pinned(2), 3), at(pinned(3), 4)]))
  expect(planDrain(ask)).toEqual(planDrain({ ...ask }))
})
