import { unitOf, withoutUnitOf } from '../format'
import { uiWords } from '../words'

// What a file says of a cell. A screen says `2 h ago` and `4 GiB`; a spreadsheet sorts and sums what stands here.

/** Exact and in UTC, as spreadsheets and programs read it: `2026-11-21T01:06:56.120Z`. */
export const isoMoment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** A duration for a column whose `exportUnit` is seconds. Never below nothing: rows may be newer than the clock. */
export const wholeSeconds = (ms: number | null): number | null =>
  ms === null ? null : Math.max(0, Math.round(ms / 1000))

interface Share {
  readonly used: number
  readonly total: number
}

/** `680 / 766 GiB` as on the screen. Bare counts are `4 of 12`, because a spreadsheet reads `4 / 12` as a day of April. */
export function shareExport({ used, total }: Share, format: (value: number) => string): string | null {
  if (total === 0) return null
  const [part, whole] = [format(used), format(total)]
  return unitOf(whole) ? uiWords.share(withoutUnitOf(whole, part), whole) : uiWords.of(part, whole)
}
