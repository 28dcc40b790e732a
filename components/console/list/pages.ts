import { type DataTag, keepPreviousData, type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Page } from '@/server/api/plain'
import { type AllRows, idOf, type RowWithId } from '../../ui/table/column'
import { FIRST_PAGE } from './first-page'

// Long lists load page by page on scroll. Each page is its own query, so an event invalidates only that page.

/** Scrolling past the first page is faster than pages of its size load. */
const LATER_ROWS = 500

const pageAt = (page: number) =>
  page === 0 ? FIRST_PAGE : { offset: FIRST_PAGE.limit + (page - 1) * LATER_ROWS, limit: LATER_ROWS }

export interface PagedList<Input, Row> {
  /** The query without its page; a change restarts the list. */
  readonly input: Input
  /** The tRPC query for one page. */
  readonly ask: (input: Input & PageRequest) => PageQuery<Row>
  /** If omitted, the row's id. */
  readonly rowKey?: (row: Row) => string
}

interface PageQuery<Row> {
  readonly queryKey: DataTag<QueryKey, Page<Row>, unknown>
}

type KeyedList<Input, Row> = PagedList<Input, Row> & Required<Pick<PagedList<Input, Row>, 'rowKey'>>

interface PageRequest {
  readonly offset: number
  readonly limit: number
}

/** `table` is for the table: its rows, the next ones near the end of a scroll, and all of them for export. */
export interface PagedRows<Row> {
  readonly table: {
    readonly rows: readonly Row[] | undefined
    readonly total: number | undefined
    readonly question: string
    readonly onNearEnd: () => void
    readonly allRows: AllRows<Row>
  }
  readonly error: unknown
  readonly refetch: () => void
}

export function usePagedRows<Input extends object, Row>(list: KeyedList<Input, Row>): PagedRows<Row>
export function usePagedRows<Input extends object, Row extends RowWithId>(list: PagedList<Input, Row>): PagedRows<Row>
export function usePagedRows<Input extends object, Row>(list: PagedList<Input, Row>): PagedRows<Row> {
  const { input, ask, rowKey = idOf } = list
  const page = (wanted: PageRequest) => ask({ ...input, ...wanted })
  const question = JSON.stringify(input)
  const { rows, total, more, error, refetch } = usePages<Row>(question, page)
  const allRows = useAllRows(page, rowKey)
  return { table: { rows, total, question, onNearEnd: more, allRows }, error, refetch }
}

function usePages<Row>(question: string, ask: (page: PageRequest) => PageQuery<Row>) {
  const [reach, setReach] = useState({ question, pages: 1 })
  const pages = reach.question === question ? reach.pages : 1
  const results = useQueries({
    queries: Array.from({ length: pages }, (_, page) => ({
      ...ask(pageAt(page)),
      placeholderData: keepPreviousData,
    })),
  })
  const first = results[0] as { data?: Page<Row>; error: unknown; refetch: () => void } | undefined
  const data = results.map((result) => result.data as Page<Row> | undefined)
  const rows = useJoined(data)
  const total = first?.data?.total
  const loaded = rows?.length ?? 0
  const more = useCallback(() => {
    if (total !== undefined && loaded < total && loaded >= pageAt(pages).offset)
      setReach({ question, pages: pages + 1 })
  }, [question, pages, loaded, total])
  return { rows, total, error: first?.error ?? null, refetch: () => first?.refetch(), more }
}

type Pages<Row> = readonly (Page<Row> | undefined)[]

const rowsOf = <Row>(pages: Pages<Row>) => (pages[0] ? pages.flatMap((page) => page?.rows ?? []) : undefined)

/** Returns the same rows while the pages are the same. (A memo would not do: React's lists must keep their length.) */
function useJoined<Row>(pages: Pages<Row>): readonly Row[] | undefined {
  const [joined, setJoined] = useState(() => ({ pages, rows: rowsOf(pages) }))
  if (joined.pages.length === pages.length && pages.every((page, n) => page === joined.pages[n])) return joined.rows
  const next = { pages, rows: rowsOf(pages) }
  setJoined(next)
  return next.rows
}

/** The API's limit for one page. */
const EXPORT_ROWS = 2_000
/** Rows that may leave the list between two pages without the next page beginning too late. */
const OVERLAP_ROWS = 200

/** Reads a list to its end for an export. A row that moved to another page meanwhile appears once. */
function useAllRows<Row>(ask: (page: PageRequest) => PageQuery<Row>, rowKey: (row: Row) => string): AllRows<Row> {
  const client = useQueryClient()
  return async ({ onProgress, signal }) => {
    const rows = new Map<string, Row>()
    for (let offset = 0; ; offset += EXPORT_ROWS - OVERLAP_ROWS) {
      const question = ask({ offset, limit: EXPORT_ROWS })
      const page = (await client.fetchQuery({ ...question, staleTime: 0, gcTime: 0 })) as Page<Row>
      signal.throwIfAborted()
      for (const row of page.rows) rows.set(rowKey(row), row)
      onProgress(rows.size, page.total)
      if (page.rows.length < EXPORT_ROWS) return [...rows.values()]
    }
  }
}
