import type { TreeAmount, TreeManagedBy, TreeRowView } from '@/server/api/provider/router'
import { shareText } from '../claim/amount/words'
import type { WholeList } from '../console/list/list'
import { paths } from '../console/paths'
import { Tag } from '../ui/Badge'
import { cx } from '../ui/cx'
import { dash } from '../ui/dash'
import { count } from '../ui/format'
import { TextLink } from '../ui/Link'
import { Meter } from '../ui/Meter'
import type { Column } from '../ui/table/column'
import { shareParts } from '../ui/table/exported'
import { providerWords as words } from './words'

const head = words.columns

export const ManagedBy = ({ managedBy }: { managedBy: TreeManagedBy }) => (
  <Tag tone={managedBy === 'nova' ? 'twice' : 'idle'}>{words.managers[managedBy]}</Tag>
)

/** Classes of every host; others are in the column picker, or a fleet with many devices would be all columns. */
const SHOWN: readonly string[] = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB']

/** A class has a column if some tree has it. */
export function treeColumns(classes: readonly string[]): readonly Column<TreeRowView>[] {
  return [
    {
      id: 'name',
      head: head.name,
      minWidth: 140,
      fixed: true,
      value: (row) => row.name,
      cell: (row) => <TextLink href={paths.provider(row.id)}>{row.name}</TextLink>,
    },
    {
      id: 'managed',
      head: head.managed,
      width: 124,
      value: (row) => words.managers[row.managedBy] ?? row.managedBy,
      cell: (row) => <ManagedBy managedBy={row.managedBy} />,
    },
    ...classes.map(classColumn),
    number('providers', (row) => row.providers),
    number('consumers', (row) => row.consumers),
    number('generation', (row) => row.generation),
    {
      id: 'since',
      head: head.since,
      width: 118,
      value: (row) => row.since,
      timestamp: true,
    },
  ]
}

function classColumn(resourceClass: string): Column<TreeRowView> {
  const of = (row: TreeRowView) => row.classes.find((each) => each.resourceClass === resourceClass)
  return {
    id: `class ${resourceClass}`,
    head: resourceClass,
    minWidth: 164,
    hidden: !SHOWN.includes(resourceClass),
    value: (row) => of(row)?.held ?? null,
    parts: shareParts({
      id: resourceClass,
      head: resourceClass,
      of: (row: TreeRowView) => {
        const amount = of(row)
        return amount ? { used: amount.held, total: amount.capacity } : null
      },
    }),
    cell: (row) => {
      const amount = of(row)
      return amount ? <Use amount={amount} /> : dash
    },
  }
}

export function Use({ amount }: { amount: Omit<TreeAmount, 'total' | 'reserved'> }) {
  const text = shareText(amount.resourceClass, amount.held, amount.capacity)
  const over = amount.held > amount.capacity
  return (
    <span className="flex items-center gap-2">
      <Meter
        className="w-8 shrink-0 max-sm:hidden"
        label={amount.resourceClass}
        text={text}
        total={amount.capacity}
        segments={[{ kind: 'held', amount: amount.held }]}
      />
      <span className={cx('min-w-0 truncate text-xs', over && 'text-bad')}>{text}</span>
    </span>
  )
}

const number = (
  id: 'providers' | 'consumers' | 'generation',
  of: (row: TreeRowView) => number,
): Column<TreeRowView> => ({
  ...{ id, head: head[id], width: 108, align: 'end' as const, secondLine: 'named' as const },
  value: of,
  cell: (row) => count(of(row)),
})

export const treeList = (classes: readonly string[]): WholeList<TreeRowView> => ({
  keys: [
    { id: 'name', label: words.filters.name },
    { id: 'class', label: words.filters.class, known: classes },
    { id: 'trait', label: words.filters.trait },
    { id: 'managed', label: words.filters.managedBy, values: ['berth', 'nova'] },
    { id: 'held', label: words.filters.held, values: ['yes', 'no'] },
  ],
  fields: {
    name: (row) => [row.name],
    class: (row) => row.classes.map(({ resourceClass }) => resourceClass),
    trait: (row) => row.traits,
    managed: (row) => [row.managedBy],
    held: (row) => [row.consumers > 0 ? 'yes' : 'no'],
    text: (row) => [row.name, row.id, ...row.traits, ...row.classes.map(({ resourceClass }) => resourceClass)],
  },
  sortColumns: ['name', 'providers', 'consumers', 'generation', 'since', ...classes.map((each) => `class ${each}`)],
})
