import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Asks what is shown anew, where `isOld` says so. A question that has no answer yet cannot be called off, and may have
 * been read before the event: it is waited for and then asked once more. Resolves when all is answered.
 */
export async function askAnew(queries: QueryClient, isOld: (key: readonly unknown[]) => boolean): Promise<void> {
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
