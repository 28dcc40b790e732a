import { useMemo } from 'react'
import type { HeatCell } from '@/server/api/host/view'
import { hostContent } from '../console/refs'
import { statusBadges } from '../host/state/words'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { count } from '../ui/format'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { type HeatMetric, heatOf, percent } from './heat'
import { overviewWords as words } from './words'

// The fleet's picture as a table: the same hosts, shaded figure and marks, sortable and exportable.

const figure = (n: number) => (n > 0 ? count(n) : dash)

const figures = (['into', 'outof', 'findings'] as const).map((id): Column<HeatCell> => {
  const of = (cell: HeatCell) => ({ into: cell.movesIn, outof: cell.movesOut, findings: cell.findings })[id]
  const help = { into: words.columns.intoHelp, outof: words.columns.outofHelp, findings: words.columns.findings }[id]
  return { id, head: words.columns[id], help, width: 60, align: 'end', value: of, cell: (cell) => figure(of(cell)) }
})

const columnsOf = (shade: HeatMetric): readonly Column<HeatCell>[] => [
  {
    id: 'host',
    head: words.columns.host,
    fixed: true,
    minWidth: 86,
    ...hostContent((c: HeatCell) => c),
  },
  { id: 'zone', head: words.columns.zone, width: 70, value: (c) => c.zone, cell: (c) => c.zone ?? words.noZone },
  {
    id: 'state',
    head: words.columns.state,
    width: 132,
    value: (cell) => heatOf(cell, shade).state,
    cell: (cell) => <StateBadge badge={heatOf(cell, shade).odd ?? statusBadges.up} />,
  },
  {
    id: 'figure',
    head: words.shades[shade.by],
    width: 64,
    align: 'end',
    value: (cell) => (shade.by === 'room' ? heatOf(cell, shade).shown : percent(cell[shade.by])),
    ...(shade.by === 'room' ? {} : { exportUnit: 'percent' as const }),
    cell: (cell) => {
      const { shown } = heatOf(cell, shade)
      return shade.by === 'room' ? figure(shown) : words.percent(shown)
    },
  },
  ...figures,
]

export function HeatTable({ hosts, shade }: { hosts: readonly HeatCell[]; shade: HeatMetric }) {
  const columns = useMemo(() => columnsOf(shade), [shade])
  return <Table label={words.fleet} columns={columns} rows={hosts} />
}
