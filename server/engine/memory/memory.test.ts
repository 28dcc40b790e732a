import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { audit } from '../audit'
import { decide } from '../claim'
import { countFits } from '../fit-count'
import { withHolding } from '../holdings'
import type { Host } from '../host'
import { instanceId, type SmallHost, smallHost } from '../testing/hosts'
import {
  auditDemand,
  demandFor,
  flavor,
  holdingOf,
  pinned,
  planOn,
  refusalsOf,
  verdictOn,
  withInstance,
} from '../testing/instances'
import { ordinaryMemory, ordinaryRoom } from './host-memory'

// Two nodes of 8 GiB with huge-page pools of 6 GiB each: 2 GiB per node are left for ordinary pages, 4 GiB in all.
const HUGE = 3072
const host = (more: SmallHost = {}): Host => smallHost({ shared: 4, hugePages: HUGE, ...more })
const of = (memoryMib: number, specs: Record<string, string> = {}) => flavor(1, specs, { memoryMib })
const pinnedOf = (memoryMib: number, specs: Record<string, string> = {}) => pinned(1, specs, { memoryMib })
const short = (need: number, free: number, more: object) => ({
  ...{ kind: 'ordinary-memory', need, free, shortBy: need - free, heldBy: [] },
  ...more,
})

describe('ordinary memory', () => {
  test.each(['flat', 'nested'] as const)('of all nodes bounds an instance without topology (%s)', (layout) => {
    expect(verdictOn(host({ layout }), demandFor(of(4096))).ok).toBe(true)
    expect(refusalsOf(host({ layout }), demandFor(of(4097)))).toEqual([
      short(4097, 4096, { where: { hugeMib: 12_288 } }),
    ])
  })

  test('of one node bounds an instance on that node', () => {
    expect(verdictOn(host(), demandFor(pinnedOf(2048))).ok).toBe(true)
    expect(refusalsOf(host(), demandFor(pinnedOf(2049)))).toEqual(
      [0, 1].map((hostCell) => short(2049, 2048, { where: { guestCell: 0, hostCell, hugeMib: 6144 } })),
    )
  })

  test('includes the memory reserved for the hypervisor', () => {
    const kept = host({ reservedMib: 1000 })
    expect(verdictOn(kept, demandFor(of(3096))).ok).toBe(true)
    expect(verdictOn(kept, demandFor(of(3097))).ok).toBe(false)
  })

  test('is shared by instances with and without nodes, and the refusal names both', () => {
    const full = withInstance(withInstance(host(), 1, pinnedOf(2048)), 2, of(1024))
    const [refusal] = refusalsOf(full, demandFor(of(1025)))
    expect(refusal).toMatchObject({ ...short(1025, 1024, {}), heldBy: [instanceId(1), instanceId(2)] })
    expect(refusalsOf(full, demandFor(pinnedOf(1025)))).toContainEqual(refusal)
  })

  test('and huge pages do not affect each other', () => {
    const full = withInstance(host(), 1, of(4096))
    const huge = withInstance(full, 2, pinnedOf(6144, { 'hw:mem_page_size': '2048' }))
    expect(verdictOn(huge, demandFor(pinnedOf(6144, { 'hw:mem_page_size': 'large' }))).ok).toBe(true)
    expect(verdictOn(huge, demandFor(pinnedOf(4))).ok).toBe(false)
    expect(
      verdictOn(withInstance(host(), 1, pinnedOf(6144, { 'hw:mem_page_size': '2048' })), demandFor(of(4096))).ok,
    ).toBe(true)
  })

  test('gives way to huge pages for page size any when it runs short', () => {
    const any = pinned(2, { 'hw:numa_nodes': '2', 'hw:mem_page_size': 'any' }, { memoryMib: 2000 })
    const noHuge = withInstance(
      host(),
      1,
      pinned(2, { 'hw:numa_nodes': '2', 'hw:mem_page_size': '2048' }, { memoryMib: 12_000 }),
    )
    const little = withInstance(noHuge, 2, of(3000))
    expect(planOn(noHuge, demandFor(any)).cells.map(({ pageKib }) => pageKib)).toEqual([4, 4])
    // 144 MiB of huge pages and 548 of ordinary ones are left per node, 1096 of the latter in all.
    expect(verdictOn(little, demandFor(pinned(2, any.extraSpecs, { memoryMib: 1096 }))).ok).toBe(true)
    expect(refusalsOf(little, demandFor(pinned(2, any.extraSpecs, { memoryMib: 1100 })))).not.toEqual([])
  })

  test('has an allocation ratio only for floating instances', () => {
    const twice = (on: Host): Host => ({
      ...on,
      providers: on.providers.map((each) => ({
        ...each,
        inventories: each.inventories.map((one) =>
          one.resourceClass === 'MEMORY_MB' ? { ...one, allocationRatioMilli: 2000 } : one,
        ),
      })),
    })
    const full = withInstance(withInstance(twice(host()), 1, of(4096)), 2, of(4096))
    expect(verdictOn(full, demandFor(of(1))).ok).toBe(false)
    const huge = pinnedOf(6144, { 'hw:mem_page_size': '2048' })
    const bothHuge = withInstance(withInstance(full, 3, huge), 4, huge)
    expect(verdictOn(bothHuge, demandFor(pinnedOf(2, { 'hw:mem_page_size': '2048' }))).ok).toBe(false)
    expect(verdictOn(twice(host()), demandFor(pinnedOf(2049))).ok).toBe(false)
  })

  test('includes huge pages only under the policy nova, which the audit accepts', () => {
    const nova = host({ frame: { memory: 'nova' } })
    const over = withInstance(nova, 1, of(16_000))
    expect(audit(snapshotOf(over), auditDemand)).toEqual([])
    expect(audit(snapshotOf({ ...over, memory: 'exact' }), auditDemand)).toMatchObject([
      { kind: 'memory-overcommitted', consumers: [instanceId(1)] },
    ])
  })
})

