import { type Condition, FREE_TEXT } from './judge'

// Filters rows that are here already, as the server filters those it holds: `*` stands for any letters, case does not
// matter, free text is looked for anywhere, and what says nothing fits no pattern.

/** What a row says under each key. Without a value a row fits no pattern, so it is among what a minus leaves. */
export type RowFields<Row> = Readonly<Record<string, (row: Row) => readonly (string | null | undefined)[]>>

export function keep<Row>(
  rows: readonly Row[],
  conditions: readonly Condition[],
  fields: RowFields<Row>,
): readonly Row[] {
  if (conditions.length === 0) return rows
  const tests = conditions.map(({ key, any, not }) => {
    const patterns = any.map((text) => pattern(text, key === FREE_TEXT))
    const said = fields[key] ?? (() => [])
    return (row: Row) => said(row).some((value) => value && patterns.some((each) => each.test(value))) !== not
  })
  return rows.filter((row) => tests.every((test) => test(row)))
}

function pattern(text: string, anywhere: boolean): RegExp {
  const body = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return anywhere && body.length === 1 ? new RegExp(body.join(''), 'is') : new RegExp(`^${body.join('.*')}$`, 'is')
}
