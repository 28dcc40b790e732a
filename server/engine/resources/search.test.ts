import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Forest, type ForestProvider, NO_FILTER, NO_NEED, type Stock, type Tree } from './forest'
import { canAssignSeparately } from './matching'
import { BY_NAME, type Candidate, candidates, type Request, type SearchOrder } from './search'
import type { Group } from './search-group'

interface ProviderSpec {
  readonly parent?: string
  readonly stocks?: Readonly<Record<string, number | Partial<Stock>>>
  readonly traits?: readonly string[]
  readonly aggregates?: readonly string[]
}

const STOCK: Stock = { total: 1, reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, ratio: 1, used: 0 }

/** Providers by name; a parent stands before its children. */
function forestOf(wanted: Readonly<Record<string, ProviderSpec>>): Forest {
  const providers = new Map<string, ForestProvider>()
  for (const [id, { parent, stocks = {}, traits = [], aggregates = [] }] of Object.entries(wanted)) {
    const root = parent === undefined ? id : (providers.get(parent)?.root ?? parent)
    providers.set(id, {
      ...{ id, name: id, parent: parent ?? null, root, generation: 0, isHost: false },
      traits: new Set(traits),
      aggregates: new Set(aggregates),
      stocks: new Map(
        Object.entries(stocks).map(([of, stock]) => [
          of,
          { ...STOCK, ...(typeof stock === 'number' ? { total: stock } : stock) },
        ]),
      ),
    })
  }
  const all = [...providers.values()]
  const trees = all
    .filter(({ parent }) => parent === null)
    .map((root): Tree => {
      const own = all.filter((each) => each.root === root.id)
      return { root, providers: own, aggregates: new Set(own.flatMap((each) => [...each.aggregates])) }
    })
  const sharers = all.filter(({ traits }) => traits.has('MISC_SHARES_VIA_AGGREGATE'))
  return {
    provider: (id) => providers.get(id),
    tree: (id) => trees.find(({ root }) => root.id === id),
    trees: () => trees,
    sharers: () => sharers,
    sharersIn: (aggregate) => sharers.filter(({ aggregates }) => aggregates.has(aggregate)),
  }
}

const group = (suffix: string, resources: Readonly<Record<string, number>>, more: Partial<Group> = {}): Group => ({
  ...{ ...NO_FILTER, suffix, resources: new Map(Object.entries(resources)), tree: null, closed: new Set() },
  ...more,
})

const request = (groups: readonly Group[], more: Partial<Request> = {}): Request => ({
  ...{ groups, isolate: false, sameSubtrees: [], nested: true },
  ...{ rootRequired: new Set<string>(), rootForbidden: new Set<string>() },
  ...more,
})

/** `cn1 VCPU 1, disk DISK_GB 5` */
const line = ({ uses }: Candidate) =>
  uses
    .flatMap(({ provider, resources }) => [...resources].map(([of, amount]) => `${provider.id} ${of} ${amount}`))
    .sort()
    .join(', ')
const found = (forest: Forest, asked: Request) => [...candidates(forest, asked)].map(line)

const SHARING = { traits: ['MISC_SHARES_VIA_AGGREGATE'] }
const DISKLESS = forestOf({
  cn1: { stocks: { VCPU: 4 }, aggregates: ['a'] },
  cn2: { stocks: { VCPU: 4, DISK_GB: 10 }, aggregates: ['a'] },
  cn3: { stocks: { VCPU: 4 } },
  pool: { ...SHARING, stocks: { DISK_GB: 100 }, aggregates: ['a'] },
})

