import { saveText } from '../save-text'
import { uiWords } from '../words'
import type { Column, ExportPart } from './column'

function field(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  // A spreadsheet would run a cell that starts like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The columns of an export: a cell with several values becomes several columns, and a name is followed by its id. */
function exportColumns<Row>(columns: readonly Column<Row>[]): readonly ExportPart<Row>[] {
  return columns.flatMap((column): readonly ExportPart<Row>[] => {
    const { id, head, exportUnit, timestamp, badge, exported, parts, exportId } = column
    const ids = exportId ? [{ id: `${id}Id`, head: uiWords.named(head, uiWords.exportedId), value: exportId }] : []
    if (parts) return [...parts, ...ids]
    const of = exported ?? (badge ? (row: Row) => badge(row).label : column.value)
    if (of === undefined) return ids
    return [{ id, head, value: of, ...(exportUnit && { exportUnit }), ...(timestamp && { timestamp }) }, ...ids]
  })
}

/** The exported value of a row in this column; `now` is ms by the server's clock. */
function exportedOf<Row>({ value, timestamp }: ExportPart<Row>, row: Row, now: number): string | number | null {
  const output = value(row, now)
  return timestamp && typeof output === 'number' ? new Date(output).toISOString() : output
}

/** `Held for, seconds` */
const exportHead = <Row>({ head, exportUnit }: ExportPart<Row>): string =>
  exportUnit ? uiWords.both(head, uiWords.exportUnits[exportUnit]) : head

const KEY_ENDS = {
  seconds: 'Seconds',
  bytes: 'Bytes',
  bytesPerS: 'BytesPerS',
  mib: 'Mib',
  gib: 'Gib',
  percent: 'Percent',
} as const satisfies Record<NonNullable<Column<never>['exportUnit']>, string>

/** The key ends in the unit, for programs, as the head does for readers: `…Seconds`. */
const exportKey = <Row>({ id, exportUnit }: ExportPart<Row>): string =>
  exportUnit ? `${id}${KEY_ENDS[exportUnit]}` : id

interface CsvSource<Row> {
  readonly rows: readonly Row[]
  /** ms by the server's clock: periods that still last are exported up to it. */
  readonly now: number
}

/** Rows as comma-separated values, with the visible columns in their order. */
export function csvOf<Row>(columns: readonly Column<Row>[], { rows, now }: CsvSource<Row>): string {
  const shown = exportColumns(columns)
  const lines = rows.map((row) => shown.map((column) => field(exportedOf(column, row, now))).join(','))
  return [shown.map((column) => field(exportHead(column))).join(','), ...lines].join('\n')
}

/** Rows as a list of objects, keyed by the ids of the visible columns, with the unit if there is one. */
export function jsonOf<Row>(columns: readonly Column<Row>[], { rows, now }: CsvSource<Row>): string {
  const shown = exportColumns(columns)
  const objects = rows.map((row) =>
    Object.fromEntries(shown.map((column) => [exportKey(column), exportedOf(column, row, now)])),
  )
  return JSON.stringify(objects, null, 2)
}

const TYPES = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const

/** `Migrations, Waiting` → `migrations-waiting.csv`: a name that needs no quotes in a shell. */
export function fileName(name: string, kind: keyof typeof TYPES): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [kind]
  return `${words.join('-')}.${kind}`
}

export function download(name: string, kind: keyof typeof TYPES, text: string): void {
  saveText(fileName(name, kind), text, TYPES[kind])
}

export const WRITERS = { csv: csvOf, json: jsonOf } as const
