import { useEffect, useMemo, useRef } from 'react'

// Rows must not jump under the pointer: while it is over the table, rows keep their places and only their contents
// change. Removed rows stay, marked; new rows wait until the pointer leaves, unless they come after all others.

export interface Steady<Row> {
  readonly rows: readonly Row[]
  readonly removedKeys: ReadonlySet<string>
  readonly arrived: number
}

const NONE: ReadonlySet<string> = new Set()

export function settle<Row>(
  next: readonly Row[],
  last: readonly Row[] | null,
  keyOf: (row: Row) => string,
): Steady<Row> {
  // An empty list cannot jump, and removed rows must not look present.
  if (!last || last.length === 0 || next.length === 0) return { rows: next, removedKeys: NONE, arrived: 0 }
  // Nor can one whose rows all kept their places, as when scrolling loads another page of a long list.
  const kept = (row: Row, place: number) => row === next[place] || keyOf(row) === keyOf(next[place] as Row)
  if (last.length <= next.length && last.every(kept)) return { rows: next, removedKeys: NONE, arrived: 0 }
  const fresh = new Map(next.map((row) => [keyOf(row), row]))
  const known = new Set(last.map(keyOf))
  const removedKeys = new Set([...known].filter((key) => !fresh.has(key)))
  const lastKnownAt = next.findLastIndex((row) => known.has(keyOf(row)))
  const after = next.slice(lastKnownAt + 1)
  return {
    rows: [...last.map((row) => fresh.get(keyOf(row)) ?? row), ...after],
    removedKeys,
    arrived: next.length - after.length - (known.size - removedKeys.size),
  }
}

export interface SteadyInput<Row> {
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly frozen: boolean
  /** Names the query; another query is another table and starts fresh. */
  readonly question: string
}

export function useSteadyRows<Row>({ rows, rowKey, frozen, question }: SteadyInput<Row>): Steady<Row> {
  const last = useRef<{ question: string; rows: readonly Row[] } | null>(null)
  const steady = useMemo(() => {
    const before = frozen && last.current?.question === question ? last.current.rows : null
    return settle(rows, before, rowKey)
  }, [rows, rowKey, frozen, question])
  useEffect(() => {
    last.current = { question, rows: steady.rows }
  }, [question, steady])
  return steady
}
