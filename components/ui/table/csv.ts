import type { Column } from './column'
import { exportedOf, exportHead, exportKey, isExported } from './exported'

function field(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  // A cell that starts like a formula would be run by a spreadsheet.
  const safe = /^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

interface Asked<Row> {
  readonly rows: readonly Row[]
  /** ms by the server's clock: what still lasts has lasted until then. */
  readonly now: number
}

/** Rows as comma separated values, in the order and with the columns that are shown. */
export function csvOf<Row>(columns: readonly Column<Row>[], { rows, now }: Asked<Row>): string {
  const shown = columns.filter(isExported)
  const lines = rows.map((row) => shown.map((column) => field(exportedOf(column, row, now))).join(','))
  return [shown.map((column) => field(exportHead(column))).join(','), ...lines].join('\n')
}

/** Rows as a list of objects, under the ids of the columns that are shown, each with its unit if it has one. */
export function jsonOf<Row>(columns: readonly Column<Row>[], { rows, now }: Asked<Row>): string {
  const shown = columns.filter(isExported)
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
  const url = URL.createObjectURL(new Blob([text], { type: TYPES[kind] }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = fileName(name, kind)
  anchor.click()
  URL.revokeObjectURL(url)
}
