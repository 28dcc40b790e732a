import { describe, expect, it } from 'vitest'
import { ROW_HEIGHT } from './column'
import { rowsInView } from './view'

const rows = (count: number) => ({ count, rowHeight: ROW_HEIGHT })

const HEIGHT = 20 * ROW_HEIGHT
const at = (row: number) => ({ top: row * ROW_HEIGHT, height: HEIGHT })

describe('rows in view', () => {
  it('are all that can be seen, plus a margin', () => {
    for (const row of [0, 1, 7, 300, 979, 980]) {
      const { first, last } = rowsInView(at(row), rows(1000))
      expect(first).toBeLessThanOrEqual(Math.max(0, row - 10))
      expect(last).toBeGreaterThanOrEqual(Math.min(999, row + 30))
      expect(last - first).toBeLessThan(50)
    }
  })

  it('stay the same while a scroll passes a few rows', () => {
    const seen = new Set(Array.from({ length: 80 }, (_, row) => rowsInView(at(300 + row), rows(1000)).first))
    expect(seen.size).toBeLessThanOrEqual(21)
  })

  it('are the last ones when the list is shorter than the scroll position', () => {
    expect(rowsInView(at(900), rows(300))).toEqual({ first: 268, last: 299 })
  })

  it('are all rows of a table that is lower than its frame', () => {
    expect(rowsInView(at(0), rows(3))).toEqual({ first: 0, last: 2 })
    expect(rowsInView(at(0), rows(0))).toEqual({ first: 0, last: -1 })
  })
})
