import { QueryCache, QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { signOut } from './sign-in'

afterEach(() => vi.restoreAllMocks())

it('goes to the door, also when a question is answered without a session before it is there', async () => {
  const ledBack = vi.fn()
  const queries = new QueryClient({ queryCache: new QueryCache({ onError: ledBack }) })
  const gone = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    await queries
      .fetchQuery({ queryKey: ['host'], queryFn: () => Promise.reject(new Error()), retry: false })
      .catch(() => {})
    return Response.json({})
  })
  await signOut(queries)
  expect(gone).toHaveBeenCalledWith('/sign-in')
  expect(ledBack).not.toHaveBeenCalled()
})