const snapshotOf = (on: Host) => ({
  hosts: [on],
  instances: [
    { id: instanceId(1), name: 'g', project: 'p', flavor: of(16_000), image: { name: 'debian', properties: {} } },
  ].map((row) => ({ ...row, host: on.id, vmState: 'active' as const, zone: null, group: null, generation: 1 })),
  migrations: [],
})

test('an overcommitted host refuses ordinary pages and still accepts the rest', () => {
  const over: Host = { ...withInstance(host({ frame: { memory: 'nova' } }), 1, of(8000)), memory: 'exact' }
  expect(refusalsOf(over, demandFor(of(1)))).toMatchObject([{ kind: 'ordinary-memory', free: 0, shortBy: 3905 }])
  expect(verdictOn(over, demandFor(pinnedOf(2048, { 'hw:mem_page_size': '2048' }))).ok).toBe(true)
})

const instances = fc.array(
  fc.record({
    memoryMib: fc.integer({ min: 1, max: 1500 }).map((n) => n * 4),
    specs: fc.constantFrom<Record<string, string>>(
      {},
      {},
      { 'hw:numa_nodes': '2' },
      { 'hw:cpu_policy': 'dedicated' },
      { 'hw:cpu_policy': 'dedicated', 'hw:numa_nodes': '2', 'hw:mem_page_size': 'any' },
      { 'hw:mem_page_size': 'small' },
      { 'hw:mem_page_size': 'large' },
      { 'hw:mem_page_size': '2048' },
    ),
  }),
  { maxLength: 12 },
)
const fleets = fc.record({
  instances,
  hugePages: fc.integer({ min: 0, max: 4096 }),
  reservedMib: fc.constantFrom(0, 512, 2048),
  layout: fc.constantFrom('flat', 'nested'),
})

test('no order of claims overcommits ordinary memory', () => {
  let placed = 0
  fc.assert(
    fc.property(fleets, ({ instances: wanted, ...small }) => {
      let now = smallHost({ shared: 4, cores: 8, ...small } as SmallHost)
      for (const [n, { memoryMib, specs }] of wanted.entries()) {
        const verdict = verdictOn(now, demandFor(flavor(2, specs, { memoryMib })))
        if (verdict.ok) now = withHolding(now, holdingOf(n, verdict.plan))
        placed += verdict.ok ? 1 : 0
      }
      expect(ordinaryRoom(ordinaryMemory(now)!)).toBeGreaterThanOrEqual(0)
      expect(audit({ hosts: [now], instances: [], migrations: [] }, auditDemand).map(({ kind }) => kind)).not.toContain(
        'memory-overcommitted',
      )
      // The capacity count uses the same decision.
      const demand = demandFor(flavor(1, {}, { memoryMib: 700 }))
      const room = countFits({ demand, hosts: [now], budget: 100 }).fits.get(now.id)!
      for (let n = 0; n < room.more; n++) now = withHolding(now, holdingOf(100 + n, planOn(now, demand)))
      expect(decide({ demand, host: now, instance: null, group: null, live: null, excludedHost: null }).ok).toBe(false)
    }),
    { numRuns: 300, examples: fc.sample(fc.tuple(fleets), { numRuns: 150, seed: 7 }) },
  )
  expect(placed).toBeGreaterThan(300)
})
