import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Column, ROW_HEIGHT } from './column'
import { Table } from './Table'

const columns: readonly Column<{ readonly id: string }>[] = [{ id: 'id', head: 'Host', cell: (row) => row.id }]
const list = (count: number) => (
  <Table label="Hosts" columns={columns} rows={Array.from({ length: count }, (_, n) => ({ id: `h-${n}` }))} />
)
const scroller = () => screen.getByRole('table').closest<HTMLElement>('[data-scroller]')!
const scroll = (row: number) =>
  act(() => {
    scroller().scrollTop = row * ROW_HEIGHT
    scroller().dispatchEvent(new Event('scroll'))
  })
const row = () => scroller().scrollTop / ROW_HEIGHT
const goTo = (address: string) => history.replaceState(null, '', address)
const goBackTo = (address: string) => {
  goTo(address)
  window.dispatchEvent(new PopStateEvent('popstate'))
}

let now = 1_000_000
beforeEach(() => {
  now += 60_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(20 * ROW_HEIGHT)
  goTo('/hosts?q=left')
  render(list(300))
  scroll(120)
  cleanup()
  goTo('/hosts/one')
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('back navigation restores the scroll position', () => {
  goBackTo('/hosts?q=left')
  render(list(300))
  expect(row()).toBe(120)
})

it('the list starts at its top after other navigation, at another address, or long after', () => {
  goTo('/hosts?q=left')
  render(list(300))
  expect(row()).toBe(0)
  cleanup()
  goBackTo('/hosts?q=other')
  render(list(300))
  expect(row()).toBe(0)
  cleanup()
  goBackTo('/hosts?q=left')
  now += 10_000
  render(list(300))
  expect(row()).toBe(0)
})

it('restoring waits for the rows, and stops once the user scrolls', () => {
  goBackTo('/hosts?q=left')
  const { rerender } = render(list(0))
  rerender(list(300))
  expect(row()).toBe(120)
  cleanup()
  goBackTo('/hosts?q=left')
  const again = render(list(0))
  act(() => void window.dispatchEvent(new Event('wheel')))
  again.rerender(list(300))
  expect(row()).toBe(0)
})
