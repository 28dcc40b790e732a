import type { Column } from './column'

function field(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  // A cell that starts like a formula would be run by a spreadsheet.
  const safe = /^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as comma separated values, in the order and with the columns that are shown. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const shown = columns.filter((column) => column.value)
  const lines = rows.map((row) => shown.map((column) => field(column.value?.(row) ?? null)).join(','))
  return [shown.map((column) => field(column.head)).join(','), ...lines].join('\n')
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  URL.revokeObjectURL(url)
}
