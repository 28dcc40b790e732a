import type { z } from 'zod'
import type { Unreadable } from '../../engine/words/unreadable'
import { type Fits, fitsOf } from './fits'

// Rows are decoded, not cast. A column that does not fit is replaced by its stand-in and noted; the caller keeps the note
// with the value it makes of the row.

export interface ColumnRule {
  /** The column's name in the table. */
  readonly column: string
  readonly schema: z.ZodType
  /** Replaces an unreadable value, so that views need no check. */
  readonly standIn: unknown
}

export const column = (name: string, schema: z.ZodType, standIn: unknown): ColumnRule => {
  return { column: name, schema, standIn }
}

/** Collects the notes of several rows that become one value. */
export type Note = (unreadable: Unreadable) => void

interface ColumnCheck {
  readonly at: string
  readonly rule: ColumnRule
  readonly fits: Fits
}

export interface RowDecoder<Row> {
  /**
   * Returns the row itself when all of it is readable, at almost no cost; otherwise a copy with stand-ins, reported
   * only through `note`.
   */
  decode(row: Row, key?: (row: Row) => string, note?: Note): Row
}

const noKey = () => ''
export const noNote: Note = () => {}

/** Rules by member name. */
export function rowDecoder<Row extends object>(
  table: string,
  rules: Readonly<Record<string, ColumnRule>>,
): RowDecoder<Row> {
  const checks: readonly ColumnCheck[] = Object.entries(rules).map(([at, rule]) => {
    const fits = fitsOf(rule.schema)
    if (!fits(rule.standIn)) throw new Error(`The stand-in for ${table}.${rule.column} is unreadable.`)
    return { at, rule, fits }
  })
  return {
    decode: (row, key = noKey, note = noNote) => {
      const members = row as Readonly<Record<string, unknown>>
      for (const { at, fits } of checks) if (!fits(members[at])) return mended(row, key(row))
      return row

      function mended(bad: Row, name: string): Row {
        const copy = { ...bad } as Record<string, unknown>
        for (const { at, rule, fits } of checks) {
          if (fits(copy[at])) continue
          note({ table, key: name, column: rule.column, reason: reasonOf(rule.schema, copy[at]) })
          copy[at] = rule.standIn
        }
        return copy as Row
      }
    },
  }
}

/** A row as a JSON array: at 20 000 instances the member names would be most of the bytes. */
export type Cells = readonly unknown[]

/** The source of a member; with a schema, what the column must hold and the stand-in for invalid values. */
export type Member = readonly [sql: string, schema?: z.ZodType, standIn?: unknown]

/** One list of members, used by the statement that builds the array and by the reader that names its elements. */
export interface ArrayRow<Row> {
  readonly json: string
  /** The same row with a member from another source. */
  jsonOf(sqlOf: (member: keyof Row, sql: string) => string): string
  read(cells: Cells, key?: (row: Row) => string, note?: Note): Row
}

export function arrayRow<Row extends object>(
  table: string,
  members: { readonly [Name in keyof Row]-?: Member },
): ArrayRow<Row> {
  const all = Object.entries<Member>(members).map(([name, member]) => ({ name: name as keyof Row, member }))
  const rules = all.flatMap(({ name, member: [sql, schema, standIn] }) =>
    schema ? [[name, column(sql.slice(sql.indexOf('.') + 1), schema, standIn)] as const] : [],
  )
  const decoder = rowDecoder<Row>(table, Object.fromEntries(rules))
  // Generated as one object literal: setting members one by one doubled the time to read a whole fleet.
  const named = new Function('cells', `return {${all.map(({ name }, nth) => `${String(name)}: cells[${nth}]`)}}`)
  const jsonOf: ArrayRow<Row>['jsonOf'] = (sqlOf) =>
    `json_build_array(${all.map(({ name, member: [sql] }) => sqlOf(name, sql)).join(', ')})`
  return {
    json: jsonOf((_, sql) => sql),
    jsonOf,
    read: (cells, key, note) => decoder.decode(named(cells), key, note),
  }
}

/** The expected type and the path in the column; never the value, which may be confidential. */
function reasonOf(schema: z.ZodType, value: unknown): string {
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue === undefined) return 'cannot be read'
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
}

/** Notes of one value; absent when there are none, so that readable values stay unchanged. */
export function noted<T extends object>(value: T, notes: readonly Unreadable[]): T {
  return notes.length === 0 ? value : { ...value, unreadable: notes }
}
