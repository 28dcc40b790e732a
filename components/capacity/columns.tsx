import type { CapacityRow } from '@/server/api/capacity/memory-rows'
import type { FlavorFits } from '@/server/api/capacity/router'
import { amountText, shareText } from '../claim/amount/words'
import { paths } from '../console/paths'
import { count, mib } from '../ui/format'
import { TextLink } from '../ui/Link'
import { Meter } from '../ui/Meter'
import type { Column, ExportPart } from '../ui/table/column'
import { capacityWords } from './words'

const head = capacityWords.classColumns
type Amount = 'total' | 'reserved' | 'capacity' | 'held' | 'heldTwice' | 'free' | 'closed'

const amount = (id: Amount, help?: string): Column<CapacityRow> => ({
  id,
  head: head[id],
  width: 84,
  align: 'end',
  keep: id === 'free',
  ...(id === 'capacity' || id === 'held' ? { secondLine: 'named' } : {}),
  ...(help ? { help } : {}),
  value: (row) => row[id],
  cell: (row) => {
    const text = amountText(row.resourceClass, row[id])
    if (row[id] === 0) return <span className="text-faint">{text}</span>
    return id === 'heldTwice' ? <span className="text-twice">{text}</span> : text
  },
})

const className = ({ resourceClass, pages }: CapacityRow) => (pages ? capacityWords.pages[pages] : resourceClass)

export const classColumns: readonly Column<CapacityRow>[] = [
  {
    id: 'class',
    head: head.resourceClass,
    fixed: true,
    width: 200,
    value: className,
    cell: (row) => <span className={row.pages ? 'pl-4 text-xs text-soft' : 'font-mono text-xs'}>{className(row)}</span>,
  },
  {
    id: 'share',
    head: head.share,
    width: 72,
    cell: (row) => (
      <Meter
        className="w-full"
        label={className(row)}
        text={shareText(row.resourceClass, row.held, row.capacity)}
        total={row.capacity}
        segments={[
          { kind: 'held', amount: row.held - row.heldTwice },
          { kind: 'outgoing', amount: row.heldTwice },
        ]}
      />
    ),
  },
  amount('total'),
  amount('reserved'),
  amount('capacity', capacityWords.capacityHelp),
  amount('held', capacityWords.heldHelp),
  amount('heldTwice', capacityWords.twiceHelp),
  amount('free'),
  amount('closed', capacityWords.closedHelp),
]

/** For trees that other clients manage, migrations' double claims and disabled hosts are unknown. */
export const treeClassColumns = classColumns.filter(({ id }) => id !== 'heldTwice' && id !== 'closed')

const flavorHead = capacityWords.flavorColumns

export function flavorColumns(zones: readonly (string | null)[]): readonly Column<FlavorFits>[] {
  return [
    {
      id: 'flavor',
      head: flavorHead.flavor,
      fixed: true,
      width: 150,
      value: (row) => row.flavor,
      cell: (row) => <TextLink href={paths.explain({ flavor: row.flavor })}>{row.flavor}</TextLink>,
    },
    {
      ...{ id: 'vcpus', head: flavorHead.vcpus, width: 84, align: 'end' },
      value: (row) => row.vcpus,
      cell: (row) => count(row.vcpus),
    },
    {
      id: 'memory',
      head: flavorHead.memory,
      width: 90,
      secondLine: 'named',
      align: 'end',
      value: (row) => row.memoryMib,
      exportUnit: 'mib',
      cell: (row) => mib(row.memoryMib),
    },
    {
      id: 'more',
      head: flavorHead.more,
      width: 96,
      keep: true,
      align: 'end',
      value: (row) => row.more,
      parts: moreParts('more', flavorHead.more, (row) => row),
      cell: (row) => <More more={row.more} exact={row.exact} strong />,
    },
    {
      ...{ id: 'unanswered', head: flavorHead.unanswered, help: capacityWords.unansweredHelp },
      width: 84,
      align: 'end',
      value: (row) => row.unanswered,
      cell: (row) => (row.unanswered === 0 ? <span className="text-faint">0</span> : count(row.unanswered)),
    },
    ...zones.map(zoneColumn),
  ]
}

function zoneColumn(zone: string | null): Column<FlavorFits> {
  const here = (row: FlavorFits) => row.zones.find((each) => each.zone === zone)
  return {
    id: `zone ${zone ?? ''}`,
    head: capacityWords.zone(zone),
    width: 96,
    secondLine: 'named',
    align: 'end',
    value: (row) => here(row)?.more ?? null,
    parts: moreParts(`zone ${zone ?? ''}`, capacityWords.zone(zone), (row) => here(row) ?? { more: 0, exact: true }),
    cell: (row) => <More more={here(row)?.more ?? 0} exact={here(row)?.exact ?? true} />,
  }
}

/** The number, and whether counting ended there or it is a lower bound. */
const moreParts = (
  id: string,
  head: string,
  of: (row: FlavorFits) => Pick<FlavorFits, 'more' | 'exact'>,
): readonly ExportPart<FlavorFits>[] => [
  { id, head, value: (row) => of(row).more },
  {
    id: `${id}-counted`,
    head: capacityWords.counted(head),
    value: (row) => (of(row).exact ? capacityWords.exact : capacityWords.atLeast),
  },
]

function More({ more, exact, strong }: { more: number; exact: boolean; strong?: boolean }) {
  const text = capacityWords.more(more, exact)
  if (more === 0 && exact) return <span className="text-bad">{text}</span>
  return strong ? <span className="font-medium">{text}</span> : text
}
