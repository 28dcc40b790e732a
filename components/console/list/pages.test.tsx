import { QueryClient, QueryClientProvider, queryOptions } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { usePagedRows } from './pages'

const TOTAL = 1_250

const ask = ({ offset, limit }: { offset: number; limit: number }) =>
  queryOptions({
    queryKey: ['numbers', offset, limit],
    queryFn: async () => ({
      rows: Array.from({ length: Math.min(limit, TOTAL - offset) }, (_, n) => offset + n),
      total: TOTAL,
      seq: '0',
    }),
  })

it('a paged list shows the rows of each page as soon as it arrives, to the last one', async () => {
  const client = new QueryClient()
  const { result } = renderHook(() => usePagedRows({ input: {}, ask, rowKey: String }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  for (const loaded of [200, 700, 1_200, TOTAL]) {
    await waitFor(() => expect(result.current.table.rows).toHaveLength(loaded))
    act(() => result.current.table.onNearEnd())
  }
  expect(result.current.table.rows?.at(-1)).toBe(TOTAL - 1)
})

it('an export has every row that stays in the list, although others leave it meanwhile', async () => {
  let numbers = Array.from({ length: 4_500 }, (_, n) => n)
  const LEAVING = 50
  const leaving = ({ offset, limit }: { offset: number; limit: number }) =>
    queryOptions({
      queryKey: ['leaving', offset, limit],
      queryFn: async () => {
        const rows = numbers.slice(offset, offset + limit)
        const total = numbers.length
        numbers = numbers.slice(LEAVING)
        return { rows, total, seq: '0' }
      },
    })
  const client = new QueryClient()
  const { result } = renderHook(() => usePagedRows({ input: {}, ask: leaving, rowKey: String }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  await waitFor(() => expect(result.current.table.rows).toHaveLength(200))
  const { signal } = new AbortController()
  const exported = new Set(await result.current.table.allRows({ onProgress: () => {}, signal }))
  expect(numbers.filter((n) => !exported.has(n))).toEqual([])
})
