import type { Refusal, RefusalLocation } from './refusal'

// An unreadable record. Its reader substitutes a placeholder and attaches the reason to the value, so that everything
// else continues; no decision relies on a placeholder.

export interface Unreadable {
  readonly table: string
  /** The row's primary key, for looking it up: `host_id=…, cell=0`. */
  readonly key: string
  readonly column: string
  /** The expected value. */
  readonly reason: string
}

/** A value as the database prints it, so that nothing is lost: numbers are strings, JSON and lists are themselves. */
export type RawValue = string | null | boolean | object
export type RawColumns = Readonly<Record<string, RawValue>>

/** Carried by values that were read from such a record; absent on all others. */
export interface MayBeUnreadable {
  readonly unreadable?: readonly Unreadable[]
}

export const isReadable = (value: MayBeUnreadable | null): boolean => value?.unreadable === undefined

/** One refusal per record: no decision relies on its placeholder. */
export function unreadableRefusals(value: MayBeUnreadable | null): readonly Refusal[] {
  return (value?.unreadable ?? []).map((each) => {
    return { kind: 'unreadable-record', where: placeOf(each), need: each.reason, have: 'a record that cannot be read' }
  })
}

export const placeOf = ({ table, key, column }: Unreadable): RefusalLocation => ({ record: `${table} ${key}`, column })
