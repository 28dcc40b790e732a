import { parseAsIsoDateTime, useQueryState } from 'nuqs'
import { useKey } from '../console/url'
import { pastWords } from './words'

/** `?at=2026-11-21T05:00:00.000Z`: the moment a page shows, in ms; null is now. */
export function useAt() {
  const [date, set] = useQueryState(useKey('at'), parseAsIsoDateTime)
  return {
    at: date ? date.getTime() : null,
    setAt: (at: number | null) => void set(at === null ? null : new Date(at)),
  }
}

/** Why nothing can be done from a page that shows how it was; null when it shows now. */
export function useWhyNotInPast(): string | null {
  return useAt().at === null ? null : pastWords.whyNot
}
