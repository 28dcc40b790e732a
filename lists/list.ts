// What a list has, said once. The API takes from it by what may be sorted and what a filter means, the screen takes
// heads, hints and the values that a filter knows. How a cell is drawn is the screen's, which expression of the database
// a column is the store's; the compiler asks both for every column.

/** Its id is in addresses, in the API and in files that were exported. */
export interface ListColumn<Sort> {
  readonly head: string
  /** Stands over the column where `head` is too long for it. */
  readonly short?: string
  /** Without it nobody can sort by the column. */
  readonly sort?: Sort
}

export interface ListFilter {
  /** What it is about, in the list of keys. */
  readonly hint: string
  /** Other words for the same key. */
  readonly also?: readonly string[]
  /** The only values there are. */
  readonly values?: readonly string[]
  /** Values that are known, of a key that takes any. */
  readonly known?: readonly string[]
}

/** What a row says under a key. Without a value it fits no pattern, so it is among what a `not` leaves. */
export type Said = readonly (string | null | undefined)[]

/** Rows come from the database, which filters and sorts them. */
export interface DatabaseList {
  readonly columns: Readonly<Record<string, ListColumn<true>>>
  readonly filters: Readonly<Record<string, ListFilter>>
}

/** All rows are here. */
export interface MemoryList<Row> {
  readonly columns: Readonly<Record<string, ListColumn<(row: Row) => string | number>>>
  readonly filters: Readonly<Record<string, ListFilter & { readonly says: (row: Row) => Said }>>
  /** What free text is looked for in. */
  readonly text: (row: Row) => Said
  /** Ids whose start is free text as well. */
  readonly ids: (row: Row) => Said
}

/** What both have, of any row. */
export interface List {
  readonly columns: Readonly<Record<string, ListColumn<unknown>>>
  readonly filters: Readonly<Record<string, ListFilter>>
}

export type ColumnOf<L extends List> = keyof L['columns'] & string
export type SortOf<L extends List> = {
  [C in ColumnOf<L>]: L['columns'][C] extends { readonly sort: unknown } ? C : never
}[ColumnOf<L>]
export type FilterOf<L extends List> = keyof L['filters'] & string
/** What a condition may name: a filter, or free text. */
export type FieldOf<L extends List> = FilterOf<L> | 'text'

type AtLeastOne<T> = readonly [T, ...T[]]

export const sortsOf = <L extends List>({ columns }: L): AtLeastOne<SortOf<L>> =>
  Object.keys(columns).filter((id) => columns[id]?.sort !== undefined) as unknown as AtLeastOne<SortOf<L>>

export const fieldsOf = <L extends List>({ filters }: L): AtLeastOne<FieldOf<L>> =>
  ['text', ...Object.keys(filters)] as unknown as AtLeastOne<FieldOf<L>>

/** What a row of the list says under each key, and under `text`. */
export const saidBy = <Row>({ filters, text, ids }: MemoryList<Row>): RowSays<Row> => ({
  fields: { text, ...Object.fromEntries(Object.entries(filters).map(([id, { says }]) => [id, says])) },
  ids,
})

export interface RowSays<Row> {
  readonly fields: Readonly<Record<string, (row: Row) => Said>>
  readonly ids?: ((row: Row) => Said) | undefined
}
