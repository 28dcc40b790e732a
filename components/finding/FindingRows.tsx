'use client'
import type { ReactNode } from 'react'
import type { FindingRow } from '@/server/api/finding/view'
import type { Column } from '../ui/table/column'
import { Table, type TableProps } from '../ui/table/Table'
import { uiWords } from '../ui/words'
import { healDisabledReason } from './HealCell'
import { kindWords } from './kind/words'
import { findingWords as words } from './words'

export const rowName = (row: FindingRow) => uiWords.list([kindWords[row.kind], row.instance?.name, row.host?.name])

/** Props that differ by caller; the rest is the same for findings everywhere. */
type FindingTableProps = Omit<TableProps<FindingRow>, 'label' | 'rowName' | 'whyNotSelect' | 'columns' | 'empty'>

/** Findings to read and select. Those that no repair may touch now are listed with the reason. */
export function FindingRows(
  props: {
    readonly columns: readonly Column<FindingRow>[]
    readonly selected: ReadonlySet<string>
    readonly onSelect: (keys: ReadonlySet<string>) => void
    readonly empty: ReactNode
  } & FindingTableProps,
) {
  return <Table {...props} label={words.title} rowName={rowName} whyNotSelect={healDisabledReason} />
}
