import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ApiInputs } from '@/server/api/router'
import { useTRPC } from '../console/trpc'

/** A refusal is an answer, and only the user retries it. A changed query abandons the previous one. */
const ASKED = { retry: false, refetchOnWindowFocus: false, trpc: { abortOnUnmount: true } } as const

/**
 * The verdicts, and when they are painted what comes nearest to them: that takes longer, and they do not wait for it. It
 * belongs to just these verdicts, so that new ones never stand beside old fixes.
 */
export function useAnswer(input: ApiInputs['why']['ask'] | null) {
  const trpc = useTRPC()
  const enabled = input !== null
  const query = useQuery(
    trpc.why.ask.queryOptions(input ?? {}, {
      ...{ ...ASKED, enabled, staleTime: 5_000, placeholderData: keepPreviousData },
    }),
  )
  const painted = useAfterPaint(!enabled || !query.isPending)
  const answered = query.isSuccess && !query.isPlaceholderData
  const { queryKey, ...question } = trpc.why.nearest.queryOptions(input ?? {}, {
    ...{ ...ASKED, enabled: enabled && painted && answered, staleTime: Number.POSITIVE_INFINITY },
  })
  const [path, asked] = queryKey
  const ofThese = { ...asked, of: query.dataUpdatedAt }
  const nearest = useQuery({ ...question, queryKey: [path, ofThese] as unknown as typeof queryKey })
  return { query, nearest, painted }
}

export type NearestQuery = ReturnType<typeof useAnswer>['nearest']

/** Asked beside the verdicts, not after them. */
export function useTrees(input: ApiInputs['why']['ask']) {
  const trpc = useTRPC()
  return useQuery(
    trpc.why.trees.queryOptions(input, { staleTime: 5_000, placeholderData: keepPreviousData, retry: false }),
  )
}

export type TreesQuery = ReturnType<typeof useTrees>

/**
 * True from the frame after the one that shows what is `ready`. A link queries automatically: its answer does not wait
 * for the code of the fields, whose space is reserved meanwhile.
 */
function useAfterPaint(ready: boolean): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    if (!ready) return
    // The first frame is yet to be painted when requested; the second is requested after that.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setPainted(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [ready])
  return painted
}
