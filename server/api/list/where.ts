import { ID_START } from '../../store/database/condition'

// Filters of lists that are in memory. A condition means here what `server/store/database/condition.ts` means in SQL.

/**
 * The field fits any of the patterns, or with `not` none of them. Case does not matter, `*` stands for any letters, and
 * the field is compared whole; `text` is looked for anywhere in names, and in ids.
 */
export interface ListCondition<Field extends string> {
  readonly key: Field
  readonly any: readonly string[]
  readonly not?: boolean
}

export type Conditions<Field extends string> =
  | readonly (Omit<ListCondition<Field>, 'not'> & { readonly not?: boolean | undefined })[]
  | undefined

/** What a row says in each field; a field without a value fits no pattern. */
export type RowFields<Row, Field extends string> = Readonly<Record<Field, (row: Row) => readonly string[]>>

/** The rows that every condition fits. Free text, the field `text`, is also the start of one of the row's `ids`. */
export function whereRows<Row, Field extends string>(
  rows: readonly Row[],
  where: Conditions<Field>,
  { fields, ids }: { readonly fields: RowFields<Row, Field>; readonly ids: (row: Row) => readonly string[] },
): readonly Row[] {
  if (!where || where.length === 0) return rows
  const tests = where.map(({ key, any, not = false }) => {
    const free = key === 'text'
    const patterns = any.map((text) => pattern(text, free))
    const starts = free ? any.filter((text) => ID_START.test(text)).map((text) => text.toLowerCase()) : []
    return (row: Row) => {
      const named = fields[key](row).some((value) => patterns.some((each) => each.test(value)))
      return (named || ids(row).some((id) => starts.some((start) => id.startsWith(start)))) !== not
    }
  })
  return rows.filter((row) => tests.every((test) => test(row)))
}

function pattern(text: string, anywhere: boolean): RegExp {
  const body = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return anywhere && body.length === 1 ? new RegExp(body.join(''), 'is') : new RegExp(`^${body.join('.*')}$`, 'is')
}

const BY_NAME = new Intl.Collator('en', { numeric: true })

/** Names are compared the way people count: `h-2` before `h-10`. */
export function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BY_NAME.compare(String(a), String(b))
}

/** By the first column, then by the next; equal rows by `last`, then as they were. */
export function orderRows<Row, By extends string>(
  rows: readonly Row[],
  order: readonly { readonly by: By; readonly dir: 'asc' | 'desc' }[],
  { keys, last }: { readonly keys: RowKeys<Row, By>; readonly last: readonly ((row: Row) => string)[] },
): readonly Row[] {
  const by = [
    ...order.map((each) => ({ key: keys[each.by], sign: each.dir === 'desc' ? -1 : 1 })),
    ...last.map((key) => ({ key, sign: 1 })),
  ]
  const columns = by.map(({ key, sign }) => ({ ranks: ranksOf(rows.map(key)), sign }))
  const placed = rows.map((row, at) => ({ row, at }))
  placed.sort((a, b) => {
    for (const { ranks, sign } of columns) {
      const difference = (ranks[a.at] ?? 0) - (ranks[b.at] ?? 0)
      if (difference !== 0) return sign * difference
    }
    return 0
  })
  return placed.map(({ row }) => row)
}

/** Comparing names is dear and most of them come many times, so each is compared once and then goes by its place. */
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

export type RowKeys<Row, By extends string> = Readonly<Record<By, (row: Row) => string | number>>
