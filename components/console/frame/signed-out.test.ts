import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeQueryCache } from './signed-out'

const UNAUTHORIZED = Object.assign(new Error('no session'), { data: { code: 'UNAUTHORIZED' } })
const assign = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { pathname: '/hosts', search: '?q=a', assign })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  assign.mockClear()
})

/** `session`: the successive answers to whether the user is signed in; `list`: the result of the query. */
async function refused(session: readonly boolean[], list: () => Promise<string>) {
  const left = [...session]
  vi.stubGlobal('fetch', async () => ({ ok: left.shift() ?? false }))
  const client = new QueryClient({ queryCache: makeQueryCache(), defaultOptions: { queries: { retry: false } } })
  const first = client.fetchQuery({ queryKey: ['list'], queryFn: list }).catch(() => null)
  await vi.advanceTimersByTimeAsync(2_000)
  await first
  return client.getQueryData(['list'])
}

it('a user without a session is sent to sign-in and returns to the same page', async () => {
  await refused([false, false], () => Promise.reject(UNAUTHORIZED))
  expect(assign.mock.calls).toEqual([['/sign-in?next=%2Fhosts%3Fq%3Da']])
})

it.each([[[true]], [[false, true]]])('a query sent with a replaced cookie is sent again: %j', async (session) => {
  const answers = [() => Promise.reject(UNAUTHORIZED), () => Promise.resolve('rows')]
  expect(await refused(session, () => (answers.shift() ?? (() => Promise.resolve('more')))())).toBe('rows')
  expect(assign).not.toHaveBeenCalled()
})

it('a query that is refused twice is not sent again', async () => {
  const list = vi.fn(() => Promise.reject(UNAUTHORIZED))
  await refused([true, true, true, true], list)
  expect(list).toHaveBeenCalledTimes(2)
  expect(assign).toHaveBeenCalledTimes(1)
})
