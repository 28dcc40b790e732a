import { DEVICE_LIST } from '@/lists/device'
import type { DeviceKindRow, DeviceRow } from '@/server/api/device/list'
import { unitKindWords, useWords } from '../claim/words'
import { type Cells, columnsOf } from '../console/list/columns'
import { hostContent } from '../console/refs'
import { dash } from '../ui/dash'
import { count } from '../ui/format'
import type { Column } from '../ui/table/column'
import { RowOpener } from '../ui/table/RowOpener'
import { uiWords } from '../ui/words'
import { HolderLink } from './HolderLink'
import { deviceBadges, deviceWords } from './words'

const head = deviceWords.columns

/** `pci:0000:3b:02.1` → `0000:3b:02.1`: the kind is shown beside it. */
export const unitText = (unit: string) => unit.slice(unit.indexOf(':') + 1)

const cells: Cells<DeviceRow, typeof DEVICE_LIST> = {
  unit: {
    width: 120,
    fixed: true,
    value: (row) => row.unit,
    exported: (row) => unitText(row.unit),
    cell: (row) => <RowOpener mono>{unitText(row.unit)}</RowOpener>,
  },
  label: {
    width: 170,
    secondLine: 'value',
    value: (row) => row.label,
    exported: (row) => uiWords.named(row.label, deviceWords.roles[row.role]),
    cell: (row) => (
      <>
        {row.label} <span className="text-faint">{deviceWords.roles[row.role]}</span>
      </>
    ),
  },
  host: {
    width: 84,
    fixed: true,
    ...hostContent((row: DeviceRow) => row.host),
  },
  card: {
    width: 108,
    value: (row) => row.card,
    exported: (row) => row.card && unitText(row.card),
    cell: (row) => (row.card ? <span className="font-mono text-xs">{unitText(row.card)}</span> : dash),
  },
  cell: { width: 46, align: 'end', value: (row) => row.cell },
  state: {
    width: 82,
    keep: true,
    value: (row) => row.state,
    badge: (row) => deviceBadges[row.state],
  },
  holder: {
    width: 96,
    keep: true,
    value: (row) => row.holder?.name ?? null,
    cell: (row) => <HolderLink holder={row.holder} />,
  },
  use: {
    width: 140,
    hidden: true,
    value: (row) => row.use && useWords[row.use],
    cell: (row) => (row.use ? useWords[row.use] : '–'),
  },
}

export const deviceColumns: readonly Column<DeviceRow>[] = Object.values(columnsOf(DEVICE_LIST, cells))

const number = (id: 'cards' | 'hosts' | 'total' | 'held' | 'free' | 'blocked' | 'missing'): Column<DeviceKindRow> => ({
  id,
  head: head[id],
  width: 84,
  align: 'end',
  keep: id === 'free',
  value: (row) => row[id],
  cell: (row) => (row[id] === 0 ? <span className="text-faint">0</span> : count(row[id])),
})

export const kindColumns: readonly Column<DeviceKindRow>[] = [
  {
    id: 'label',
    head: head.label,
    fixed: true,
    width: 190,
    value: (row) => row.label,
    cell: (row) => (
      <>
        <RowOpener>{row.label}</RowOpener>{' '}
        {row.kind === 'pci' ? null : <span className="text-faint">{unitKindWords[row.kind]}</span>}
      </>
    ),
  },
  ...(['cards', 'hosts', 'total', 'held', 'free', 'blocked', 'missing'] as const).map(number),
]
