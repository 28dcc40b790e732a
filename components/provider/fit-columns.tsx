import { count } from '../ui/format'
import type { Column } from '../ui/table/column'
import { providerWords as words } from './words'

/** How many of something still fit into a tree, and which class runs out first. */
interface Fit {
  readonly more: number
  readonly limit: string | null
}

export const moreColumn: Column<Fit> = {
  id: 'more',
  head: words.more,
  width: 150,
  align: 'end',
  value: (row) => row.more,
  cell: (row) => (row.more === 0 ? <span className="text-bad">{count(0)}</span> : count(row.more)),
}

export const limitColumn: Column<Fit> = {
  id: 'limit',
  head: words.limit,
  minWidth: 130,
  value: (row) => row.limit,
  cell: (row) => <span className="font-mono text-xs">{row.limit ?? '–'}</span>,
}
