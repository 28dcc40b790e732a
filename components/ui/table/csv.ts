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

/** Rows as a list of objects, under the ids of the columns that are shown. */
export function jsonOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const shown = columns.filter((column) => column.value)
  const objects = rows.map((row) => Object.fromEntries(shown.map(({ id, value }) => [id, value?.(row) ?? null])))
  return JSON.stringify(objects, null, 2)
}

const TYPES = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const

export function download(name: string, kind: keyof typeof TYPES, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: TYPES[kind] }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = `${name.toLowerCase().replaceAll(' ', '-')}.${kind}`
  anchor.click()
  URL.revokeObjectURL(url)
}