describe('a group of several providers', () => {
  test('takes from the tree and from providers shared with it', () => {
    expect(found(DISKLESS, request([group('', { VCPU: 1, DISK_GB: 5 })]))).toEqual([
      'cn1 VCPU 1, pool DISK_GB 5',
      'cn2 DISK_GB 5, cn2 VCPU 1',
      'cn2 VCPU 1, pool DISK_GB 5',
    ])
  })

  test('yields a purely shared candidate once, not once per tree', () => {
    expect(found(DISKLESS, request([group('', { DISK_GB: 50 })]))).toEqual(['pool DISK_GB 50'])
  })

  test('has its required traits in total, and forbidden ones nowhere', () => {
    const forest = forestOf({
      cn: { stocks: { VCPU: 4 }, traits: ['FAST'] },
      nic: { parent: 'cn', stocks: { VF: 4 }, traits: ['PHYSNET'] },
    })
    const both = { required: [new Set(['FAST']), new Set(['PHYSNET'])] }
    expect(found(forest, request([group('', { VCPU: 1, VF: 1 }, both)]))).toHaveLength(1)
    expect(found(forest, request([group('', { VCPU: 1 }, both)]))).toEqual([])
    expect(found(forest, request([group('', { VCPU: 1, VF: 1 }, { forbidden: new Set(['PHYSNET']) })]))).toEqual([])
  })

  test('ignores child providers for clients without nested trees', () => {
    const forest = forestOf({ cn: { stocks: { VCPU: 4 } }, nic: { parent: 'cn', stocks: { VF: 4 } } })
    expect(found(forest, request([group('', { VCPU: 1, VF: 1 })], { nested: false }))).toEqual([])
    expect(found(forest, request([group('', { VF: 1 })], { nested: false }))).toEqual(['nic VF 1'])
  })
})

describe('amounts', () => {
  test.each<[string, Partial<Stock>, number, boolean]>([
    ['may use the last unit', { total: 4, used: 3 }, 1, true],
    ['may not exceed the inventory', { total: 4, used: 4 }, 1, false],
    ['may not use the reserve', { total: 4, reserved: 4 }, 1, false],
    ['may use the allocation ratio', { total: 1, ratio: 16, used: 15 }, 1, true],
    ['respect the minimum', { total: 8, minUnit: 4 }, 2, false],
    ['respect the maximum', { total: 8, maxUnit: 4 }, 6, false],
    ['respect the step size', { total: 8, stepSize: 4 }, 6, false],
  ])('%s', (_, stock, amount, fits) => {
    const forest = forestOf({ cn: { stocks: { VCPU: stock } } })
    expect(found(forest, request([group('', { VCPU: amount })]))).toHaveLength(fits ? 1 : 0)
  })

  test('of groups that share a provider are added up', () => {
    const forest = forestOf({ cn: { stocks: { VF: { total: 8, maxUnit: 3 } } } })
    const pair = (amount: number) => request([group('1', { VF: amount }), group('2', { VF: 1 })])
    expect(found(forest, pair(2))).toEqual(['cn VF 3'])
    expect(found(forest, pair(3))).toEqual([])
  })
})

const CARDS = Object.fromEntries([...'abcdefgh'].map((card) => [card, { parent: 'cn', stocks: { VGPU: 1 } }]))
const WIDE = forestOf({ cn: { stocks: { VCPU: 64 } }, ...CARDS })
const cards = (many: number, more: Partial<Request> = {}) =>
  request(
    Array.from({ length: many }, (_, index) => group(`${index + 1}`, { VGPU: 1 })),
    { isolate: true, ...more },
  )

describe('a wide tree', () => {
  test('yields as many candidates as permutations, each once', () => {
    const all = [...candidates(WIDE, cards(3))].map(({ mappings }) =>
      mappings.map(([suffix, [card]]) => `${suffix}=${card?.id}`).join(' '),
    )
    expect(all).toHaveLength(8 * 7 * 6)
    expect(new Set(all).size).toBe(all.length)
  })

  test('is searched only as far as requested', () => {
    let searched = 0
    class CountingMap extends Map<string, Stock> {
      override get(of: string) {
        searched += 1
        return super.get(of)
      }
    }
    const cn = WIDE.tree('cn') as Tree
    const providers = cn.providers.map((each) => ({ ...each, stocks: new CountingMap(each.stocks) }))
    const watched: Forest = { ...WIDE, trees: () => [{ ...cn, root: providers[0] as ForestProvider, providers }] }
    const search = candidates(watched, cards(8))
    for (let taken = 0; taken < 10; taken++) expect(search.next().done).toBe(false)
    expect(searched).toBeLessThan(300) // of 40 320 possible orders
  })

  test('is skipped at once when the groups cannot be isolated', () => {
    const choices = Array.from({ length: 9 }, () => WIDE.tree('cn')?.providers.slice(1) ?? [])
    expect(canAssignSeparately(choices.slice(1))).toBe(true)
    expect(canAssignSeparately(choices)).toBe(false)
    expect(found(WIDE, cards(9))).toEqual([])
  })

  test('a matching is found exactly when an exhaustive search finds one', () => {
    const providers = WIDE.tree('cn')?.providers.slice(1) ?? []
    const choice = fc.subarray(providers, { minLength: 0, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(choice, { maxLength: 5 }), (choices) => {
        const tried = (at: number, used: readonly ForestProvider[]): boolean =>
          at === choices.length ||
          (choices[at] ?? []).some((each) => !used.includes(each) && tried(at + 1, [...used, each]))
        expect(canAssignSeparately(choices)).toBe(tried(0, []))
      }),
    )
  })
})

