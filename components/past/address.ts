import { parseAsIsoDateTime, useQueryState } from 'nuqs'

/** `?at=2026-11-21T05:00:00.000Z`: the moment a page shows, in ms; null is now. */
export function useAt() {
  const [date, set] = useQueryState('at', parseAsIsoDateTime)
  return {
    at: date ? date.getTime() : null,
    setAt: (at: number | null) => void set(at === null ? null : new Date(at)),
  }
}
