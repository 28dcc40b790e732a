import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunDetail } from '@/server/api/run/view'
import { placementAfter, stepsOf } from './placement-steps'
import { plannedMigration, ref } from './testing/planned-migration'

const { held } = plannedMigration(0)
const host = (id: string, instances: readonly string[]): RunDetail['placement'][number] => ({
  host: ref(id),
  capacity: { pcpu: 0, vcpu: 8, memoryMib: 8192 },
  guests: instances.map((instance) => ({ instance: ref(instance), held })),
})
const placesOf = (columns: ReturnType<typeof placementAfter>) =>
  Object.fromEntries(columns.map(({ host, blocks }) => [host.id, blocks.map(({ instance }) => instance.id).sort()]))

describe('the placement view', () => {
  const placement = [host('a', ['i-1', 'i-2']), host('b', ['x']), host('c', [])]

  it('plays batches one after the other', () => {
    const migrations = [plannedMigration(1, { wave: 2 }), plannedMigration(2, { wave: 1 })]
    expect(stepsOf(migrations).map(({ n }) => n)).toEqual([2, 1])
    expect(placesOf(placementAfter({ placement, migrations }, 1))).toEqual({
      a: ['i-1'],
      b: ['i-2', 'x'],
      c: [],
    })
  })

  it('shows an instance of another host that makes room and returns', () => {
    const migrations = [
      plannedMigration(1, { instance: ref('x'), from: ref('b'), to: ref('c'), helper: true }),
      plannedMigration(2, { instance: ref('i-1') }),
      plannedMigration(3, { instance: ref('x'), from: ref('c'), to: ref('b'), helper: true, wave: 2 }),
    ]
    expect(placesOf(placementAfter({ placement, migrations }, 1))).toEqual({
      a: ['i-1', 'i-2'],
      b: [],
      c: ['x'],
    })
    expect(placesOf(placementAfter({ placement, migrations }, 3))).toEqual({
      a: ['i-2'],
      b: ['i-1', 'x'],
      c: [],
    })
  })

  it('starts before the plan, even after some of its migrations were carried out', () => {
    const migrations = [plannedMigration(1, { state: 'done' })]
    const carried = [host('a', ['i-2']), host('b', ['x', 'i-1']), host('c', [])]
    expect(placesOf(placementAfter({ placement: carried, migrations }, 0))).toEqual({
      a: ['i-1', 'i-2'],
      b: ['x'],
      c: [],
    })
  })

  it('leaves out skipped and blocked instances, and stops an instance in place', () => {
    const migrations = [
      plannedMigration(1, { state: 'skipped' }),
      plannedMigration(2, { to: null, method: null, state: 'blocked' }),
      plannedMigration(2, { to: null, method: 'stop' }),
    ]
    expect(stepsOf(migrations)).toHaveLength(1)
    const [first] = placementAfter({ placement, migrations }, 1)
    expect(first?.blocks.map(({ instance, stopped }) => [instance.id, stopped])).toEqual([
      ['i-1', false],
      ['i-2', true],
    ])
  })

  it('neither loses nor duplicates an instance at any step', () => {
    const hosts = fc.constantFrom('a', 'b', 'c')
    const instances = Array.from({ length: 6 }, (_, n) => `g-${n}`)
    const plans = fc.tuple(
      fc.array(hosts, { minLength: 6, maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(5), hosts, hosts, fc.nat(3)), { maxLength: 12 }),
      fc.nat(14),
    )
    fc.assert(
      fc.property(plans, ([places, hops, done]) => {
        const of = (id: string) =>
          host(
            id,
            instances.filter((_, n) => places[n] === id),
          )
        const migrations = hops.map(([instance, from, to, wave], n) =>
          plannedMigration(n, { instance: ref(`g-${instance}`), from: ref(from), to: ref(to), wave }),
        )
        const columns = placementAfter({ placement: [of('a'), of('b'), of('c')], migrations }, done)
        const seen = columns.flatMap(({ blocks }) => blocks.map(({ instance }) => instance.id)).sort()
        expect(seen).toEqual(instances)
      }),
    )
  })
})
