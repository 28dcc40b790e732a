import type { Refusal, RefusalLocation } from './refusal'

// A record that cannot be read as what it should be. Whoever reads it puts a stand-in in the place of what is wrong and
// says so with the value, so that everything else goes on; nothing is decided on a stand-in.

export interface Unreadable {
  readonly table: string
  /** The row's primary key, in readable form: `host_id=…, cell=0`. */
  readonly key: string
  readonly column: string
  /** What was expected there. */
  readonly reason: string
}

/** A value as the database prints it, so that nothing is lost: numbers are texts, JSON and lists are themselves. */
export type RawValue = string | null | boolean | object
export type RawColumns = Readonly<Record<string, RawValue>>

/** Carried by values that were read from such a record; absent on all others. */
export interface MayBeUnreadable {
  readonly unreadable?: readonly Unreadable[]
}

export const isReadable = (value: MayBeUnreadable | null): boolean => value?.unreadable === undefined

/** One refusal per record: nothing is decided on what stands in for it. */
export function unreadableRefusals(value: MayBeUnreadable | null): readonly Refusal[] {
  return (value?.unreadable ?? []).map((each) => {
    return { kind: 'unreadable-record', where: placeOf(each), need: each.reason, have: 'a record that cannot be read' }
  })
}

export const placeOf = ({ table, key, column }: Unreadable): RefusalLocation => ({ record: `${table} ${key}`, column })
