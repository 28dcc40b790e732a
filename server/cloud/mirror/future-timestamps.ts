// Rows written while the cloud's clock was ahead: by its present clock they are from the future, and their age would be
// unknown until then. They count as written when they were first read. After a step of the clock that holds also once it
// has reached the time in them: a row that stays as it was read was not written again.

interface Row {
  readonly id: string | number
  readonly createdAt: number
  readonly updatedAt: number | null
}

interface FutureRow {
  /** The row as it was last read. */
  readonly as: string
  readonly written: number
  readonly at: number
}

/** Times in answers are whole seconds, and the parts of one poll are read one after the other. */
const SLACK_MS = 2_000
/** A row that is ahead by less was read late in a poll: smaller steps of the clock are not detected. */
const STEP_MS = 30_000

interface Clock {
  /** By the cloud's clock. */
  readonly now: number
  /** The time of its last step; null: none was detected. */
  readonly steadySince: number | null
}

export class FutureTimestamps {
  readonly #seen = new Map<Row['id'], FutureRow>()

  /** The row with corrected times. */
  dated<T extends Row>(row: T, { now, steadySince }: Clock): T {
    const written = row.updatedAt ?? row.createdAt
    const isAhead = written > now + SLACK_MS
    const before = this.#seen.get(row.id)
    if (!isAhead && before === undefined) return row
    const as = JSON.stringify(row)
    const isKept = steadySince !== null && before !== undefined && written - before.at > STEP_MS && before.as === as
    const known = before?.written === written && (isAhead || isKept) ? before : null
    if (!isAhead && known === null) {
      this.#seen.delete(row.id)
      return row
    }
    const at = known?.at ?? now
    this.#seen.set(row.id, { as, written, at })
    const updatedAt = row.updatedAt === null ? null : Math.min(row.updatedAt, at)
    return { ...row, createdAt: Math.min(row.createdAt, at), updatedAt, writtenAs: written }
  }
}