describe('a tree that lacks something', () => {
  /** How many times an amount is read until all are found. */
  function searched(forest: Forest, asked: Request): { readonly found: number; readonly searched: number } {
    let searched = 0
    class CountingMap extends Map<string, Stock> {
      override get(of: string) {
        searched += 1
        return super.get(of)
      }
    }
    const watch = (each: ForestProvider) => ({ ...each, stocks: new CountingMap(each.stocks) })
    const trees = [...forest.trees(NO_NEED)].map((tree) => {
      const providers = tree.providers.map(watch)
      return { ...tree, root: providers[0] as ForestProvider, providers }
    })
    const provider = (id: string) => trees.flatMap(({ providers }) => providers).find((each) => each.id === id)
    const found = [...candidates({ ...forest, provider, trees: () => trees }, asked)].length
    return { found, searched }
  }

  test('is rejected without all permutations, even where groups may share a provider', () => {
    const { found, searched: many } = searched(WIDE, cards(9, { isolate: false }))
    expect(found).toBe(0)
    expect(many).toBeLessThan(1_000)
  })

  test('prunes a choice that leaves nothing for a later group', () => {
    const last = { required: [new Set(['FAST'])] }
    const fast = { stocks: { VGPU: 1 }, traits: ['FAST'] }
    const forest = forestOf({ cn: {}, ...CARDS, a: { parent: 'cn', ...fast } })
    const groups = [...cards(3).groups, group('z', { VGPU: 1 }, last)]
    const { found, searched: many } = searched(forest, request(groups, { isolate: true }))
    expect(found).toBe(7 * 6 * 5)
    expect(many).toBeLessThan(10_000)
  })

  test('rejects a subtree condition that no provider can meet', () => {
    const nodes = Object.fromEntries([...'01234567'].map((n) => [`n${n}`, { parent: 'cn', stocks: { VCPU: 4 } }]))
    const forest = forestOf({ cn: {}, ...nodes, ...CARDS })
    const near = { isolate: false, sameSubtrees: [new Set(['_C', '_1', '_2', '_3', '_4'])] }
    const groups = [group('_C', { VCPU: 1 }), ...[1, 2, 3, 4].map((n) => group(`_${n}`, { VGPU: 1 }))]
    const { found, searched: many } = searched(forest, request(groups, near))
    expect(found).toBe(0)
    expect(many).toBeLessThan(1_000)
  })
})

describe('candidates are ordered', () => {
  const forest = forestOf({
    a: { stocks: {} },
    a1: { parent: 'a', stocks: { VGPU: 1 } },
    a2: { parent: 'a', stocks: { VGPU: 1 } },
    b: { stocks: { VGPU: 1 } },
    c: {},
    c1: { parent: 'c', stocks: { VGPU: 1 } },
    c2: { parent: 'c', stocks: { VGPU: 1 } },
  })
  const asked = request([group('', { VGPU: 1 })])
  const names = (order: SearchOrder) => [...candidates(forest, asked, order)].map(({ uses: [one] }) => one?.provider.id)

  test('by tree, depth first or breadth first', () => {
    expect(names(BY_NAME)).toEqual(['a1', 'a2', 'b', 'c1', 'c2'])
    expect(names({ ...BY_NAME, breadthFirst: true })).toEqual(['a1', 'b', 'c1', 'a2', 'c2'])
  })

  test('at random, with one candidate of each tree first and any of them at the top', () => {
    const firsts = new Set<string | undefined>()
    let drawn = 20_261_121
    const chance = () => {
      drawn = (drawn * 48_271) % 2_147_483_647
      return drawn / 2_147_483_647
    }
    for (let run = 0; run < 200; run++) {
      const found = names({ breadthFirst: false, chance })
      expect(found.toSorted()).toEqual(['a1', 'a2', 'b', 'c1', 'c2'])
      expect(new Set(found.slice(0, 3).map((name) => name?.[0])).size).toBe(3)
      firsts.add(found[0])
    }
    expect([...firsts].sort()).toEqual(['a1', 'a2', 'b', 'c1', 'c2'])
  })
})

