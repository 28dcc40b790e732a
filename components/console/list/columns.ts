import type { ColumnOf, List } from '@/lists/list'
import type { Column } from '../../ui/table/column'

/** How each column of a list is rendered and exported; the list defines its name and whether it sorts. */
export type Cells<Row, L extends List> = Readonly<Record<ColumnOf<L>, Omit<Column<Row>, 'id' | 'head' | 'sortable'>>>

/** The columns of a list by their ids, in its order. A column without a cell does not compile. */
export function columnsOf<Row, L extends List>(
  { columns }: L,
  cells: Cells<Row, L>,
): Readonly<Record<ColumnOf<L>, Column<Row>>> {
  const drawn = Object.entries(columns).map(([id, { head, short, sort }]) => {
    const named = short === undefined ? { head } : { head: short, name: head, help: head }
    return [id, { id, ...named, ...(sort !== undefined && { sortable: true }), ...cells[id as ColumnOf<L>] }]
  })
  return Object.fromEntries(drawn)
}
