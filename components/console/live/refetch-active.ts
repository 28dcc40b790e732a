import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Refetches the shown queries that `isOld` selects. A query without a result yet cannot be cancelled and may have been
 * read before the event: it is awaited and then refetched once. Resolves when all have settled.
 */
export async function refetchActive(queries: QueryClient, isOld: (key: readonly unknown[]) => boolean): Promise<void> {
  const predicate = ({ queryKey }: Query) => isOld(queryKey)
  const unanswered = queries
    .getQueryCache()
    .findAll({ predicate, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  const answered = queries.invalidateQueries({ predicate })
  await Promise.allSettled(unanswered.map(({ promise }) => promise))
  if (unanswered.length > 0) await queries.invalidateQueries({ predicate: (query) => unanswered.includes(query) })
  await answered
}
