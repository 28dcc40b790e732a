import type { Host } from '../host'
import type { Amount, Provider } from '../resources/inventory'
import { treeOf } from '../resources/trait'

/** The differences between two values of one host, except generations and the order of rows. */
export function differences(expected: Host, found: Host): readonly string[] {
  const parts = [
    ['layout', expected.layout, found.layout],
    ['providers', treeOf(expected).map(provider).sort(), treeOf(found).map(provider).sort()],
    ['holdings', expected.holdings.map(holding).sort(), found.holdings.map(holding).sort()],
    ['devices', expected.devices.map(text).sort(), found.devices.map(text).sort()],
    ['cells', expected.cells.map(text), found.cells.map(text)],
  ] as const
  return parts.flatMap(([what, a, b]) => (text(a) === text(b) ? [] : [`its ${what} are not as planned`]))
}

const provider = ({ generation: _, inventories, traits, ...rest }: Provider): string =>
  text({ ...rest, inventories: inventories.map(text).sort(), traits: [...traits].sort() })

const holding = ({ body, ...rest }: Host['holdings'][number]): string =>
  text({ ...rest, amounts: body.amounts.map(amount).sort(), cells: body.cells, units: body.units.map(text).sort() })

const amount = ({ provider: id, resourceClass, amount: much }: Amount): string => `${id} ${resourceClass} ${much}`

// Keys in order: the two values may have been built in different ways.
function text(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