test('a tree with one provider gives the same candidates as with an empty child', () => {
  const names = fc.subarray(['A', 'B', 'C'])
  const amount = fc.integer({ min: 1, max: 4 })
  const filter = fc.record({
    required: fc.array(
      fc.subarray(['A', 'B', 'C'], { minLength: 1 }).map((any) => new Set(any)),
      { maxLength: 2 },
    ),
    forbidden: names.map((any) => new Set(any)),
    memberOf: fc.array(
      fc.subarray(['x', 'y'], { minLength: 1 }).map((any) => new Set(any)),
      { maxLength: 2 },
    ),
    notMemberOf: fc.subarray(['x', 'y']).map((any) => new Set(any)),
    suffix: fc.constantFrom('', '1'),
    tree: fc.constantFrom(null, 'cn', 'other'),
  })
  const stock = fc.record({ total: amount, used: fc.integer({ min: 0, max: 2 }), minUnit: amount, stepSize: amount })
  fc.assert(
    fc.property(stock, names, fc.subarray(['x', 'y']), filter, amount, (vcpu, traits, aggregates, more, asks) => {
      const cn = { stocks: { VCPU: vcpu }, traits, aggregates }
      const asked = request([{ ...group('', { VCPU: asks }), ...more }])
      const answerOf = (forest: Forest) =>
        [...candidates(forest, asked)].map((each) => [line(each), each.mappings.map(([suffix]) => suffix)])
      expect(answerOf(forestOf({ cn }))).toEqual(answerOf(forestOf({ cn, child: { parent: 'cn' } })))
    }),
    { numRuns: 1_000 },
  )
})

describe('a subtree', () => {
  const forest = forestOf({
    cn: {},
    n0: { parent: 'cn', stocks: { VCPU: 4 } },
    n1: { parent: 'cn', stocks: { VCPU: 4 }, traits: ['NUMA'] },
    f0: { parent: 'n0', stocks: { FPGA: 1 } },
    f1: { parent: 'n1', stocks: { FPGA: 1 } },
  })
  const near = { sameSubtrees: [new Set(['_C', '_F'])] }

  test('contains all groups of its condition', () => {
    const groups = [group('_C', { VCPU: 1 }), group('_F', { FPGA: 1 })]
    expect(found(forest, request(groups))).toHaveLength(4)
    expect(found(forest, request(groups, near))).toEqual(['f0 FPGA 1, n0 VCPU 1', 'f1 FPGA 1, n1 VCPU 1'])
  })

  test('may have a root from which nothing is taken', () => {
    const groups = [group('_C', {}, { required: [new Set(['NUMA'])] }), group('_F', { FPGA: 1 })]
    expect(found(forest, request(groups, near))).toEqual(['f1 FPGA 1'])
  })
})

test('root traits apply to root providers only', () => {
  const forest = forestOf({
    cn1: { stocks: { VCPU: 1 }, traits: ['GOOD'] },
    cn2: { stocks: { VCPU: 1 }, traits: ['GOOD', 'BAD'] },
    cn3: { stocks: { VCPU: 1 } },
  })
  const roots = { rootRequired: new Set(['GOOD']), rootForbidden: new Set(['BAD']) }
  expect(found(forest, request([group('', { VCPU: 1 })], roots))).toEqual(['cn1 VCPU 1'])
})
