import type { ReactNode } from 'react'
import type { uiWords } from '../words'

/** What a table shows of a row. */
export interface Column<Row> {
  readonly id: string
  readonly head: string
  /** Without it, `value` as it is, and a dash where that is null. */
  readonly cell?: (row: Row) => ReactNode
  /** What it sorts by, and what is exported unless `exported` says it. Without it, neither, unless the caller sorts. */
  readonly value?: (row: Row) => string | number | null
  /**
   * What a file says in place of `value`: words as on the screen, moments in ISO 8601 and UTC, numbers in `exportUnit`.
   * `now` is ms by the server's clock, for what still lasts. Null is an empty cell.
   */
  readonly exported?: (row: Row, now: number) => string | number | null
  /** `value` is ms since the epoch: a file says it in ISO 8601 and UTC. */
  readonly moment?: true
  /** What the cell shows is several values: a file has a column for each, with one number a cell. */
  readonly parts?: readonly ExportPart<Row>[]
  /** The id behind the name in the cell: a file has it in a column of its own. */
  readonly exportId?: (row: Row) => string | null
  /** In what the exported numbers are, where the cell on the screen says it; a file says it once, in the head. */
  readonly exportUnit?: keyof typeof uiWords.exportUnits
  /** Pixels; a column without a width shares what is left. */
  readonly width?: number
  /** Of a column without a width; where it has less than all of these together, the last are left out. */
  readonly minWidth?: number
  readonly align?: 'end'
  /** What it shows is never wider than the column, such as a state or a share: cells that may be cut cost a scroll. */
  readonly fits?: boolean
  /** Sentences, shown whole over several lines; a list so long that only a part is drawn has rows of one height, and cuts. */
  readonly wraps?: boolean
  readonly sortable?: boolean
  /** Columns that tell rows apart cannot be hidden. */
  readonly fixed?: boolean
  /** Shown before the columns to its left where not all fit, such as a state or the button of the row. */
  readonly keep?: boolean
  readonly hidden?: boolean
  readonly help?: string
}

/** One column of a file, of a cell that shows several values. */
export interface ExportPart<Row> extends Pick<Column<Row>, 'id' | 'head' | 'exportUnit' | 'moment'> {
  readonly value: (row: Row, now: number) => string | number | null
}

export interface Sort {
  readonly by: string
  readonly dir: 'asc' | 'desc'
}

/** Fetches every row of the query; reports progress, and can be aborted. */
export type AllRows<Row> = (options: {
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}) => Promise<readonly Row[]>

export const ROW_HEIGHT = 30
const SMALL_LETTER = 6.4 // pixels of a letter in a head, on average
const CAPITAL = 8.2 // names of resource classes are all capitals
const HEAD_PADDING = 17
const SORT_MARK = 18 // the mark of a sorted column
const FIGURES_REST = 6 // figures end a little before their column does

const headWidth = (head: string) =>
  [...head].reduce((sum, letter) => sum + (/[A-Z]/.test(letter) ? CAPITAL : SMALL_LETTER), HEAD_PADDING)

/** Pixels, wide enough for the head to be read whole; undefined shares what is left. */
export function columnWidth<Row>({ width, head, align, value, sortable }: Column<Row>): number | undefined {
  if (width === undefined) return undefined
  const mark = value || sortable ? SORT_MARK : 0
  return Math.max(width, Math.ceil(headWidth(head) + mark + (align === 'end' ? FIGURES_REST : 0)))
}

const VIRTUAL_FROM = 200

/** In a list of this many rows only the visible ones are in the document. */
export const isLong = (rows: number) => rows >= VIRTUAL_FROM
