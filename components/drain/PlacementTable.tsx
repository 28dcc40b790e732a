import { hostContent } from '../console/refs'
import { count, mib } from '../ui/format'
import type { Column as TableColumn } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { uiWords } from '../ui/words'
import { type Column, capacityOf, memoryBy, usedBy } from './placement-steps'
import { drainWords } from './words'

const words = drainWords.placement
const head = words.columns
const names = (row: Column) => uiWords.list(row.blocks.map(({ instance }) => instance.name))

const columns: readonly TableColumn<Column>[] = [
  {
    id: 'host',
    head: head.host,
    fixed: true,
    width: 130,
    ...hostContent((row: Column) => row.host),
  },
  {
    id: 'cpus',
    head: head.cpus,
    width: 100,
    align: 'end',
    value: (row) => usedBy(row.blocks),
    cell: (row) => count(usedBy(row.blocks)),
  },
  { id: 'total', head: head.total, width: 80, align: 'end', value: capacityOf, cell: (row) => count(capacityOf(row)) },
  {
    id: 'memory',
    head: head.memory,
    width: 190,
    align: 'end',
    value: (row) => memoryBy(row.blocks),
    parts: [
      { id: 'memory', head: head.memory, exportUnit: 'mib', value: (row) => memoryBy(row.blocks) },
      { id: 'memoryTotal', head: words.columns.memoryTotal, exportUnit: 'mib', value: (row) => row.capacity.memoryMib },
    ],
    cell: (row) => words.memory(mib(memoryBy(row.blocks)), mib(row.capacity.memoryMib)),
  },
  { id: 'guests', head: head.instances, minWidth: 200, value: names },
]

const rowKey = (row: Column) => row.host.id

/** The placement at this step as a table. */
export function PlacementTable({ columns: rows }: { columns: readonly Column[] }) {
  return <Table label={words.title} columns={columns} rows={rows} rowKey={rowKey} />
}
