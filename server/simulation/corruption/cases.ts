import { createHash } from 'node:crypto'
import type { Column, Table } from './columns'

// Possible corruptions of one column of one row.

const CLASSES = [
  'null',
  'empty',
  'wrong-json',
  'inside-json',
  'infinity',
  '2^62',
  'unknown-word',
  'dangling-key',
] as const
export type CorruptionClass = (typeof CLASSES)[number]

export interface Corruption {
  readonly table: Table
  readonly column: Column
  readonly class: CorruptionClass
  /** The written value, as text that PostgreSQL parses as the column's type; null writes NULL. */
  readonly value: string | null
}

/** An id that no row has. Different for each column: two columns with the same id would refer to each other. */
function danglingId({ name }: Table, column: Column): string {
  const digest = createHash('sha256').update(`${name}.${column.name}`).digest('hex')
  return `dead0000-0000-4000-8000-${digest.slice(0, 12)}`
}

const UNKNOWN = 'zz-unknown-word'
const HUGE = String(2n ** 62n)
const TEXTS = ['text', 'varchar', 'bpchar']
const NUMBERS = ['int2', 'int4', 'int8', 'numeric', 'float4', 'float8']
const TIMES = ['timestamptz', 'timestamp', 'date']
const JSONS = ['jsonb', 'json']

/** All corruptions of some columns of a table, given the values of one row. */
export function corruptionsOf(table: Table, columns: readonly Column[], row: Row): readonly Corruption[] {
  return columns.flatMap((column) =>
    CLASSES.flatMap((each) =>
      valuesOf(each, { table, column, now: row[column.name] }).flatMap((value) =>
        isSame(value, row[column.name]) ? [] : [{ table, column, class: each, value }],
      ),
    ),
  )
}

/** Writing the present value is no corruption. */
function isSame(value: string | null, now: unknown): boolean {
  if (value === '{}' && Array.isArray(now) && now.length === 0) return true
  return value === (typeof now === 'object' && now !== null ? JSON.stringify(now) : now)
}

export type Row = Readonly<Record<string, unknown>>

interface Cell {
  readonly table: Table
  readonly column: Column
  readonly now: unknown
}

function valuesOf(what: CorruptionClass, { table, column, now }: Cell): readonly (string | null)[] {
  const { type, refersTo, name } = column
  const isArray = type.startsWith('_')
  switch (what) {
    case 'null':
      return [null]
    case 'empty':
      return TEXTS.includes(type) ? [''] : JSONS.includes(type) ? ['{}', '[]', '""'] : isArray ? ['{}'] : []
    case 'wrong-json':
      return JSONS.includes(type) ? ['5', '"text"', 'true', 'null', '[5]', '{"zz": 5}'] : []
    case 'inside-json':
      return JSONS.includes(type) ? insideOf(now) : []
    case 'infinity':
      if (TIMES.includes(type)) return ['infinity', '-infinity']
      return type.startsWith('float') || type === 'numeric' ? ['Infinity', 'NaN'] : []
    case '2^62':
      return NUMBERS.includes(type) ? [HUGE] : []
    case 'unknown-word':
      return TEXTS.includes(type) ? [UNKNOWN] : type === '_text' ? [`{${UNKNOWN}}`] : []
    case 'dangling-key':
      if (type === 'uuid') return [danglingId(table, column)]
      if (type === '_uuid') return [`{${danglingId(table, column)}}`]
      if (refersTo === null && !name.endsWith('_id')) return []
      return NUMBERS.includes(type) ? ['987654321'] : TEXTS.includes(type) ? ['zz-nobody'] : []
  }
}

/** Each top-level member missing, of another type, or null; for a list, those of its first element. */
function insideOf(now: unknown): readonly string[] {
  if (Array.isArray(now)) return now.length === 0 ? [] : insideOf(now[0]).map((first) => `[${first}]`)
  if (typeof now !== 'object' || now === null) return []
  return Object.entries(now).flatMap(([key, value]) => {
    const { [key]: _, ...rest } = now as Record<string, unknown>
    const other = typeof value === 'string' ? 5 : 'zz'
    return [rest, { ...rest, [key]: other }, { ...rest, [key]: null }].map((each) => JSON.stringify(each))
  })
}

export const nameOf = ({ table, column, class: what, value }: Corruption): string =>
  `${table.name}.${column.name} ${what} ${value === null ? 'NULL' : shortened(value)}`

const SHOWN = 60

/** Keeps both ends, because the wrong member may be the last. */
const shortened = (value: string): string =>
  value.length <= 2 * SHOWN ? value : `${value.slice(0, SHOWN)} … ${value.slice(-SHOWN)}`
