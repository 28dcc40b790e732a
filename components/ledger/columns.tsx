import { MAIN_CLASSES } from '@/lists/classes'
import { LEDGER_LIST } from '@/lists/ledger'
import type { LedgerRow } from '@/server/api/ledger/router'
import { amountList } from '../claim/amount/words'
import { type Cells, columnsOf } from '../console/list/columns'
import { hostContent } from '../console/refs'
import { Copyable } from '../ui/Copyable'
import { dash } from '../ui/dash'
import { count } from '../ui/format'
import type { Column, ExportPart } from '../ui/table/column'
import { uiWords } from '../ui/words'
import {
  Consumer,
  consumerText,
  Marks,
  Migration,
  marksOf,
  migrationText,
  Provider,
  unitsText,
  writerText,
} from './cells'
import { ledgerWords } from './words'

/** Classes that every fleet has get a column each in an export; all others share one. */
const amountParts: readonly ExportPart<LedgerRow>[] = [
  ...MAIN_CLASSES.map((resourceClass) => ({
    ...{ id: resourceClass, head: resourceClass },
    value: (row: LedgerRow) => row.amounts.find((each) => each.resourceClass === resourceClass)?.amount ?? null,
  })),
  {
    id: 'otherAmounts',
    head: ledgerWords.otherAmounts,
    value: (row) =>
      amountList(row.amounts.filter(({ resourceClass }) => !MAIN_CLASSES.some((each) => each === resourceClass))),
  },
]
const cells: Cells<LedgerRow, typeof LEDGER_LIST> = {
  consumer: {
    width: 168,
    fixed: true,
    value: (row) => row.consumer.name,
    exportId: (row) => row.consumer.id,
    exported: consumerText,
    cell: (row) => <Consumer row={row} />,
  },
  provider: {
    width: 132,
    fixed: true,
    value: (row) => row.provider.name,
    exportId: (row) => row.provider.id,
    cell: (row) => <Provider row={row} />,
  },
  host: {
    width: 92,
    ...hostContent((row: LedgerRow) => row.host),
  },
  migration: {
    width: 150,
    value: migrationText,
    exportId: (row) => row.migration?.id ?? null,
    cell: (row) => <Migration row={row} />,
  },
  amounts: {
    // The usual three classes with four digits.
    width: 292,
    secondLine: 'value',
    value: (row) => amountList(row.amounts),
    parts: amountParts,
    cell: (row) => <span className="text-xs">{amountList(row.amounts)}</span>,
  },
  units: {
    minWidth: 150,
    secondLine: 'value',
    value: unitsText,
    cell: (row) => <span className="text-xs">{unitsText(row) || dash}</span>,
  },
  consumerGeneration: generation((row) => row.consumer.generation),
  providerGeneration: generation((row) => row.provider.generation),
  since: {
    width: 118,
    value: (row) => row.since,
    timestamp: true,
  },
  wrote: {
    width: 164,
    value: writerText,
    exported: (row) => writerText(row) || ledgerWords.unknownWriter,
    cell: (row) => (row.wrote ? writerText(row) : <span className="text-faint">{ledgerWords.unknownWriter}</span>),
  },
  request: {
    width: 120,
    hidden: true,
    value: (row) => row.wrote?.request ?? null,
    cell: ({ wrote }) => (wrote?.request ? <Copyable text={wrote.request} short={wrote.request.slice(0, 8)} /> : dash),
  },
  marks: {
    width: 150,
    value: (row) => uiWords.list(marksOf(row)),
    cell: (row) => <Marks row={row} />,
  },
  project: {
    width: 100,
    hidden: true,
    value: (row) => row.consumer.project,
  },
}

function generation(of: (row: LedgerRow) => number | null): Omit<Column<LedgerRow>, 'id' | 'head'> {
  return {
    width: 104,
    align: 'end',
    value: of,
    cell: (row) => {
      const value = of(row)
      return value === null ? dash : count(value)
    },
  }
}

const { consumer, provider, ...others } = columnsOf(LEDGER_LIST, cells)
const rest = Object.values(others)

/** The side that the list is read by comes first. */
export const ledgerColumns = {
  consumer: [consumer, provider, ...rest],
  provider: [provider, consumer, ...rest],
} as const
