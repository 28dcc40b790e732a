import type { Line } from '../engine/rows'

/** Indexes of lines that the reader of the old plan has not seen: another row, or the same row with other values. */
export function changedLines(old: readonly Line[], now: readonly Line[]): readonly number[] {
  const seen = new Set(old.map(textOf))
  return now.flatMap((line, index) => (seen.has(textOf(line)) ? [] : [index]))
}

// New claims get new ids in every plan, and a table does not preserve the order of keys.
const textOf = ({ row, key, before, after }: Line): string => canonical({ row, key, before, after })

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
