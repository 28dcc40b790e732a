import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newAuditor } from '../audit'
import type { Host } from '../host'
import { planLayout } from '../layout'
import { perClass } from '../resources/allocation'
import { inventoryOf, type Provider } from '../resources/inventory'
import { treeOf } from '../resources/trait'
import {
  CHOICES,
  type Choice,
  COUNTINGS,
  FLAVORS,
  FLOATING_FLAVOR,
  flatHost,
  hasFloatingMemory,
  idOf,
  replayHistory,
} from '../testing/flat-hosts'
import { migrationId } from '../testing/hosts'
import { auditDemand, demandFor, instanceOf, isBroken, verdictOn } from '../testing/instances'
import type { PlacedNode } from '../topology/guest-topology'

// A conversion changes only the provider of an amount, and an instance that fitted before fits afterwards.

const draw = <T>(from: readonly T[]) => fc.constantFrom(...from)
const hostShapes = fc.record(
  Object.fromEntries(Object.entries(CHOICES).map(([part, from]) => [part, draw<number>(from)])),
) as unknown as fc.Arbitrary<Choice>
const countings = draw<readonly string[]>(COUNTINGS)
const shapes = fc.nat({ max: FLAVORS.length - 1 })
const histories = fc.array(fc.record({ shape: shapes, leaves: fc.nat({ max: 9 }) }), { maxLength: 14 })

// Instances with and without huge pages may together exceed the memory of a NUMA node, because a flat host checks pages
// and the sum over all nodes. A child would be over its capacity, so such a host must stay flat.
function reshapedUnlessTight(host: Host): Host | null {
  const answer = planLayout(host, idOf)
  if (answer.ok) return answer.plan.after
  expect(answer.blockedBy).toMatch(/would hold \d+ MEMORY_MB of \d+\. Migrate an instance away first/)
  expect(host.numaNodes.some(({ memoryMib, memoryUsedMib }) => memoryUsedMib > memoryMib)).toBe(true)
  return null
}

/** The same gap before the claim: the flat host would take an instance into a NUMA node with less memory than that. */
const overfills = (host: Host, { cells }: { readonly cells: readonly PlacedNode[] }): boolean =>
  host.numaNodes.some((node) => {
    const more = cells.filter((part) => part.hostCell === node.id).reduce((sum, part) => sum + part.memoryMib, 0)
    return node.memoryUsedMib + more > node.memoryMib
  })

const totals = (host: Host, of: 'total' | 'reserved' | 'used') => {
  const sums = new Map<string, number>()
  for (const { inventories } of treeOf(host)) {
    for (const each of inventories) sums.set(each.resourceClass, (sums.get(each.resourceClass) ?? 0) + each[of])
  }
  return sums
}
const only = (sums: ReadonlyMap<string, number>, of: ReadonlyMap<string, number>) =>
  new Map([...sums].filter(([resourceClass]) => of.has(resourceClass)).sort())

