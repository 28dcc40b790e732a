import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from './claim'
import type { Group } from './demand'
import type { Host } from './host'
import { choose, inRankOrder, POLICIES, type Policy } from './scheduler'
import { groupId, hostId, smallHost } from './testing/hosts'
import { demandFor, flavor, pinned, withInstance } from './testing/instances'

const ask = (demand = demandFor(pinned(2)), group: Group | null = null) => ({
  demand,
  instance: null,
  group,
  live: null,
  excludedHost: null,
})
/** With the instance, if it fits. */
const withFitting = (host: Host, n: number, shape: ReturnType<typeof pinned>) =>
  decide({ ...ask(demandFor(shape)), host }).ok ? withInstance(host, n, shape) : host
const order = (question: ReturnType<typeof ask>, hosts: readonly Host[], policy: Policy) =>
  choose(question, hosts, { policy }).plans.map(({ host }) => host.name)

describe('policies', () => {
  const empty = smallHost({ n: 1, name: 'empty' })
  const half = withInstance(smallHost({ n: 2, name: 'half' }), 1, pinned(8))
  const little = withInstance(smallHost({ n: 3, name: 'little' }), 2, pinned(2))
  const fleet = [half, empty, little]

  test('spread prefers the emptiest host, pack the fullest', () => {
    expect(order(ask(), fleet, 'spread')).toEqual(['empty', 'little', 'half'])
    expect(order(ask(), fleet, 'pack')).toEqual(['half', 'little', 'empty'])
  })

  test('least-fragmentation completes a partly used NUMA node before it starts another', () => {
    const begun = withInstance(smallHost({ n: 4, name: 'begun', cells: 1 }), 3, pinned(6, {}, { memoryMib: 7168 }))
    const hosts = [smallHost({ n: 5, name: 'whole', cells: 1 }), begun]
    expect(order(ask(), hosts, 'least-fragmentation')).toEqual(['begun', 'whole'])
  })

  test('least-fragmentation prefers a VF of a partly used card over a whole one', () => {
    const vf = demandFor(pinned(2, { 'pci_passthrough:alias': 'vf:1' }))
    const card = { cells: 1, vfs: 2 }
    const broken = withInstance(
      smallHost({ n: 4, name: 'x-broken', ...card }),
      1,
      pinned(2, { 'pci_passthrough:alias': 'vf:1' }),
    )
    const whole = withInstance(smallHost({ n: 5, name: 'a-whole', ...card }), 1, pinned(2))
    expect(order(ask(vf), [whole, broken], 'least-fragmentation')).toEqual(['x-broken', 'a-whole'])
  })

  test('equal hosts are ordered by name, then by id', () => {
    const same = [smallHost({ n: 3, name: 'b' }), smallHost({ n: 2, name: 'a' }), smallHost({ n: 1, name: 'b' })]
    const { plans } = choose(ask(), same, { policy: 'spread' })
    expect(plans.map(({ host }) => host.id)).toEqual([hostId(2), hostId(1), hostId(3)])
  })
})

describe('inRankOrder', () => {
  const fleets = fc.array(
    fc.record({ cells: fc.constantFrom(1, 2), instances: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )

  test('yields fitting hosts in the order of a full decision', () => {
    fc.assert(
      fc.property(fleets, fc.constantFrom(...POLICIES), fc.integer({ min: 1, max: 6 }), (fleet, policy, vcpus) => {
        const hosts = fleet.map(({ cells, instances }, at) =>
          instances.reduce(
            (host, size, instance) => withFitting(host, at * 10 + instance, pinned(size)),
            smallHost({ n: at, name: `h${at % 3}`, cells }),
          ),
        )
        const question = ask(demandFor(pinned(vcpus)))
        const fitting = inRankOrder(question, hosts, { policy }).filter((host) => decide({ ...question, host }).ok)
        expect(fitting.map(({ id }) => id)).toEqual(
          choose(question, hosts, { policy }).plans.map(({ host }) => host.id),
        )
      }),
    )
  })
})

describe('the choice of a host', () => {
  test('lists the refusals of each other host', () => {
    const down = smallHost({ n: 2, frame: { status: 'down' } })
    const { plans, refusals } = choose(ask(), [smallHost(), down], { policy: 'spread' })
    expect(plans).toHaveLength(1)
    expect(refusals).toMatchObject([{ host: hostId(2), refusals: [{ kind: 'host-not-up' }] }])
  })

  test('leaves out a host that was already tried', () => {
    const choice = choose(ask(), [smallHost()], { policy: 'spread', without: [hostId(1)] })
    expect(choice).toEqual({ plans: [], refusals: [] })
  })
})

describe('soft groups override the policy', () => {
  const busy = withInstance(smallHost({ n: 1, name: 'busy', shared: 2 }), 1, flavor(4))
  const idle = smallHost({ n: 2, name: 'idle', shared: 2 })
  const soft = (policy: Group['policy'], at: number): Group => ({
    id: groupId(1),
    generation: 1,
    policy,
    maxPerHost: 1,
    memberHosts: [hostId(at)],
  })

  test('soft-affinity places the instance with its members on the fuller host', () => {
    expect(order(ask(demandFor(flavor(1)), soft('soft-affinity', 1)), [idle, busy], 'spread')).toEqual(['busy', 'idle'])
  })

  test('soft-anti-affinity avoids the emptier host of its members', () => {
    const question = ask(demandFor(flavor(1)), soft('soft-anti-affinity', 2))
    expect(order(question, [idle, busy], 'spread')).toEqual(['busy', 'idle'])
  })
})
