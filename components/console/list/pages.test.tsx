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
