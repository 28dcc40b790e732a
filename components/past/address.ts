import { createParser, useQueryState } from 'nuqs'
import { useKey } from '../console/url'
import { pastWords } from './words'

// Only a full time with its zone: `2026` or `yesterday` would be parsed as an unintended time.
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/** Null when the text names no time. */
export function readTime(text: string): Date | null {
  const date = new Date(ISO.test(text) ? text : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

const timeParser = createParser({
  parse: readTime,
  serialize: (date: Date) => date.toISOString(),
  eq: (a: Date, b: Date) => a.getTime() === b.getTime(),
})

/** `?at=2026-11-21T05:00:00.000Z`: the time a page shows, in ms; null is now. */
export function useAt() {
  const [date, set] = useQueryState(useKey('at'), timeParser)
  return {
    at: date ? date.getTime() : null,
    setAt: (at: number | null) => void set(at === null ? null : new Date(at)),
  }
}

/** Why no action is possible from a page that shows the past; null if it shows now. */
export function usePastReadOnlyReason(): string | null {
  return useAt().at === null ? null : pastWords.whyNot
}
