'use client'
import type { ReactElement, ReactNode } from 'react'
import { Button } from '../../ui/Button'
import type { FilterKey } from '../../ui/filter/check-terms'
import { FilterField } from '../../ui/filter/FilterField'
import { EmptyState } from '../../ui/Message'
import { idOf, type RowWithId } from '../../ui/table/column'
import { type KeyedRows, Table, type TableProps } from '../../ui/table/Table'
import { uiWords } from '../../ui/words'
import { ViewsMenu } from '../../view/ViewsMenu'
import { Failure } from '../Failure'
import { consoleWords } from '../words'
import type { PagedRows } from './pages'

interface ListWords {
  readonly title: string
  readonly filter: string
}

interface EmptyWords {
  readonly empty: string
  readonly emptyMore: string
  readonly emptyFiltered: string
  readonly emptyFilteredMore: string
}

/** What `useList` or `useWholeList` derives from the address. */
interface ListState<Row extends object> {
  readonly narrowed: boolean
  readonly filter: {
    readonly value: string
    readonly onChange: (next: string) => void
    readonly keys: readonly FilterKey[]
  }
  readonly table: Partial<TableProps<Row>>
}

type ListTableProps<Row extends object> = Partial<TableProps<Row>> &
  Pick<TableProps<Row>, 'columns'> &
  ({ readonly words: ListWords & EmptyWords } | { readonly words: ListWords; readonly empty: ReactNode }) & {
    readonly list: ListState<Row>
    readonly paged?: PagedRows<Row>
    /** Replaces the saved views behind the filter. */
    readonly beside?: ReactNode
    /** Shown as the next step while the list has no rows yet. */
    readonly begin?: ReactNode
  }

/** A list filtered, sorted and shown as the address says, either whole or page by page. */
export function ListTable<Row extends RowWithId>(props: ListTableProps<Row>): ReactElement
export function ListTable<Row extends object>(props: ListTableProps<Row> & KeyedRows<Row>): ReactElement
export function ListTable<Row extends object>(props: ListTableProps<Row>) {
  const { list, paged, words, beside = <ViewsMenu />, begin, rowKey = idOf, ...table } = props
  return (
    <Table
      label={words.title}
      rows={undefined}
      {...paged?.table}
      {...list.table}
      filters={
        <>
          <FilterField label={words.filter} {...list.filter} />
          {beside}
        </>
      }
      failure={paged?.error ? <ListFailure error={paged.error} what={words.title} retry={paged.refetch} /> : null}
      empty={'emptyFiltered' in words ? <ListEmpty narrowed={list.narrowed} words={words} begin={begin} /> : null}
      {...table}
      rowKey={rowKey}
    />
  )
}

/** Shown instead of rows: the list is empty, or the filter matches nothing. */
function ListEmpty({ narrowed, words, begin }: { narrowed: boolean; words: EmptyWords; begin: ReactNode }) {
  return (
    <EmptyState title={narrowed ? words.emptyFiltered : words.empty} action={narrowed ? null : begin}>
      {narrowed ? words.emptyFilteredMore : words.emptyMore}
    </EmptyState>
  )
}

/** Shown instead of rows that failed to load. */
function ListFailure(props: { readonly error: unknown; readonly what: string; readonly retry: () => void }) {
  return (
    <Failure
      error={props.error}
      title={consoleWords.error.query(props.what)}
      action={<Button onPress={props.retry}>{uiWords.tryAgain}</Button>}
    />
  )
}