describe('after any history of claims', () => {
  test('a conversion keeps every amount, NUMA node and unit, and the audit finds nothing', () => {
    const audit = newAuditor(auditDemand)
    fc.assert(
      fc.property(hostShapes, countings, histories, (shape, counted, history) => {
        const { host, instances } = replayHistory(flatHost(shape, counted), history)
        const after = reshapedUnlessTight(host)
        if (after === null) return
        const rows = [...instances].map(([id, of]) => instanceOf(1, FLAVORS[of]!, { id: id as never, host: host.id }))
        expect(audit({ hosts: [after], instances: rows, migrations: [] }).filter(isBroken)).toEqual([])
        for (const of of ['total', 'reserved', 'used'] as const) {
          const before = totals(host, of)
          expect(only(totals(after, of), before)).toEqual(new Map([...before].sort()))
        }
        for (const [index, { body, ...holding }] of host.holdings.entries()) {
          const { body: now, ...same } = after.holdings[index]!
          expect(same).toEqual(holding)
          expect({ cells: now.cells, units: now.units }).toEqual({ cells: body.cells, units: body.units })
          const before = perClass(body.amounts)
          expect(only(perClass(now.amounts), before)).toEqual(new Map([...before].sort()))
        }
        expect({ ...after, providers: [], holdings: [], layout: 0, devices: after.devices.map(bare) }).toEqual({
          ...{ ...host, providers: [], holdings: [], layout: 0, devices: host.devices.map(bare) },
        })
      }),
      { numRuns: 400 },
    )
  })

  test('no class of a child stays on the root, and a held device without inventory is counted once', () => {
    fc.assert(
      fc.property(hostShapes, countings, histories, (shape, counted, history) => {
        const { host } = replayHistory(flatHost(shape, counted), history)
        const after = reshapedUnlessTight(host)
        if (after === null) return
        const [root, ...children] = after.providers as [Provider, ...Provider[]]
        for (const { resourceClass } of children.flatMap(({ inventories }) => inventories)) {
          expect(inventoryOf(root, resourceClass)).toBeUndefined()
        }
        expect(root.inventories.map(({ resourceClass }) => resourceClass)).toEqual(['DISK_GB'])
        const held = new Map<string, number>()
        for (const { unit, use } of host.holdings.flatMap(({ body }) => body.units)) {
          const device = use === 'device' && host.devices.find((each) => each.unit === unit)
          if (device) held.set(device.resourceClass, (held.get(device.resourceClass) ?? 0) + 1)
        }
        const used = totals(after, 'used')
        for (const { resourceClass } of host.devices) expect(used.get(resourceClass)).toBe(held.get(resourceClass) ?? 0)
      }),
      { numRuns: 200 },
    )
  })

  // With floating instances, or memory reserved for the hypervisor, a nested host is stricter: what has no NUMA node is
  // then counted in some node, and conflicts with an instance that wants that node.
  test('the nested host fits what the flat one did, or names the NUMA node that is short', () => {
    fc.assert(
      fc.property(hostShapes, countings, histories, shapes, (shape, counted, history, next) => {
        const { host } = replayHistory(flatHost(shape, counted), history)
        const after = reshapedUnlessTight(host)
        if (after === null) return
        const demand = demandFor(FLAVORS[next]!)
        const [flat, nested] = [verdictOn(host, demand), verdictOn(after, demand)]
        if (nested.ok) expect(flat.ok).toBe(true)
        if (!flat.ok || nested.ok) return
        expect(hasFloatingMemory(next)).toBe(false)
        expect(
          shape.reservedMib > 0 ||
            overfills(host, flat.plan) ||
            host.holdings.some(({ body }) => body.cells.length === 0 || body.amounts.some(isOddMemory)),
        ).toBe(true)
        for (const refusal of nested.refusals) {
          expect(refusal).toMatchObject({ kind: 'amount', where: { hostCell: expect.any(Number) } })
        }
      }),
      { numRuns: 600 },
    )
  })

  test('both layouts choose the same units without floating instances and reserved memory', () => {
    const lie = fc.constantFrom(
      ...[...FLAVORS.keys()].filter((each) => !hasFloatingMemory(each) && each !== FLOATING_FLAVOR),
    )
    const past = fc.array(fc.record({ shape: lie, leaves: fc.nat({ max: 9 }) }), { maxLength: 14 })
    fc.assert(
      fc.property(hostShapes, countings, past, shapes, (shape, counted, history, next) => {
        const { host } = replayHistory(flatHost({ ...shape, reservedMib: 0 }, counted), history)
        const after = reshapedUnlessTight(host)
        if (after === null) return
        const [flat, nested] = [host, after].map((each) => verdictOn(each, demandFor(FLAVORS[next]!)))
        if (flat?.ok && overfills(host, flat.plan)) return
        const comparable = (verdict: typeof flat) =>
          verdict?.ok ? { cells: verdict.plan.cells, units: verdict.plan.units } : 'no'
        expect(comparable(nested)).toEqual(comparable(flat))
      }),
      { numRuns: 600 },
    )
  })

  test('an exchange of claims before or after the conversion leaves the same records', () => {
    fc.assert(
      fc.property(hostShapes, countings, histories, fc.nat(), (shape, counted, history, which) => {
        const { host } = replayHistory(flatHost(shape, counted), history)
        const subject = host.holdings[which % Math.max(1, host.holdings.length)]
        const exchange = (on: Host): Host => ({
          ...on,
          holdings: on.holdings.map((each) =>
            each.claim === subject?.claim ? { ...each, consumer: migrationId(1), consumerKind: 'migration' } : each,
          ),
        })
        const after = reshapedUnlessTight(host)
        if (after !== null) expect(reshapedUnlessTight(exchange(host))).toEqual(exchange(after))
      }),
      { numRuns: 100 },
    )
  })
})

const bare = ({ provider: _, ...device }: Host['devices'][number]) => device
const isOddMemory = ({ resourceClass, amount }: { resourceClass: string; amount: number }) =>
  resourceClass === 'MEMORY_MB' && amount === 100
