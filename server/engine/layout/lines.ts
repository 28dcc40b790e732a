import type { Host } from '../host'
import { merged } from '../resources/allocation'
import type { Amount, Inventory, Provider } from '../resources/inventory'
import { treeOf } from '../resources/trait'
import { inOrder, type Line } from '../rows'
import type { ConsumerId, ProviderId } from '../words/ids'

// The rows in which two values of one host differ, in an order that the tables accept.

/** Why an allocation changed provider, for each line. */
export type WhyOf = (consumer: ConsumerId, provider: ProviderId, resourceClass: string) => string | null

export function linesBetween(before: Host, after: Host, whyOf: WhyOf): readonly Line[] {
  return inOrder([
    ...providerLines(before, after),
    ...inventoryLines(before, after),
    ...traitLines(before, after),
    ...unitLines(before, after),
    ...allocationLines(before, after, whyOf),
    ...layoutLine(before, after),
  ])
}

interface Pair<T> {
  readonly was: T | undefined
  readonly is: T | undefined
}

/** Both sides by key, omitted when equal. */
function pairs<T>(was: ReadonlyMap<string, T>, is: ReadonlyMap<string, T>): Pair<T>[] {
  const keys = new Set([...was.keys(), ...is.keys()])
  return [...keys].flatMap((key) => {
    const pair = { was: was.get(key), is: is.get(key) }
    return JSON.stringify(pair.was) === JSON.stringify(pair.is) ? [] : [pair]
  })
}

const byKey = <T>(rows: readonly T[], keyOf: (row: T) => string) => new Map(rows.map((row) => [keyOf(row), row]))

function providerLines(before: Host, after: Host): Line[] {
  const rows = (host: Host) =>
    treeOf(host).map(({ id, name, parent, cell }) => ({ id, name, parent, root: rootOf(host), cell: cell ?? null }))
  return pairs(
    byKey(rows(before), ({ id }) => id),
    byKey(rows(after), ({ id }) => id),
  ).map(({ was, is }): Line => {
    const why = is?.cell == null ? 'It has these devices.' : `It represents NUMA node ${is.cell}.`
    const value = (row: typeof was) =>
      row ? { name: row.name, parent: row.parent, root: row.root, cell: row.cell } : null
    return {
      row: 'provider',
      key: { id: keyIn(was, is).id },
      before: value(was),
      after: value(is),
      host: after.id,
      why,
    }
  })
}

const rootOf = (host: Host): ProviderId => host.providers[0]!.id
const keyIn = <T>(was: T | undefined, is: T | undefined): T => (is ?? was) as T

function inventoryLines(before: Host, after: Host): Line[] {
  const rows = (host: Host) =>
    treeOf(host).flatMap((provider) => provider.inventories.map((inventory) => rowOf(provider, inventory)))
  const keyOf = (row: ReturnType<typeof rowOf>) => `${row.provider} ${row.resourceClass}`
  return pairs(byKey(rows(before), keyOf), byKey(rows(after), keyOf)).map(({ was, is }): Line => {
    const { provider, resourceClass } = keyIn(was, is)
    const why = is ? 'Inventory of this part of the host.' : 'The child providers have this inventory.'
    const key = { provider, resourceClass }
    return { row: 'inventory', key, before: was?.value ?? null, after: is?.value ?? null, host: after.id, why }
  })
}

function rowOf({ id }: Provider, { resourceClass, used: _, ...value }: Inventory) {
  return { provider: id, resourceClass, value }
}

function traitLines(before: Host, after: Host): Line[] {
  const rows = (host: Host) =>
    treeOf(host).flatMap(({ id, traits }) => traits.map((trait) => ({ provider: id, trait })))
  const keyOf = (row: { provider: ProviderId; trait: string }) => `${row.provider} ${row.trait}`
  return pairs(byKey(rows(before), keyOf), byKey(rows(after), keyOf)).map(({ was, is }): Line => {
    const key = keyIn(was, is)
    const why = 'Placement identifies NUMA nodes by this trait.'
    return { row: 'provider-trait', key, before: was ? {} : null, after: is ? {} : null, host: after.id, why }
  })
}

function unitLines(before: Host, after: Host): Line[] {
  const rows = (host: Host) =>
    host.devices.map(
      ({ unit, provider, gone }) => ({ unit, provider: provider ?? null, state: gone ? 'gone' : 'present' }) as const,
    )
  const keyOf = ({ unit }: { unit: string }) => unit
  return pairs(byKey(rows(before), keyOf), byKey(rows(after), keyOf)).map(({ was, is }): Line => {
    const value = (row: typeof was) => (row ? { provider: row.provider, state: row.state } : null)
    const key = { host: after.id, unit: keyIn(was, is).unit }
    return {
      row: 'unit',
      key,
      before: value(was),
      after: value(is),
      host: after.id,
      why: 'Its own provider accounts for it.',
    }
  })
}

function allocationLines(before: Host, after: Host, whyOf: WhyOf): Line[] {
  const rows = (host: Host) =>
    host.holdings.flatMap(({ consumer, body }) => merged(body.amounts).map((amount) => ({ consumer, ...amount })))
  const keyOf = (row: Amount & { consumer: ConsumerId }) => `${row.consumer} ${row.provider} ${row.resourceClass}`
  return pairs(byKey(rows(before), keyOf), byKey(rows(after), keyOf)).map(({ was, is }): Line => {
    const { consumer, provider, resourceClass } = keyIn(was, is)
    const key = { consumer, provider, resourceClass }
    const why = whyOf(consumer, provider, resourceClass) ?? 'A child provider accounts for it.'
    const value = (row: typeof was) => (row ? { amount: row.amount } : null)
    return { row: 'allocation', key, before: value(was), after: value(is), host: after.id, why }
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
