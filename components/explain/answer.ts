import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ApiInputs } from '@/server/api/router'
import { useTRPC } from '../console/trpc'

/** A refusal is an answer; the operator decides when to refetch. A changed request cancels the previous one. */
const QUERY_OPTIONS = { retry: false, refetchOnWindowFocus: false, trpc: { abortOnUnmount: true } } as const

/**
 * The verdicts, then, once they are painted, their nearest fixes, which take longer and must not delay them. The fixes
 * are keyed to these verdicts, so that new verdicts never appear beside old fixes.
 */
export function useAnswer(input: ApiInputs['explain']['get'] | null) {
  const trpc = useTRPC()
  const enabled = input !== null
  const query = useQuery(
    trpc.explain.get.queryOptions(input ?? {}, {
      ...{ ...QUERY_OPTIONS, enabled, staleTime: 5_000, placeholderData: keepPreviousData },
    }),
  )
  const painted = useAfterPaint(!enabled || !query.isPending)
  const answered = query.isSuccess && !query.isPlaceholderData
  const { queryKey, ...question } = trpc.explain.nearest.queryOptions(input ?? {}, {
    ...{ ...QUERY_OPTIONS, enabled: enabled && painted && answered, staleTime: Number.POSITIVE_INFINITY },
  })
  const [path, asked] = queryKey
  const ofThese = { ...asked, of: query.dataUpdatedAt }
  const nearest = useQuery({ ...question, queryKey: [path, ofThese] as unknown as typeof queryKey })
  return { query, nearest }
}

export type NearestQuery = ReturnType<typeof useAnswer>['nearest']

/** Queried in parallel with the verdicts. */
export function useTrees(input: ApiInputs['explain']['get']) {
  const trpc = useTRPC()
  return useQuery(
    trpc.explain.trees.queryOptions(input, { staleTime: 5_000, placeholderData: keepPreviousData, retry: false }),
  )
}

export type TreesQuery = ReturnType<typeof useTrees>

/** True from the frame after the one that shows what is `ready`. */
function useAfterPaint(ready: boolean): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    if (!ready) return
    // The first callback runs before the paint; the second, requested inside it, runs after.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setPainted(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [ready])
  return painted
}
