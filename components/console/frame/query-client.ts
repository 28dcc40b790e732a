import { QueryClient } from '@tanstack/react-query'
import { makeQueryCache } from './signed-out'

// Every request is sent, also when the browser believes that it is offline. It cannot know whether Berth answers. The
// library would keep an action until the browser is online again: a migration that an operator gave up on would start
// minutes later.
const ALWAYS = { networkMode: 'always' } as const

/**
 * Events mark data as stale, so nothing is refetched because of age. A refusal is an answer: only network errors are
 * retried.
 */
export const makeQueryClient = () =>
  new QueryClient({
    queryCache: makeQueryCache(),
    defaultOptions: {
      mutations: ALWAYS,
      queries: {
        ...ALWAYS,
        staleTime: 30_000,
        retry: (times, error) => times < 2 && !('data' in error && error.data),
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
      },
    },
  })
