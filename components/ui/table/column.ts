import type { ReactNode } from 'react'

/** What a table shows of a row. */
export interface Column<Row> {
  readonly id: string
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** What it sorts and exports by. Without it the column does neither, unless the caller sorts. */
  readonly value?: (row: Row) => string | number | null
  /** Pixels; a column without a width shares what is left. */
  readonly width?: number
  /** Of a column without a width; narrower than all of these together, the table scrolls. */
  readonly minWidth?: number
  readonly align?: 'end'
  readonly sortable?: boolean
  /** Columns that tell rows apart cannot be hidden. */
  readonly fixed?: boolean
  readonly hidden?: boolean
  readonly help?: string
}

export interface Sort {
  readonly by: string
  readonly dir: 'asc' | 'desc'
}

export const ROW_HEIGHT = 30
/** Above this many rows only those in view are in the document. */
export const VIRTUAL_FROM = 200
