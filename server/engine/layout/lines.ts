import type { Host } from '../host'
import { merged } from '../resources/allocation'
import { treeOf } from '../resources/trait'
import { inOrder, type Line } from '../rows'
import type { ConsumerId, ProviderId } from '../words/ids'

// The rows in which two values of one host differ, in an order that the tables accept.

/** Why an allocation changed provider, for each line. */
export type LineReason = (consumer: ConsumerId, provider: ProviderId, resourceClass: string) => string | null

export function linesBetween(before: Host, after: Host, whyOf: LineReason): readonly Line[] {
  return inOrder([
    ...providerLines(before, after),
    ...inventoryLines(before, after),
    ...traitLines(before, after),
    ...unitLines(before, after),
    ...allocationLines(before, after, whyOf),
    ...layoutLine(before, after),
  ])
}

interface Row<Key, Value> {
  readonly key: Key
  readonly value: Value
}

interface RowChange<Key, Value> {
  readonly key: Key
  readonly before: Value | null
  readonly after: Value | null
}

/** Both sides of every row by its key, omitted when equal. */
function changes<Key, Value>(
  before: readonly Row<Key, Value>[],
  after: readonly Row<Key, Value>[],
): RowChange<Key, Value>[] {
  const sides = new Map<string, RowChange<Key, Value>>()
  for (const { key, value } of before) sides.set(JSON.stringify(key), { key, before: value, after: null })
  for (const { key, value } of after) {
    const was = sides.get(JSON.stringify(key))?.before ?? null
    sides.set(JSON.stringify(key), { key, before: was, after: value })
  }
  return [...sides.values()].filter((each) => JSON.stringify(each.before) !== JSON.stringify(each.after))
}

function providerLines(before: Host, after: Host): Line[] {
  const rows = (host: Host) =>
    treeOf(host).map(({ id, name, parent, cell }) => {
      return { key: { id }, value: { name, parent, root: rootOf(host), cell: cell ?? null } }
    })
  return changes(rows(before), rows(after)).map((change): Line => {
    const node = change.after?.cell ?? null
    const why = node === null ? 'It has these devices.' : `It represents NUMA node ${node}.`
    return { row: 'provider', ...change, host: after.id, why }
  })
}

const rootOf = (host: Host): ProviderId => host.providers[0]!.id

function inventoryLines(before: Host, after: Host): Line[] {
  const rows = (host: Host) =>
    treeOf(host).flatMap(({ id, inventories }) =>
      inventories.map(({ resourceClass, used: _, ...value }) => ({ key: { provider: id, resourceClass }, value })),
    )
  return changes(rows(before), rows(after)).map((change): Line => {
    const why = change.after ? 'Inventory of this part of the host.' : 'The child providers have this inventory.'
    return { row: 'inventory', ...change, host: after.id, why }
  })
}

function traitLines(before: Host, after: Host): Line[] {
  const rows = (host: Host) =>
    treeOf(host).flatMap(({ id, traits }) => traits.map((trait) => ({ key: { provider: id, trait }, value: {} })))
  const why = 'Placement identifies NUMA nodes by this trait.'
  return changes(rows(before), rows(after)).map((change) => ({ row: 'provider-trait', ...change, host: after.id, why }))
}

function unitLines(before: Host, after: Host): Line[] {
  const rows = (host: Host) =>
    host.devices.map(({ unit, provider = null, gone }) => {
      const state: 'gone' | 'present' = gone ? 'gone' : 'present'
      return { key: { host: after.id, unit }, value: { provider, state } }
    })
  const why = 'Its own provider accounts for it.'
  return changes(rows(before), rows(after)).map((change) => ({ row: 'unit', ...change, host: after.id, why }))
}

function allocationLines(before: Host, after: Host, whyOf: LineReason): Line[] {
  const rows = (host: Host) =>
    host.holdings.flatMap(({ consumer, body }) =>
      merged(body.amounts).map(({ provider, resourceClass, amount }) => {
        return { key: { consumer, provider, resourceClass }, value: { amount } }
      }),
    )
  return changes(rows(before), rows(after)).map((change): Line => {
    const { consumer, provider, resourceClass } = change.key
    const why = whyOf(consumer, provider, resourceClass) ?? 'A child provider accounts for it.'
    return { row: 'allocation', ...change, host: after.id, why }
  })
}

function layoutLine(before: Host, after: Host): Line[] {
  if (before.layout === after.layout) return []
  const why =
    after.layout === 'nested'
      ? 'Amounts are allocated from the child providers.'
      : 'All amounts are allocated from the root provider.'
  const value = ({ layout }: Host) => ({ layout })
  return [{ row: 'host', key: { id: after.id }, before: value(before), after: value(after), host: after.id, why }]
}
