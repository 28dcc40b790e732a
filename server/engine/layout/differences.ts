import type { Host } from '../host'
import type { Amount, Provider } from '../resources/inventory'
import { treeOf } from '../resources/trait'
import { textOf } from '../rows'

/** The differences between two values of one host, except generations and the order of rows. */
export function differences(expected: Host, found: Host): readonly string[] {
  const parts = [
    ['layout', expected.layout, found.layout],
    ['providers', treeOf(expected).map(provider).sort(), treeOf(found).map(provider).sort()],
    ['holdings', expected.holdings.map(holding).sort(), found.holdings.map(holding).sort()],
    ['devices', expected.devices.map(textOf).sort(), found.devices.map(textOf).sort()],
    ['cells', expected.numaNodes.map(textOf), found.numaNodes.map(textOf)],
  ] as const
  return parts.flatMap(([what, a, b]) => (textOf(a) === textOf(b) ? [] : [`its ${what} are not as planned`]))
}

const provider = ({ generation: _, inventories, traits, ...rest }: Provider): string =>
  textOf({ ...rest, inventories: inventories.map(textOf).sort(), traits: [...traits].sort() })

const holding = ({ body, ...rest }: Host['holdings'][number]): string =>
  textOf({ ...rest, amounts: body.amounts.map(amount).sort(), cells: body.cells, units: body.units.map(textOf).sort() })

const amount = ({ provider: id, resourceClass, amount: much }: Amount): string => `${id} ${resourceClass} ${much}`
