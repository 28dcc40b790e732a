import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNow } from '../ui/time/Clock'
import { useTRPC } from './trpc'

// Failures since this browser last viewed them. Kept in the browser: it concerns one user only.

const STORAGE_KEY = 'berth-failures-viewed-at'
const MAX_FAILURES = 20

/** Null until the browser's storage was read, and if it stores nothing. */
function readViewedAt(): number | null {
  try {
    const at = Number(localStorage.getItem(STORAGE_KEY))
    return at > 0 ? at : null
  } catch {
    return null
  }
}

function saveViewedAt(at: number): void {
  try {
    localStorage.setItem(STORAGE_KEY, String(at))
  } catch {
    // A browser without storage counts from page load.
  }
}

export interface FailedSince {
  readonly count: number
  /** The count is a lower bound. */
  readonly capped: boolean
  /** Marks them as viewed now. */
  readonly markViewed: () => void
}

export function useFailedSince(): FailedSince {
  const trpc = useTRPC()
  const now = useNow()
  const [since, setSince] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page opens
  useEffect(() => {
    const viewedAt = readViewedAt()
    if (viewedAt === null) saveViewedAt(now)
    setSince(viewedAt ?? now)
  }, [])
  const { data } = useQuery(
    trpc.migration.list.queryOptions({
      ...{ view: 'history', outcome: ['failed'], sort: 'ended', dir: 'desc', limit: MAX_FAILURES },
    }),
  )
  const late = since === null ? [] : (data?.rows ?? []).filter(({ endedAt }) => endedAt !== null && endedAt > since)
  const markViewed = () => {
    saveViewedAt(now)
    setSince(now)
  }
  return { count: late.length, capped: late.length === MAX_FAILURES, markViewed }
}
