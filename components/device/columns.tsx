import type { DeviceKindRow, DeviceRow, DeviceSort } from '@/server/api/device/list'
import { useWords } from '../claim/words'
import { HostLink } from '../console/refs'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { count } from '../ui/format'
import type { Column } from '../ui/table/column'
import { uiWords } from '../ui/words'
import { HolderLink } from './HolderLink'
import { deviceLooks, deviceWords } from './words'

const head = deviceWords.columns

export const DEVICE_SORTS = [
  'host',
  'label',
  'unit',
  'state',
  'holder',
  'card',
] as const satisfies readonly DeviceSort[]

/** `pci:0000:3b:02.1` → `0000:3b:02.1`: the kind stands beside it. */
export const unitText = (unit: string) => unit.slice(unit.indexOf(':') + 1)

export const deviceColumns: readonly Column<DeviceRow>[] = [
  {
    id: 'unit',
    head: head.unit,
    width: 120,
    fixed: true,
    sortable: true,
    value: (row) => row.unit,
    exported: (row) => unitText(row.unit),
    cell: (row) => (
      <button
        type="button"
        data-open
        className="max-w-full cursor-default truncate rounded-sm align-bottom font-mono text-xs text-accent"
      >
        {unitText(row.unit)}
      </button>
    ),
  },
  {
    id: 'label',
    head: head.label,
    width: 170,
    sortable: true,
    value: (row) => row.label,
    exported: (row) => uiWords.named(row.label, deviceWords.roles[row.role]),
    cell: (row) => (
      <>
        {row.label} <span className="text-faint">{deviceWords.roles[row.role]}</span>
      </>
    ),
  },
  {
    id: 'host',
    head: head.host,
    width: 84,
    fixed: true,
    sortable: true,
    value: (row) => row.host.name,
    exportId: (row) => row.host.id,
    cell: (row) => <HostLink host={row.host} />,
  },
  {
    id: 'card',
    head: head.card,
    width: 108,
    sortable: true,
    value: (row) => row.card,
    exported: (row) => row.card && unitText(row.card),
    cell: (row) => (row.card ? <span className="font-mono text-xs">{unitText(row.card)}</span> : dash),
  },
  { id: 'cell', head: head.cell, width: 46, align: 'end', value: (row) => row.cell, cell: (row) => row.cell ?? '–' },
  {
    id: 'state',
    head: head.state,
    width: 82,
    sortable: true,
    value: (row) => row.state,
    exported: (row) => deviceLooks[row.state].label,
    cell: (row) => <StateBadge look={deviceLooks[row.state]} />,
  },
  {
    id: 'holder',
    head: head.holder,
    width: 96,
    sortable: true,
    value: (row) => row.holder?.name ?? null,
    cell: (row) => <HolderLink holder={row.holder} />,
  },
  {
    id: 'use',
    head: head.use,
    width: 140,
    hidden: true,
    value: (row) => row.use && useWords[row.use],
    cell: (row) => (row.use ? useWords[row.use] : '–'),
  },
]

const number = (id: 'cards' | 'hosts' | 'total' | 'held' | 'free' | 'blocked' | 'gone'): Column<DeviceKindRow> => ({
  id,
  head: head[id],
  width: 84,
  align: 'end',
  value: (row) => row[id],
  cell: (row) => (row[id] === 0 ? <span className="text-faint">0</span> : count(row[id])),
})

export const kindColumns: readonly Column<DeviceKindRow>[] = [
  {
    id: 'label',
    head: head.label,
    fixed: true,
    width: 200,
    value: (row) => row.label,
    cell: (row) => (
      <button type="button" data-open className="cursor-default truncate rounded-sm text-accent">
        {row.label}
      </button>
    ),
  },
  ...(['cards', 'hosts', 'total', 'held', 'free', 'blocked', 'gone'] as const).map(number),
]
