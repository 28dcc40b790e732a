import type { z } from 'zod'
import type { Unreadable } from '../../engine/words/unreadable'
import { type Fits, fitsOf } from './fits'

// Rows are decoded, not cast. A column that does not fit is replaced by its stand-in and noted; the caller keeps the note
// with the value it makes of the row.

export interface ColumnRule {
  /** As the table calls it. */
  readonly column: string
  readonly schema: z.ZodType
  /** Stands in the place of what cannot be read, so that whoever shows the value need not ask. */
  readonly standIn: unknown
}

export const column = (name: string, schema: z.ZodType, standIn: unknown): ColumnRule => {
  return { column: name, schema, standIn }
}

/** Where notes go. Made by whoever reads several rows into one value. */
export type Note = (unreadable: Unreadable) => void

interface Checked {
  readonly at: string | number
  readonly rule: ColumnRule
  readonly fits: Fits
}

export interface RowDecoder<Row> {
  /** The row itself when all of it can be read, else a copy with stand-ins. Costs next to nothing when it can. */
  decode(row: Row, key: () => string, note: Note): Row
}

/** For rows that come as objects or tuples: the rules are named by member or by place. */
export function rowDecoder<Row extends object>(
  table: string,
  rules: Readonly<Record<string, ColumnRule>>,
): RowDecoder<Row> {
  const checks: readonly Checked[] = Object.entries(rules).map(([at, rule]) => {
    const fits = fitsOf(rule.schema)
    if (!fits(rule.standIn)) throw new Error(`What stands in for ${table}.${rule.column} cannot be read itself.`)
    return { at, rule, fits }
  })
  return {
    decode: (row, key, note) => {
      const cells = row as Readonly<Record<string, unknown>>
      for (const { at, fits } of checks) if (!fits(cells[at])) return mended(row, key())
      return row

      function mended(bad: Row, name: string): Row {
        const copy = (Array.isArray(bad) ? [...bad] : { ...bad }) as Record<string, unknown>
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

/** What was expected, and where in the column; never what is there, which may be anything. */
function reasonOf(schema: z.ZodType, value: unknown): string {
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue === undefined) return 'cannot be read'
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
}

/** Notes of one value: absent when there are none, so that sound values stay as they were. */
export function noted<T extends object>(value: T, notes: readonly Unreadable[]): T {
  return notes.length === 0 ? value : { ...value, unreadable: notes }
}
