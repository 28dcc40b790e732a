import type { LedgerRow } from '@/server/api/ledger/router'
import type { ApiInputs, SortOf } from '@/server/api/router'
import { amountList } from '../claim/words'
import { HostLink } from '../console/refs'
import { Copyable } from '../ui/Copyable'
import { dash } from '../ui/dash'
import { count } from '../ui/format'
import type { Column, ExportPart } from '../ui/table/column'
import { RelativeTime } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { Consumer, consumerText, Marks, marksOf, Provider, wroteOf } from './cells'
import { ledgerWords } from './words'

const head = ledgerWords.columns

export const LEDGER_SORTS = ['consumer', 'provider', 'host', 'project', 'since'] as const satisfies readonly SortOf<
  ApiInputs['ledger']['list']
>[]

const consumer: Column<LedgerRow> = {
  id: 'consumer',
  head: head.consumer,
  width: 120,
  fixed: true,
  sortable: true,
  value: (row) => row.consumer.name,
  exportId: (row) => row.consumer.id,
  exported: consumerText,
  cell: (row) => <Consumer row={row} />,
}
const provider: Column<LedgerRow> = {
  id: 'provider',
  head: head.provider,
  width: 132,
  fixed: true,
  sortable: true,
  value: (row) => row.provider.name,
  exportId: (row) => row.provider.id,
  cell: (row) => <Provider row={row} />,
}
/** The classes every fleet has, each in a column of a file; the others in one. */
const USUAL = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] as const
const amountParts: readonly ExportPart<LedgerRow>[] = [
  ...USUAL.map((resourceClass) => ({
    ...{ id: resourceClass, head: resourceClass },
    value: (row: LedgerRow) => row.amounts.find((each) => each.resourceClass === resourceClass)?.amount ?? null,
  })),
  {
    id: 'otherAmounts',
    head: head.otherAmounts,
    value: (row) =>
      amountList(row.amounts.filter(({ resourceClass }) => !USUAL.some((each) => each === resourceClass))),
  },
]
const rest: readonly Column<LedgerRow>[] = [
  {
    id: 'host',
    head: head.host,
    width: 92,
    sortable: true,
    value: (row) => row.host?.name ?? null,
    exportId: (row) => row.host?.id ?? null,
    cell: (row) => <HostLink host={row.host} />,
  },
  {
    id: 'amounts',
    head: head.amounts,
    minWidth: 330,
    value: (row) => amountList(row.amounts),
    parts: amountParts,
    cell: (row) => <span className="text-xs">{amountList(row.amounts)}</span>,
  },
  generation('consumerGeneration', (row) => row.consumer.generation),
  generation('providerGeneration', (row) => row.provider.generation),
  {
    id: 'since',
    head: head.since,
    width: 118,
    sortable: true,
    value: (row) => row.since,
    moment: true,
    cell: (row) => <RelativeTime at={row.since} />,
  },
  {
    id: 'wrote',
    head: head.wrote,
    width: 190,
    value: wroteOf,
    exported: (row) => wroteOf(row) || ledgerWords.unknownWriter,
    cell: (row) => (row.wrote ? wroteOf(row) : <span className="text-faint">{ledgerWords.unknownWriter}</span>),
  },
  {
    id: 'request',
    head: head.request,
    width: 120,
    value: (row) => row.wrote?.request ?? null,
    cell: ({ wrote }) => (wrote?.request ? <Copyable text={wrote.request} short={wrote.request.slice(0, 8)} /> : dash),
  },
  {
    id: 'marks',
    head: head.marks,
    width: 150,
    value: (row) => uiWords.list(marksOf(row)),
    cell: (row) => <Marks row={row} />,
  },
  {
    id: 'project',
    head: head.project,
    width: 100,
    hidden: true,
    sortable: true,
    value: (row) => row.consumer.project,
    cell: (row) => row.consumer.project,
  },
]

function generation(
  id: 'consumerGeneration' | 'providerGeneration',
  of: (row: LedgerRow) => number | null,
): Column<LedgerRow> {
  return {
    id,
    head: head[id],
    width: 104,
    align: 'end',
    value: of,
    cell: (row) => {
      const value = of(row)
      return value === null ? '–' : count(value)
    },
  }
}

/** The side one reads by stands first. */
export const ledgerColumns = {
  consumer: [consumer, provider, ...rest],
  provider: [provider, consumer, ...rest],
} as const
