import { MutationCache, QueryClient } from '@tanstack/react-query'
import { makeQueryCache } from './signed-out'

// Every request is sent, also when the browser believes that it is offline. It cannot know whether Berth answers. The
// library would keep an action until the browser is online again: a migration that an operator gave up on would start
// minutes later.
const ALWAYS = { networkMode: 'always' } as const

/**
 * A failed action is shown where it was requested. If that is gone by then, as a dialog that was closed, a toast shows it,
 * except for a request that only the closed dialog needed.
 */
function makeMutationCache(): MutationCache {
  const shown = new WeakSet<object>()
  const cache = new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (shown.has(mutation) || mutation.meta?.onlyWhileOpen) return
      void import('../late-failure').then(
        ({ showLateFailure }) => showLateFailure(error),
        () => null,
      )
    },
  })
  cache.subscribe(({ type, mutation }) => {
    if (type === 'observerAdded') shown.add(mutation)
    if (type === 'observerRemoved') shown.delete(mutation)
  })
  return cache
}

/**
 * Events mark data as stale, so nothing is refetched because of age. A refusal is an answer: only network errors are
 * retried.
 */
export const makeQueryClient = () =>
  new QueryClient({
    queryCache: makeQueryCache(),
    mutationCache: makeMutationCache(),
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
