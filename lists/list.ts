// The single definition of a list. The API takes from it the sort keys and the meaning of filters, the screen takes
// heads, hints and known values. The screen defines how a cell is rendered, the store which database expression a
// column is; the compiler requires both for every column.

/** Its id is used in addresses, in the API and in exported files. */
export interface ListColumn<Sort> {
  readonly head: string
  /** The head shown if `head` is too long for the column. */
  readonly short?: string
  /** If omitted, the column cannot be sorted. */
  readonly sort?: Sort
}

export interface ListFilter {
  /** Its description in the list of keys. */
  readonly hint: string
  /** Aliases of the key. */
  readonly aliases?: readonly string[]
  /** The only valid values. */
  readonly values?: readonly string[]
  /** Known values of a key that takes any. */
  readonly known?: readonly string[]
}

/** A row's values for a key. A row without a value matches no pattern, so `not` keeps it. */
export type FieldValues = readonly (string | null | undefined)[]

/** Rows come from the database, which filters and sorts them. */
export interface DatabaseList {
  readonly columns: Readonly<Record<string, ListColumn<true>>>
  readonly filters: Readonly<Record<string, ListFilter>>
}

/** All rows are in memory. */
export interface MemoryList<Row> {
  readonly columns: Readonly<Record<string, ListColumn<(row: Row) => string | number>>>
  readonly filters: Readonly<Record<string, ListFilter & { readonly says: (row: Row) => FieldValues }>>
  /** Fields that free text searches. */
  readonly text: (row: Row) => FieldValues
  /** Ids whose prefix free text also matches. */
  readonly ids: (row: Row) => FieldValues
}

/** Common to both, for any row. */
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

/** A row's values for each key, and for `text`. */
export const fieldValuesOf = <Row>({ filters, text, ids }: MemoryList<Row>): RowReader<Row> => ({
  fields: { text, ...Object.fromEntries(Object.entries(filters).map(([id, { says }]) => [id, says])) },
  ids,
})

export interface RowReader<Row> {
  readonly fields: Readonly<Record<string, (row: Row) => FieldValues>>
  readonly ids?: ((row: Row) => FieldValues) | undefined
}
