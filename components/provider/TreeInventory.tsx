'use client'
import type { TreeProviderView } from '@/server/api/provider/router'
import { amountText } from '../claim/amount/words'
import { ListTable } from '../console/list/ListTable'
import { useWholeList, type WholeList } from '../console/list/list'
import { paths } from '../console/paths'
import { Copyable } from '../ui/Copyable'
import { cx } from '../ui/cx'
import { dash } from '../ui/dash'
import { count } from '../ui/format'
import type { Column } from '../ui/table/column'
import { Traits } from './Traits'
import { Use } from './tree-columns'
import { providerWords as words } from './words'

export interface InventoryRow {
  readonly provider: TreeProviderView
  /** Null for a provider without inventory. */
  readonly inventory: TreeProviderView['inventories'][number] | null
  /** The first row of its provider, which names the provider. */
  readonly isFirst: boolean
}

export const inventoryRows = (providers: readonly TreeProviderView[]): readonly InventoryRow[] =>
  providers.flatMap((provider): InventoryRow[] =>
    provider.inventories.length === 0
      ? [{ provider, inventory: null, isFirst: true }]
      : provider.inventories.map((inventory, at) => ({ provider, inventory, isFirst: at === 0 })),
  )

const INDENT_PX = 18

function Name({ row: { provider, isFirst } }: { row: InventoryRow }) {
  return (
    <span
      className="flex h-full items-center border-line"
      style={{ paddingLeft: provider.depth * INDENT_PX, borderLeftWidth: provider.depth > 0 ? 2 : 0 }}
    >
      <span
        className={
          isFirst
            ? cx(
                'min-w-0 overflow-hidden text-ellipsis [overflow-wrap:anywhere]',
                provider.depth === 0 && 'font-semibold',
              )
            : 'sr-only'
        }
      >
        {provider.name}
      </span>
    </span>
  )
}

const amount = (id: 'total' | 'reserved'): Column<InventoryRow> => ({
  ...{ id, head: words[id], width: 96, align: 'end' as const, sortable: false },
  value: ({ inventory }) => inventory?.[id] ?? null,
  cell: ({ inventory }) => (inventory ? amountText(inventory.resourceClass, inventory[id]) : dash),
})

const columns: readonly Column<InventoryRow>[] = [
  {
    ...{ id: 'provider', head: words.provider, fixed: true, minWidth: 110, wraps: true, sortable: false },
    value: ({ provider }) => provider.name,
    exportId: ({ provider }) => provider.id,
    cell: (row) => <Name row={row} />,
  },
  {
    ...{ id: 'class', head: words.resourceClass, minWidth: 104, keep: true, sortable: false },
    value: ({ inventory }) => inventory?.resourceClass ?? null,
    cell: ({ inventory }) =>
      inventory ? (
        <span className="font-mono text-xs">{inventory.resourceClass}</span>
      ) : (
        <span className="text-faint">{words.noInventory}</span>
      ),
  },
  {
    ...{ id: 'held', head: words.held, width: 164, keep: true, sortable: false },
    value: ({ inventory }) => inventory?.held ?? null,
    cell: ({ inventory }) => (inventory ? <Use amount={inventory} /> : dash),
  },
  amount('reserved'),
  amount('total'),
  {
    ...{ id: 'ratio', head: words.ratio, width: 70, align: 'end' as const, sortable: false },
    value: ({ inventory }) => inventory?.ratio ?? null,
  },
  {
    ...{ id: 'generation', head: words.generation, width: 96, align: 'end' as const, sortable: false },
    value: ({ provider }) => provider.generation,
    cell: ({ provider, isFirst }) => (isFirst ? count(provider.generation) : null),
  },
  {
    ...{ id: 'traits', head: words.traits, minWidth: 220, sortable: false },
    value: ({ provider }) => provider.traits.join(' '),
    cell: ({ provider, isFirst }) =>
      isFirst ? <Traits traits={provider.traits} hrefOf={(trait) => paths.providers({ q: `trait:${trait}` })} /> : null,
  },
  {
    ...{ id: 'uuid', head: words.uuid, width: 110, sortable: false },
    value: ({ provider }) => provider.id,
    cell: ({ provider, isFirst }) => (isFirst ? <Copyable text={provider.id} short={provider.id.slice(0, 8)} /> : null),
  },
  {
    ...{ id: 'aggregates', head: words.aggregates, width: 100, align: 'end' as const, hidden: true, sortable: false },
    value: ({ provider }) => provider.aggregates.join(' '),
    cell: ({ provider, isFirst }) => (isFirst ? count(provider.aggregates.length) : null),
  },
]

const rowKey = ({ provider, inventory }: InventoryRow) => `${provider.id} ${inventory?.resourceClass ?? ''}`

const inventoryList: WholeList<InventoryRow> = {
  keys: [
    { id: 'provider', label: words.providerFilters.provider },
    { id: 'class', label: words.providerFilters.class },
    { id: 'trait', label: words.providerFilters.trait },
  ],
  fields: {
    provider: ({ provider }) => [provider.name],
    class: ({ inventory }) => (inventory ? [inventory.resourceClass] : []),
    trait: ({ provider }) => provider.traits,
    text: ({ provider, inventory }) => [
      provider.name,
      provider.id,
      ...provider.traits,
      ...(inventory ? [inventory.resourceClass] : []),
    ],
  },
  sortColumns: [],
}

/** Providers under their parents, each with its inventory and usage. */
export function TreeInventory({ providers }: { providers: readonly TreeProviderView[] }) {
  const list = useWholeList(inventoryRows(providers), inventoryList)
  // After filtering, the first remaining row of a provider names it.
  const rows = list.rows.map((row, at) => ({ ...row, isFirst: list.rows[at - 1]?.provider !== row.provider }))
  return (
    <ListTable
      columns={columns}
      rowKey={rowKey}
      list={list}
      rows={rows}
      words={{ ...words.inventoryEmpty, title: words.tree, filter: words.providerFilter }}
      beside={null}
    />
  )
}
