import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newAuditor } from './audit'
import { explain } from './claim'
import { GROUP_POLICIES, type Group } from './demand'
import { withHolding, withoutHolding } from './holdings'
import type { Host } from './host'
import { liveInstanceOf } from './live'
import { perClass } from './resources/allocation'
import { choose, POLICIES } from './scheduler'
import { groupId, hostId, instanceId, smallHost } from './testing/hosts'
import { auditDemand, demandFor, flavor, holdingOf, instanceOf, isBroken, pinned, verdictOn } from './testing/instances'
import type { UnitName } from './words/units'

// Laws of the only decision path, over random hosts, instances and histories.

const FLAVORS = [
  flavor(1),
  flavor(4, {}, { memoryMib: 6000 }),
  pinned(1),
  pinned(3, { 'hw:emulator_threads_policy': 'isolate' }),
  pinned(4, { 'hw:numa_nodes': '2' }),
  pinned(2, { 'hw:cpu_thread_policy': 'require' }),
  pinned(2, { 'hw:mem_page_size': 'large', 'pci_passthrough:alias': 'near:1' }),
  pinned(2, { 'pci_passthrough:alias': 'pf:1' }),
  pinned(2, { 'pci_passthrough:alias': 'vf:1,vf2:1' }),
  pinned(2, { 'resources:VGPU': '1', 'hw:pmem': '6GB' }),
  pinned(1, { 'pci_passthrough:alias': 'gpu:1' }),
  flavor(4, { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-3', 'hw:numa_nodes': '2' }),
  pinned(40),
]

const GROUP: Group = { id: groupId(1), generation: 1, policy: 'affinity', maxPerHost: 1, memberHosts: [] }
const shapes = fc.nat({ max: FLAVORS.length - 1 })
const hostShapes = fc.record({
  layout: fc.constantFrom('flat', 'nested' as const),
  cells: fc.integer({ min: 1, max: 3 }),
  cores: fc.integer({ min: 1, max: 4 }),
  threads: fc.constantFrom(1, 2),
  shared: fc.constantFrom(0, 1),
  hugePages: fc.constantFrom(0, 512),
  vfs: fc.nat({ max: 2 }),
  vgpus: fc.nat({ max: 2 }),
  pmems: fc.nat({ max: 2 }),
  memoryMib: fc.constantFrom(2048, 8192),
  diskGib: fc.constantFrom(2, 100),
})
const histories = fc.array(fc.record({ shape: shapes, leaves: fc.nat({ max: 9 }) }), { maxLength: 14 })

interface ClaimedInstance {
  readonly n: number
  readonly shape: number
}

function played(start: Host, history: readonly { shape: number; leaves: number }[]) {
  let host = start
  let instances: ClaimedInstance[] = []
  for (const [n, { shape, leaves }] of history.entries()) {
    const leaving = leaves < 3 ? host.holdings[leaves] : undefined
    if (leaving) {
      host = withoutHolding(host, leaving.claim)
      instances = instances.filter((instance) => instanceId(instance.n) !== leaving.consumer)
      continue
    }
    const verdict = verdictOn(host, demandFor(FLAVORS[shape]!))
    if (!verdict.ok) continue
    host = withHolding(host, holdingOf(n, verdict.plan))
    instances.push({ n, shape })
  }
  return { host, instances }
}

const rows = (host: Host, instances: readonly ClaimedInstance[]) =>
  instances.map(({ n, shape }) => instanceOf(n, FLAVORS[shape]!, { host: host.id }))

describe('after any history of claims and releases', () => {
  test('the audit finds no unit held twice, no overcommit, and no claim that differs from its flavor', () => {
    const audit = newAuditor(auditDemand)
    fc.assert(
      fc.property(hostShapes, histories, (shape, history) => {
        const { host, instances } = played(smallHost(shape), history)
        expect(audit({ hosts: [host], instances: rows(host, instances), migrations: [] }).filter(isBroken)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('a plan takes only free units, and each once', () => {
    fc.assert(
      fc.property(hostShapes, histories, shapes, (shape, history, next) => {
        const { host } = played(smallHost(shape), history)
        const verdict = verdictOn(host, demandFor(FLAVORS[next]!))
        if (!verdict.ok) return
        const units = verdict.plan.units.map((taken) => taken.unit)
        expect(new Set(units).size).toBe(units.length)
        const held = new Set<UnitName>(host.holdings.flatMap(({ body }) => body.units.map((taken) => taken.unit)))
        expect(units.filter((unit) => held.has(unit))).toEqual([])
      }),
    )
  })

  test('a plan has the requested amounts, summed over all providers', () => {
    fc.assert(
      fc.property(hostShapes, histories, shapes, (shape, history, next) => {
        const { host } = played(smallHost(shape), history)
        const demand = demandFor(FLAVORS[next]!)
        const verdict = verdictOn(host, demand)
        if (!verdict.ok) return
        const sums = perClass(verdict.plan.amounts)
        for (const [resourceClass, amount] of Object.entries(demand.amounts)) {
          expect(sums.get(resourceClass)).toBe(amount)
        }
      }),
    )
  })

  test('verdictOnly gives the same verdict without the reasons', () => {
    const ways = fc.record({
      disabled: fc.boolean(),
      running: fc.boolean(),
      otherCpu: fc.boolean(),
      isSource: fc.boolean(),
      policy: fc.option(fc.constantFrom(...GROUP_POLICIES)),
    })
    fc.assert(
      fc.property(hostShapes, histories, shapes, ways, (shape, history, next, way) => {
        const { host, instances } = played(smallHost(shape), history)
        const on: Host = {
          ...host,
          scheduling: way.disabled ? 'disabled' : host.scheduling,
          cpu: way.otherCpu ? { ...host.cpu, vendor: 'other' } : host.cpu,
        }
        const mover = way.running ? instances.at(-1) : undefined
        const asked = {
          live: mover ? liveInstanceOf(host, instanceId(mover.n)) : null,
          excludedHost: way.isSource ? host.id : null,
          group: way.policy && { ...GROUP, policy: way.policy, memberHosts: [host.id] },
        }
        const demand = demandFor(FLAVORS[mover?.shape ?? next]!)
        const whole = verdictOn(on, demand, asked)
        const only = verdictOn(on, demand, { ...asked, verdictOnly: true })
        expect(only.ok).toBe(whole.ok)
        if (whole.ok) expect(only).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })

  test('a refusal has reasons, and each shortage has its amount', () => {
    fc.assert(
      fc.property(hostShapes, histories, shapes, (shape, history, next) => {
        const { host } = played(smallHost(shape), history)
        const verdict = verdictOn(host, demandFor(FLAVORS[next]!))
        if (verdict.ok) return
        expect(verdict.refusals.length).toBeGreaterThan(0)
        for (const refusal of verdict.refusals) {
          if (!('shortBy' in refusal)) continue
          expect(refusal.shortBy).toBeGreaterThan(0)
          expect(new Set(refusal.heldBy).size).toBe(refusal.heldBy.length)
        }
      }),
    )
  })

  test('the units that an instance releases fit the same demand again', () => {
    fc.assert(
      fc.property(hostShapes, histories, (shape, history) => {
        const { host, instances } = played(smallHost(shape), history)
        const last = instances.at(-1)
        if (!last) return
        const left = withoutHolding(host, host.holdings.at(-1)!.claim)
        expect(verdictOn(left, demandFor(FLAVORS[last.shape]!)).ok).toBe(true)
      }),
    )
  })
})

test('a conversion to nested changes no verdict for instances with a topology (I10)', () => {
  const placed = fc.integer({ min: 2, max: FLAVORS.length - 1 })
  const past = fc.array(fc.record({ shape: placed, leaves: fc.nat({ max: 9 }) }), { maxLength: 14 })
  fc.assert(
    fc.property(hostShapes, past, placed, (shape, history, next) => {
      const [flat, nested] = (['flat', 'nested'] as const).map((layout) => {
        const { host } = played(smallHost({ ...shape, layout }), history)
        const verdict = verdictOn(host, demandFor(FLAVORS[next]!))
        return verdict.ok ? { cells: verdict.plan.cells, units: verdict.plan.units } : 'no'
      })
      expect(nested).toEqual(flat)
    }),
  )
})

describe('a fleet', () => {
  const fleets = fc.array(fc.record({ shape: hostShapes, history: histories }), { minLength: 1, maxLength: 4 })
  const groups = fc.record({
    policy: fc.constantFrom(...GROUP_POLICIES),
    members: fc.array(fc.nat({ max: 4 }), { maxLength: 4 }),
    maxPerHost: fc.integer({ min: 1, max: 2 }),
  })
  const hostsOf = (fleet: readonly { shape: object; history: { shape: number; leaves: number }[] }[]) =>
    fleet.map(({ shape, history }, n) => played(smallHost({ ...shape, n }), history).host)

  test('gives the same choice and ranking in any order of hosts', () => {
    fc.assert(
      fc.property(fleets, shapes, fc.constantFrom(...POLICIES), fc.nat(), (fleet, next, policy, turn) => {
        const hosts = hostsOf(fleet)
        const at = turn % hosts.length
        const turned = [...hosts.slice(at), ...hosts.slice(0, at)].reverse()
        const question = {
          demand: demandFor(FLAVORS[next]!),
          instance: null,
          group: null,
          live: null,
          excludedHost: null,
        }
        const order = (of: readonly Host[]) => choose(question, of, { policy }).plans.map(({ plan }) => plan)
        expect(order(turned)).toEqual(order(hosts))
      }),
    )
  })

  test('explain says yes exactly where a claim succeeds, and the scheduler ranks exactly those (I7)', () => {
    fc.assert(
      fc.property(fleets, shapes, fc.constantFrom(...POLICIES), (fleet, next, policy) => {
        const hosts = hostsOf(fleet)
        const question = {
          demand: demandFor(FLAVORS[next]!),
          instance: null,
          group: null,
          live: null,
          excludedHost: null,
        }
        const explained = explain(question, hosts)
        for (const { host, verdict } of explained) expect(verdictOn(host, question.demand)).toEqual(verdict)
        const { plans, refusals } = choose(question, hosts, { policy })
        const fits = explained.filter(({ verdict }) => verdict.ok).map(({ host }) => host.id)
        expect(plans.map(({ host }) => host.id).sort()).toEqual(fits.sort())
        expect(refusals.length).toBe(hosts.length - fits.length)
      }),
    )
  })

  test('a plan never violates a strict group', () => {
    fc.assert(
      fc.property(fleets, groups, (fleet, { policy, members, maxPerHost }) => {
        const memberHosts = members.map(hostId)
        const group: Group = { id: groupId(1), generation: 1, policy, maxPerHost, memberHosts }
        const question = { demand: demandFor(flavor(1)), instance: null, group, live: null, excludedHost: null }
        for (const { host, warnings } of choose(question, hostsOf(fleet), { policy: 'spread' }).plans) {
          const members = memberHosts.filter((each) => each === host.id).length
          if (policy === 'anti-affinity') expect(members).toBeLessThan(maxPerHost)
          if (policy === 'affinity') expect(members > 0 || memberHosts.length === 0).toBe(true)
          if (policy === 'affinity' || policy === 'anti-affinity') expect(warnings).toEqual([])
        }
      }),
    )
  })
})
