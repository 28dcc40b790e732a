import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ForestProvider,
  isOneOf,
  NO_NEED,
  roomOf,
  type Stock,
  type Tree,
  type TreeNeed,
} from '../engine/resources/forest'
import { TreeOrder } from './tree-order'

// Compares the blocks with a plain list that is sorted and filtered on every query.

const STOCK: Stock = { total: 1, reserved: 0, minUnit: 1, maxUnit: 8, stepSize: 1, ratio: 1, used: 0 }

interface TreeSpec {
  readonly id: number
  readonly name: string
  readonly totals: Readonly<Record<string, number>>
  readonly traits: readonly string[]
  readonly aggregates: readonly string[]
}

function treeOf({ id, name, totals, traits, aggregates }: TreeSpec): Tree {
  const root: ForestProvider = {
    ...{ id: String(id), name, parent: null, root: String(id), generation: 0, isHost: false },
    traits: new Set(traits),
    aggregates: new Set(aggregates),
    stocks: new Map(Object.entries(totals).map(([of, total]) => [of, { ...STOCK, total }])),
  }
  return { root, providers: [root], aggregates: root.aggregates }
}

const CLASSES = ['VCPU', 'DISK_GB']
const TRAITS = ['A', 'B', 'C']
const amount = fc.integer({ min: 1, max: 9 })
const totals = fc.subarray(CLASSES).chain((of) => fc.record(Object.fromEntries(of.map((each) => [each, amount]))))
const wanted = fc.record({
  id: fc.integer({ min: 0, max: 400 }),
  name: fc.stringMatching(/^[a-c]{1,2}$/),
  totals: totals as fc.Arbitrary<Readonly<Record<string, number>>>,
  traits: fc.subarray(TRAITS),
  aggregates: fc.subarray(['x', 'y']),
})
const anyOf = (names: string[]) =>
  fc.array(
    fc.subarray(names, { minLength: 1 }).map((any) => new Set(any)),
    { maxLength: 2 },
  )
const need: fc.Arbitrary<TreeNeed> = fc.record({
  amounts: fc.array(fc.tuple(fc.constantFrom(...CLASSES), amount), { maxLength: 2 }),
  traits: anyOf(TRAITS),
  aggregates: anyOf(['x', 'y']),
})
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ put: wanted }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.integer({ min: 0, max: 400 }) }) },
  { weight: 1, arbitrary: fc.record({ ask: need }) },
)

function has({ root }: Tree, { amounts, traits, aggregates }: TreeNeed): boolean {
  const room = (of: string) => {
    const stock = root.stocks.get(of)
    return stock ? roomOf(stock) : 0
  }
  return (
    amounts.every(([of, least]) => room(of) >= least) &&
    traits.every((any) => isOneOf(any, root.traits)) &&
    aggregates.every((any) => isOneOf(any, root.aggregates))
  )
}

const byName = (a: Tree, b: Tree) =>
  a.root.name + a.root.id.padStart(4) < b.root.name + b.root.id.padStart(4) ? -1 : 1
const ids = (trees: Iterable<Tree>) => [...trees].map(({ root }) => root.id)

test.each([0, 600])('trees are listed by name and filtered by need, with %d earlier ones', (before) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), need, (steps, last) => {
      const order = new TreeOrder()
      const plain = new Map<string, Tree>()
      const first = Array.from({ length: before }, (_, n) =>
        treeOf({
          id: 1_000 + n,
          name: `b${n % 7}`,
          totals: { VCPU: 1 + (n % 9) },
          traits: TRAITS.slice(n % 3),
          aggregates: [],
        }),
      )
      order.fill(first)
      for (const tree of first) plain.set(tree.root.id, tree)
      const agree = (asked: TreeNeed) => {
        const all = [...plain.values()].filter((tree) => asked === NO_NEED || has(tree, asked))
        expect(ids(order.trees(asked)).toSorted()).toEqual(ids(all).toSorted())
      }
      for (const each of steps) {
        if ('ask' in each) agree(each.ask)
        else if ('remove' in each) {
          const gone = plain.get(String(each.remove))
          if (gone) order.remove(gone)
          plain.delete(String(each.remove))
        } else {
          const tree = treeOf(each.put)
          order.put(tree, plain.get(tree.root.id))
          plain.set(tree.root.id, tree)
        }
      }
      agree(NO_NEED)
      agree(last)
      const names = [...order.trees(NO_NEED)].map(({ root }) => root.name)
      expect(names).toEqual([...plain.values()].sort(byName).map(({ root }) => root.name))
    }),
    { numRuns: 60 },
  )
})
