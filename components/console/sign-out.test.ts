import { QueryCache, QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { signOut } from './sign-out'

afterEach(() => vi.restoreAllMocks())

it('sign-out leads to the sign-in page, even if a query is refused before it has loaded', async () => {
  const ledBack = vi.fn()
  const queries = new QueryClient({ queryCache: new QueryCache({ onError: ledBack }) })
  const gone = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    await queries
      .fetchQuery({ queryKey: ['host'], queryFn: () => Promise.reject(new Error()), retry: false })
      .catch(() => {})
    return Response.json({})
  })
  expect(await signOut(queries)).toBe(true)
  expect(gone).toHaveBeenCalledWith('/sign-in')
  expect(ledBack).not.toHaveBeenCalled()
})

it.each([
  ['refused', async () => Response.json({}, { status: 503 })],
  ['unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
])(
  'sign-out stays on the page when the server is %s, and a later refused query leads to sign-in',
  async (_how, answer) => {
    const ledBack = vi.fn()
    const queries = new QueryClient({ queryCache: new QueryCache({ onError: ledBack }) })
    const gone = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    vi.spyOn(globalThis, 'fetch').mockImplementation(answer)
    expect(await signOut(queries)).toBe(false)
    expect(gone).not.toHaveBeenCalled()
    await queries
      .fetchQuery({ queryKey: ['a'], queryFn: () => Promise.reject(new Error()), retry: false })
      .catch(() => {})
    expect(ledBack).toHaveBeenCalled()
  },
)
