import type { ReactNode } from 'react'
import type { BadgeContent } from '../Badge'
import type { uiWords } from '../words'

/** A table column. */
export interface Column<Row> {
  readonly id: string
  readonly head: string
  /** Where there is room for more than the head, such as in the column picker. */
  readonly name?: string
  /** If omitted, `badge`, or `value`: a timestamp as its age, anything else as it is, null as a dash. */
  readonly cell?: (row: Row) => ReactNode
  /** The state of the row, exported as its label. */
  readonly badge?: (row: Row) => BadgeContent
  /**
   * The sort key, and the exported value unless `exported` or `badge` is set. If omitted, the label of `badge`; without
   * either, neither, unless the caller sorts.
   */
  readonly value?: (row: Row) => string | number | null
  /**
   * The exported value in place of `value`: words as on the screen, times in ISO 8601 and UTC, numbers in `exportUnit`.
   * `now` is ms by the server's clock, for periods that still last. Null is an empty cell.
   */
  readonly exported?: (row: Row, now: number) => string | number | null
  /** `value` is ms since the epoch: exported as ISO 8601 in UTC. */
  readonly timestamp?: true
  /** Cells are absolute times: the head names their zone. */
  readonly absolute?: true
  /** The cell shows several values: an export has a column for each, with one number per cell. */
  readonly parts?: readonly ExportPart<Row>[]
  /** The id behind the cell's name: an export has it in its own column. */
  readonly exportId?: (row: Row) => string | null
  /** Unit of exported numbers, if the cell shows one on screen; an export has it once, in the head. */
  readonly exportUnit?: keyof typeof uiWords.exportUnits
  /** Pixels; a column without a width shares the remaining space. */
  readonly width?: number
  /** For a column without a width; if there is less space than the sum of these, the last columns are dropped. */
  readonly minWidth?: number
  readonly align?: 'end'
  /**
   * Its content is never wider than the column, such as a state or a share: cells that may be cut slow down scrolling.
   */
  readonly fits?: boolean
  /** Sentences, wrapped over several lines; a list long enough to be virtual has rows of one height, and cuts. */
  readonly wraps?: boolean
  readonly sortable?: boolean
  /** Columns that identify rows cannot be hidden. */
  readonly fixed?: boolean
  /** Kept before columns to its left if not all fit, such as a state or the row's button. */
  readonly keep?: boolean
  readonly hidden?: boolean
  /**
   * In a narrow table, a column that does not fit moves to a second line of the row: its value alone, or named by its
   * head. Values that are null are left out.
   */
  readonly secondLine?: 'value' | 'named'
  readonly help?: string
}

/** One export column of a cell with several values. */
export interface ExportPart<Row> extends Pick<Column<Row>, 'id' | 'head' | 'exportUnit' | 'timestamp'> {
  readonly value: (row: Row, now: number) => string | number | null
}

/** Sort key of a column, and its text on hover. */
export function sortKey<Row>({ value, badge }: Column<Row>): Column<Row>['value'] {
  return value ?? (badge && ((row) => badge(row).label))
}

/** A row that needs no other key. */
export interface RowWithId {
  readonly id: string
}

/** The key of a row. The types of the callers ensure that rows have an id. */
export const idOf = (row: unknown): string => (row as RowWithId).id

export interface Sort {
  readonly by: string
  readonly dir: 'asc' | 'desc'
}

/** Fetches all rows of the query; reports progress and can be aborted. */
export type AllRows<Row> = (options: {
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}) => Promise<readonly Row[]>

export const ROW_HEIGHT = 30
/** A row with a second line, whose links are 24 pixels from those above them, as WCAG 2.2 asks for targets. */
export const TALL_ROW_HEIGHT = 52
const SMALL_LETTER = 6.4 // pixels of a letter in a head, on average
const CAPITAL = 8.2 // names of resource classes are all capitals
const WIDE_LETTER = 10.6 // “Memory” has two
const HEAD_PADDING = 17
const SORT_MARK = 18 // the mark of a sorted column
const FIGURES_REST = 6 // figures end a little before their column does
const AGE_WIDTH = 114 // “59 min 59 s ago”

const letterWidth = (letter: string) =>
  /[mwMW]/.test(letter) ? WIDE_LETTER : /[A-Z]/.test(letter) ? CAPITAL : SMALL_LETTER
const headWidth = (head: string) => [...head].reduce((sum, letter) => sum + letterWidth(letter), HEAD_PADDING)

/** Width in pixels at which neither the head nor an age is cut; undefined shares the remaining space. */
export function columnWidth<Row>(column: Column<Row>): number | undefined {
  const { head, align, timestamp } = column
  if (column.width === undefined) return undefined
  const width = timestamp ? Math.max(column.width, AGE_WIDTH) : column.width
  const mark = sortKey(column) || column.sortable ? SORT_MARK : 0
  return Math.max(width, Math.ceil(headWidth(head) + mark + (align === 'end' ? FIGURES_REST : 0)))
}

const VIRTUAL_FROM = 200

/** A list with this many rows keeps only those in view in the document. */
export const isLong = (rows: number) => rows >= VIRTUAL_FROM
