import { type Condition, FREE_TEXT, ID_START } from './condition'
import type { MemoryList, RowReader } from './list'

// Filters and sorts rows in memory, for the API and the screen. A condition means the same here as in SQL in
// `server/store/database/condition.ts`.

/** The rows that match every condition. Free text also matches the start of a row's ids. */
export function whereRows<Row>(
  rows: readonly Row[],
  where: readonly Condition[] | undefined,
  { fields, ids = () => [] }: RowReader<Row>,
): readonly Row[] {
  if (!where || where.length === 0) return rows
  const tests = where.map(({ key, any, not = false }) => {
    const free = key === FREE_TEXT
    const patterns = any.map((text) => pattern(text, free))
    const starts = free ? any.filter((text) => ID_START.test(text)).map((text) => text.toLowerCase()) : []
    const valuesOf = fields[key] ?? (() => [])
    return (row: Row) => {
      const named = valuesOf(row).some((value) => value && patterns.some((each) => each.test(value)))
      return (
        (named || (starts.length > 0 && ids(row).some((id) => starts.some((start) => id?.startsWith(start))))) !== not
      )
    }
  })
  return rows.filter((row) => tests.every((test) => test(row)))
}

function pattern(text: string, anywhere: boolean): RegExp {
  const body = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return anywhere && body.length === 1 ? new RegExp(body.join(''), 'is') : new RegExp(`^${body.join('.*')}$`, 'is')
}

const BY_NAME = new Intl.Collator('en', { numeric: true })

/** Names are compared numerically: `h-2` before `h-10`. */
export function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BY_NAME.compare(String(a), String(b))
}

export interface RowOrder {
  readonly by: string
  readonly dir: 'asc' | 'desc'
}

/** By the first column, then by the next; ties by `last`, then in the given order. */
export function orderRows<Row>(
  rows: readonly Row[],
  order: readonly RowOrder[],
  { columns, last = [] }: Pick<MemoryList<Row>, 'columns'> & { readonly last?: readonly ((row: Row) => string)[] },
): readonly Row[] {
  const by = [
    ...order.flatMap((each) => {
      const key = columns[each.by]?.sort
      return key ? [{ key, sign: each.dir === 'desc' ? -1 : 1 }] : []
    }),
    ...last.map((key) => ({ key, sign: 1 })),
  ]
  const ranked = by.map(({ key, sign }) => ({ ranks: ranksOf(rows.map(key)), sign }))
  const placed = rows.map((row, at) => ({ row, at }))
  placed.sort((a, b) => {
    for (const { ranks, sign } of ranked) {
      const difference = (ranks[a.at] ?? 0) - (ranks[b.at] ?? 0)
      if (difference !== 0) return sign * difference
    }
    return 0
  })
  return placed.map(({ row }) => row)
}

/** Comparing names is slow and most repeat, so each is compared once and then sorted by its rank. */
function ranksOf(values: readonly (string | number)[]): readonly number[] {
  const ranks = new Map<string | number, number>()
  let rank = 0
  let before: string | number | undefined
  for (const value of [...new Set(values)].sort(compareValues)) {
    if (before !== undefined && compareValues(before, value) !== 0) rank++
    ranks.set(value, rank)
    before = value
  }
  return values.map((value) => ranks.get(value) ?? 0)
}
