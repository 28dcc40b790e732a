// Rows written while the cloud's clock was ahead: by its present clock they are from the future, and their age would be
// unknown until then. They count as written when they were first read.

interface Row {
  readonly id: string | number
  readonly createdAt: number
  readonly updatedAt: number | null
}

/** Times in answers are whole seconds, and the parts of one poll are read one after the other. */
const SLACK_MS = 2_000

export class FutureTimestamps {
  readonly #seen = new Map<Row['id'], { readonly written: number; readonly at: number }>()

  /** The row with corrected times. `now`: by the cloud's clock. */
  dated<T extends Row>(row: T, now: number): T {
    const written = row.updatedAt ?? row.createdAt
    if (written <= now + SLACK_MS) {
      this.#seen.delete(row.id)
      return row
    }
    const known = this.#seen.get(row.id)
    const at = known?.written === written ? known.at : now
    this.#seen.set(row.id, { written, at })
    const updatedAt = row.updatedAt === null ? null : Math.min(row.updatedAt, at)
    return { ...row, createdAt: Math.min(row.createdAt, at), updatedAt, writtenAs: written }
  }
}
