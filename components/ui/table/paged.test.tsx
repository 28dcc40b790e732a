import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Column } from './column'
import { ROW_HEIGHT } from './column'
import { Table } from './Table'

interface Host {
  readonly id: string
}

const drawn = new Set<string>()
const columns: readonly Column<Host>[] = [
  {
    id: 'id',
    head: 'Host',
    value: (row) => row.id,
    cell: (row) => {
      drawn.add(row.id)
      return row.id
    },
  },
]

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const pages = (count: number, onNearEnd: () => void, question = '') => (
  <Table
    label="Hosts"
    columns={columns}
    rows={Array.from({ length: count }, (_, n) => ({ id: `h-${n}` }))}
    total={10_000}
    onNearEnd={onNearEnd}
    question={question}
  />
)

function scrollTo(row: number): HTMLElement {
  const scroller = screen.getByRole('table').closest<HTMLElement>('[data-scroller]')!
  act(() => {
    scroller.scrollTop = row * ROW_HEIGHT
    scroller.dispatchEvent(new Event('scroll'))
  })
  return scroller
}

/** Gives every element space for this many rows. */
const roomFor = (rows: number) =>
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(rows * ROW_HEIGHT)

describe('a paged list', () => {
  it('requests more at once when the first rows do not fill a scrolling table', () => {
    const more = vi.fn()
    render(pages(40, more))
    expect(more).toHaveBeenCalled()
  })

  it('renders only the visible rows of a full first page, and requests no more', () => {
    for (const visible of [20, 35]) {
      drawn.clear()
      roomFor(visible)
      const more = vi.fn()
      render(pages(200, more))
      expect(screen.getAllByRole('row').length).toBeGreaterThan(visible)
      // Nor was any rendered that has since been removed.
      expect(drawn.size).toBeLessThan(visible + 20)
      expect(more).not.toHaveBeenCalled()
      cleanup()
    }
  })

  it('measures when its rows arrive, not before', () => {
    roomFor(20)
    const more = vi.fn()
    const { rerender } = render(pages(0, more))
    more.mockClear()
    drawn.clear()
    rerender(pages(200, more))
    expect(drawn.size).toBeGreaterThan(20)
    expect(drawn.size).toBeLessThan(40)
    expect(more).not.toHaveBeenCalled()
  })

  it('renders as on a tall screen before it is visible', () => {
    roomFor(0)
    render(pages(200, () => {}))
    const rows = screen.getAllByRole('row').length
    expect(rows).toBeGreaterThan(60)
    expect(rows).toBeLessThan(150)
  })

  it('can be entered by keys at a visible row, wherever it is scrolled to', () => {
    roomFor(20)
    render(pages(200, () => {}))
    for (const row of [0, 3, 80, 180]) {
      scrollTo(row)
      const stops = [...document.querySelectorAll('tr[data-row][tabindex="0"]')].map((each) =>
        Number(each.getAttribute('data-row')),
      )
      expect(stops).toHaveLength(1)
      // A row that is still rendered keeps the focus.
      if (row > 10) expect(stops[0]).toBeGreaterThanOrEqual(row)
      expect(stops[0]).toBeLessThan(row + 20)
    }
  })

  it('returns to its top for a new query, and keeps its position when rows arrive', () => {
    roomFor(20)
    const { rerender } = render(pages(200, () => {}, 'web'))
    const scroller = scrollTo(100)
    rerender(pages(700, () => {}, 'web'))
    expect(scroller.scrollTop).toBe(100 * ROW_HEIGHT)
    rerender(pages(700, () => {}, 'api'))
    expect(scroller.scrollTop).toBe(0)
  })
})
