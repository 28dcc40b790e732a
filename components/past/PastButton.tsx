'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { useAt } from './address'
import { pastWords as words } from './words'

const HOUR_MS = 3_600_000

export const useRange = () => {
  const trpc = useTRPC()
  return useQuery(trpc.past.range.queryOptions(undefined, { staleTime: 60_000 }))
}

/** In the head of a page that can show the past: opens it. */
export function PastButton() {
  const { at, setAt } = useAt()
  const { data } = useRange()
  if (at !== null) return null
  const back = () => setAt(Math.max(data?.from ?? 0, Date.now() - HOUR_MS))
  return (
    <Button variant="quiet" disabledReason={data ? null : words.what} onPress={back}>
      {words.viewAtTime}
    </Button>
  )
}
