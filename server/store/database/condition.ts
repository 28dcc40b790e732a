import type pg from 'pg'
import { type Condition, FREE_TEXT, ID_START } from '@/lists/condition'

// Filters of lists as SQL. A condition names a field of the list; each list says which expressions that field is.

/**
 * An SQL expression of type text, a one-column query of which one row must match, or a custom test that an index
 * serves: for all patterns at once (`any(…)`, after `ilike`), or for each.
 */
export type Expression =
  | string
  | { readonly each: string }
  | { readonly fits: (patterns: string) => string }
  | { readonly fitsOne: (pattern: string) => string }
/** A field of several expressions, such as the two hosts of a migration, matches when one of them does. */
export type Fields<Key extends string> = Readonly<Record<Key, readonly Expression[]>>

/**
 * A condition to add with `and`, and its parameters, numbered from `first`. Null matches no pattern, so `not` keeps it.
 * Free text is also compared with `ids`, besides the fields of `text`.
 */
export function conditionsSql<Key extends string>(
  conditions: readonly Condition<Key>[],
  { fields, ids, first }: { readonly fields: Fields<Key>; readonly ids: readonly Expression[]; readonly first: number },
): { readonly sql: string; readonly values: readonly (readonly string[])[] } {
  const values: (readonly string[])[] = []
  const test = (expressions: readonly Expression[], patterns: readonly string[]) => {
    const parameter = `$${first + values.push(patterns) - 1}::text[]`
    return expressions.map((one) => fitting(one, { parameter, count: patterns.length }))
  }
  const tests = conditions.map(({ key, any, not }) => {
    const free = key === FREE_TEXT
    const starts = free ? any.filter((text) => ID_START.test(text)).map((text) => `${text}%`) : []
    const named = test(
      fields[key],
      any.map((text) => likePattern(text, free)),
    )
    const either = starts.length > 0 ? [...named, ...test(ids, starts)] : named
    return `${not ? 'not ' : ''}(${either.join(' or ')})`
  })
  return { sql: ['true', ...tests].join(' and '), values }
}

function fitting(
  one: Expression,
  { parameter, count }: { readonly parameter: string; readonly count: number },
): string {
  const patterns = `any(${parameter})`
  if (typeof one === 'string') return `coalesce(${one} ilike ${patterns}, false)`
  if ('each' in one) return `exists (select 1 from (${one.each}) as fitting(value) where value ilike ${patterns})`
  if ('fits' in one) return `(${one.fits(patterns)})`
  // An index serves a pattern only if the pattern stands alone.
  return (
    Array.from({ length: count }, (_, at) => `(${one.fitsOne(`(${parameter})[${at + 1}]`)})`).join(' or ') || 'false'
  )
}

/** Escapes user input for LIKE. */
const literalPattern = (text: string) => text.replace(/[\\%_]/g, (letter) => `\\${letter}`)

export const likeText = (text: string | undefined): string | null => (text ? literalPattern(text) : null)

/** Only the star is a wildcard. */
export function likePattern(text: string, anywhere: boolean): string {
  const pattern = literalPattern(text).replaceAll('*', '%')
  return anywhere && !text.includes('*') ? `%${pattern}%` : pattern
}

export interface Order<Key extends string> {
  readonly by: Key
  readonly dir: 'asc' | 'desc'
}

export interface ListOrder<Sort extends string> {
  /** Sorts by the first key first; overrides `sort` and `dir`. */
  readonly order?: readonly Order<Sort>[] | undefined
  readonly sort?: Sort | undefined
  readonly dir?: 'asc' | 'desc' | undefined
}

/** Parameters common to all lists. */
export interface ListQuery<Field extends string, Sort extends string> extends ListOrder<Sort> {
  readonly where?: readonly Condition<Field>[] | undefined
  readonly offset: number
  readonly limit: number
}

export interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** `order by` without the keyword, in column order; nulls last either way. */
export function orderSql<Key extends string>(
  order: readonly Order<Key>[],
  columns: Readonly<Record<Key, string>>,
): string {
  return order.map(({ by, dir }) => `${columns[by]} ${dir === 'desc' ? 'desc' : 'asc'} nulls last`).join(', ')
}

/** The order that was asked for, or else by one column. */
export const askedOrder = <Sort extends string>(
  { order, sort, dir }: ListOrder<Sort>,
  defaultOrder: Order<Sort>,
): readonly Order<Sort>[] => (order?.length ? order : [{ by: sort ?? defaultOrder.by, dir: dir ?? defaultOrder.dir }])

interface PageSql {
  readonly columns: string
  /** The condition in SQL; its parameters are `values`. */
  readonly from: string
  readonly values: readonly unknown[]
  readonly order: string
}

/** One page, and how many rows there are in all. */
export async function readPage<Row extends pg.QueryResultRow>(
  pool: Pick<pg.Pool, 'query'>,
  { columns, from, values, order }: PageSql,
  { offset, limit }: Pick<ListQuery<never, never>, 'offset' | 'limit'>,
): Promise<ListPage<Row>> {
  const n = values.length
  const [counted, listed] = await Promise.all([
    pool.query<{ total: number }>(`select count(*)::int as total ${from}`, [...values]),
    pool.query<Row>(`select ${columns} ${from} order by ${order} offset $${n + 1} limit $${n + 2}`, [
      ...values,
      offset,
      limit,
    ]),
  ])
  return { rows: listed.rows, total: counted.rows[0]?.total ?? 0 }
}
