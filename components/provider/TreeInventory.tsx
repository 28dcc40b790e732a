import type { TreeProviderView } from '@/server/api/provider/router'
import { amountText } from '../claim/words'
import { dash } from '../ui/dash'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { Use } from './tree-columns'
import { providerWords as words } from './words'

interface Row {
  readonly provider: TreeProviderView
  /** Null for a provider without inventory. */
  readonly inventory: TreeProviderView['inventories'][number] | null
}

const amount = (id: 'total' | 'reserved'): Column<Row> => ({
  id,
  head: words[id],
  width: 110,
  align: 'end',
  value: ({ inventory }) => inventory?.[id] ?? null,
  cell: ({ inventory }) => (inventory ? amountText(inventory.resourceClass, inventory[id]) : '–'),
})

const columns: readonly Column<Row>[] = [
  {
    id: 'provider',
    head: words.provider,
    fixed: true,
    minWidth: 200,
    value: ({ provider }) => provider.name,
    cell: ({ provider }) => (
      <span
        className={provider.depth === 0 ? 'font-medium' : undefined}
        style={{ paddingLeft: `${provider.depth * 16}px` }}
      >
        {provider.name}
      </span>
    ),
  },
  {
    id: 'class',
    head: words.resourceClass,
    minWidth: 160,
    value: ({ inventory }) => inventory?.resourceClass ?? null,
    cell: ({ inventory }) =>
      inventory ? (
        <span className="font-mono text-xs">{inventory.resourceClass}</span>
      ) : (
        <span className="text-faint">{words.noInventory}</span>
      ),
  },
  {
    id: 'held',
    head: words.held,
    minWidth: 190,
    value: ({ inventory }) => inventory?.held ?? null,
    cell: ({ inventory }) => (inventory ? <Use amount={inventory} /> : dash),
  },
  amount('reserved'),
  amount('total'),
  {
    id: 'ratio',
    head: words.ratio,
    width: 80,
    align: 'end',
    value: ({ inventory }) => inventory?.ratio ?? null,
    cell: ({ inventory }) => inventory?.ratio ?? '–',
  },
  {
    id: 'generation',
    head: words.generation,
    width: 100,
    align: 'end',
    value: ({ provider }) => provider.generation,
    cell: ({ provider }) => provider.generation,
  },
  {
    id: 'traits',
    head: words.traits,
    minWidth: 200,
    value: ({ provider }) => provider.traits.join(' '),
    cell: ({ provider }) => (
      <span className="font-mono text-xs text-soft" title={provider.traits.join(' ')}>
        {provider.traits.join(' ') || '–'}
      </span>
    ),
  },
]

const rowKey = ({ provider, inventory }: Row) => `${provider.id} ${inventory?.resourceClass ?? ''}`

export function TreeInventory({ providers }: { providers: readonly TreeProviderView[] }) {
  const rows = providers.flatMap((provider): Row[] =>
    provider.inventories.length === 0
      ? [{ provider, inventory: null }]
      : provider.inventories.map((inventory) => ({ provider, inventory })),
  )
  return <Table bare frameless label={words.tree} columns={columns} rows={rows} rowKey={rowKey} />
}
