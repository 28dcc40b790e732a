// Types shared by views. Answers are plain JSON without a transformer: times are ms since the epoch (UTC), byte counts
// are numbers, sequences are strings. `null` always means "unknown" or "does not apply", as the field says, and never
// zero. The screen writes sentences; the API returns numbers, names and the reason of a `Permit`.

export type Ms = number

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /** Event sequence the page was read at. */
  readonly seq: string
}

/** Part of a whole, in the unit of the name around it. */
export interface Share {
  readonly used: number
  readonly total: number
}
