import { keepPreviousData, useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Page } from '@/server/api/contract'
import type { AllRows } from '../ui/table/column'

// Long lists come in pages while one scrolls. Each page is a question of its own, so an event makes it old alone.

export const PAGE_ROWS = 400

/** What a page of a tRPC list is asked with; made by the caller, because only it knows the filter. */
export interface PageQuery<Row> {
  readonly queryKey: readonly unknown[]
  readonly queryFn?: unknown
  readonly '~row'?: Row
}

export function usePages<Row>(question: string, ask: (offset: number, limit: number) => object) {
  const [reach, setReach] = useState({ question, pages: 1 })
  const pages = reach.question === question ? reach.pages : 1
  const results = useQueries({
    queries: Array.from({ length: pages }, (_, page) => ({
      ...(ask(page * PAGE_ROWS, PAGE_ROWS) as { queryKey: unknown[] }),
      placeholderData: keepPreviousData,
    })),
  })
  const first = results[0] as { data?: Page<Row>; error: unknown; refetch: () => void } | undefined
  const data = results.map((result) => result.data as Page<Row> | undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages themselves are compared, not their array
  const rows = useMemo(() => (data[0] ? data.flatMap((page) => page?.rows ?? []) : undefined), data)
  const total = first?.data?.total
  const loaded = rows?.length ?? 0
  const more = useCallback(() => {
    if (total !== undefined && loaded < total && loaded >= pages * PAGE_ROWS) setReach({ question, pages: pages + 1 })
  }, [question, pages, loaded, total])
  return { rows, total, error: first?.error ?? null, refetch: () => first?.refetch(), more }
}

/** The most that the API gives at once. */
const EXPORT_ROWS = 2_000

/** Reads a list to its end, for an export. With `rowKey` a row that moved to another page meanwhile is there once. */
export function useAllRows<Row>(
  ask: (offset: number, limit: number) => object,
  rowKey?: (row: Row) => string,
): AllRows<Row> {
  const client = useQueryClient()
  return async ({ onProgress, signal }) => {
    const rows = new Map<string, Row>()
    for (let offset = 0; ; offset += EXPORT_ROWS) {
      const question = ask(offset, EXPORT_ROWS) as { queryKey: unknown[] }
      const page = (await client.fetchQuery({ ...question, staleTime: 0, gcTime: 0 })) as Page<Row>
      signal.throwIfAborted()
      for (const [at, row] of page.rows.entries()) rows.set(rowKey?.(row) ?? String(offset + at), row)
      onProgress(rows.size, page.total)
      if (page.rows.length < EXPORT_ROWS) return [...rows.values()]
    }
  }
}
