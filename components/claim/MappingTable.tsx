import type { Change, MappingView } from '@/server/api/claim/mapping'
import type { BadgeContent } from '../ui/Badge'
import { mib, pageSize } from '../ui/format'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { uiWords } from '../ui/words'
import { amountText } from './amount/words'
import { claimWords } from './words'

// Old → new, item by item (N11): the same table for a migration that is planned, running or ended.

const words = claimWords.mapping

interface Line {
  readonly key: string
  readonly group: keyof typeof words.groups
  readonly what: string
  readonly old: string | null
  readonly new: string | null
}

function lines<T>(
  group: Line['group'],
  changes: readonly Change<T>[],
  say: { what: (key: string) => string; value: (value: T, key: string) => string },
): readonly Line[] {
  return changes.map((change, index) => ({
    key: `${group} ${change.key} ${index}`,
    group,
    what: say.what(change.key),
    old: change.old === null ? null : say.value(change.old, change.key),
    new: change.new === null ? null : say.value(change.new, change.key),
  }))
}

export function mappingLines(mapping: MappingView): readonly Line[] {
  return [
    ...lines('cells', mapping.cells, {
      what: words.cell,
      value: ({ hostCell, memoryMib, pageKib }) =>
        uiWords.list([
          words.hostNumaNode(hostCell),
          mib(memoryMib),
          pageKib === null ? null : words.pages(pageSize(pageKib)),
        ]),
    }),
    ...lines('cpus', mapping.cpus, { what: words.cpu, value: words.hostCpu }),
    ...lines('devices', mapping.devices, { what: (key) => key, value: ({ unit }) => unit }),
    ...lines('amounts', mapping.amounts, { what: (key) => key, value: (n, key) => amountText(key, n) }),
  ]
}

const changeBadge = (line: Line): BadgeContent => {
  if (line.old === line.new) return { shape: 'ring', tone: 'idle', label: words.same }
  if (line.new === null) return { shape: 'outof', tone: 'warn', label: words.only.old }
  if (line.old === null) return { shape: 'into', tone: 'flow', label: words.only.new }
  return { shape: 'diamond', tone: 'flow', label: words.changed }
}

const side = (id: 'old' | 'new'): Column<Line> => ({
  id,
  head: words[id],
  minWidth: 104,
  keep: true,
  wraps: true,
  value: (line) => line[id],
  cell: (line) =>
    line[id] === null ? (
      <span className="text-faint">{words.none}</span>
    ) : (
      <span className="font-mono text-xs wrap-anywhere">{line[id]}</span>
    ),
})

const columns: readonly Column<Line>[] = [
  {
    id: 'group',
    head: words.what,
    width: 112,
    value: (line) => line.group,
    exported: (line) => words.groups[line.group],
    cell: (line) => <span className="text-soft">{words.groups[line.group]}</span>,
  },
  { id: 'what', head: words.item, width: 150, fixed: true, wraps: true, value: (line) => line.what },
  side('old'),
  side('new'),
  {
    id: 'change',
    head: words.change,
    width: 120,
    badge: changeBadge,
  },
]

const rowKey = (line: Line) => line.key

/** Beside a list of hosts there is space for item, old and new only. */
const narrow = columns
  .filter((column) => column.id !== 'group' && column.id !== 'change')
  .map((column) => (column.id === 'what' ? { ...column, width: 92 } : { ...column, minWidth: 88 }))

export function MappingTable({ mapping, compact }: { mapping: MappingView | null; compact?: boolean }) {
  if (!mapping) return <EmptyState title={words.title}>{words.empty}</EmptyState>
  return (
    <Table
      bare={compact}
      label={words.title}
      columns={compact ? narrow : columns}
      rows={mappingLines(mapping)}
      rowKey={rowKey}
    />
  )
}
