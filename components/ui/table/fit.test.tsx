import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { type Column, columnWidth } from './column'
import { columnsWithoutRoom, secondLineOf, shrinkFactor, stretchFactor } from './fit'
import { Table } from './Table'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const column = (id: string, width: number, more: Partial<Column<{ id: string }>> = {}): Column<{ id: string }> => ({
  ...{ id, head: id, minWidth: width, cell: (row) => `${id} ${row.id}`, ...more },
})
const COLUMNS = [column('name', 100, { fixed: true }), column('zone', 100), column('age', 50), column('state', 100)]

it.each([
  [1000, []],
  [349, ['state']],
  [250, ['state']],
  [249, ['age', 'state']],
  [199, ['zone', 'age', 'state']],
  [50, ['zone', 'age', 'state']],
])('at %i pixels the last columns are hidden', (room, without) => {
  expect([...columnsWithoutRoom(COLUMNS, room)]).toEqual(without)
})

it('a column that must stay gets its width before the columns to its left', () => {
  const columns = COLUMNS.map((each) => (each.id === 'state' ? { ...each, keep: true } : each))
  expect([...columnsWithoutRoom(columns, 300)]).toEqual(['age'])
  expect([...columnsWithoutRoom(columns, 200)]).toEqual(['zone', 'age'])
})

it('visible columns share a width that is too small for all of them', () => {
  const stays = [column('name', 0, { width: 200 }), column('state', 0, { width: 120 })]
  expect(shrinkFactor(stays, 320)).toBe(1)
  expect(shrinkFactor(stays, 240)).toBe(0.75)
  expect(shrinkFactor(stays, 0)).toBe(1)
})

it('a column of ages has space for the longest one', () => {
  expect(columnWidth(column('since', 0, { width: 100, timestamp: true }))).toBe(114)
  expect(columnWidth(column('since', 0, { width: 160, timestamp: true }))).toBe(160)
  expect(columnWidth(column('zone', 0, { width: 70 }))).toBe(70)
})

it('columns of text widen before another column gets more than it needs', () => {
  const text = column('reason', 0, { width: 200 })
  const columns = [text, column('took', 0, { width: 100, align: 'end' }), column('note', 100)]
  expect(stretchFactor(columns, 700)).toBe(1)
  expect(stretchFactor(columns, 750)).toBe(1.25)
  expect(stretchFactor(columns, 4000)).toBe(1.75)
  expect(stretchFactor(columns.slice(1), 4000)).toBe(1)
  const withSentences = [text, column('why', 100, { wraps: true })]
  expect(stretchFactor(withSentences, 1000)).toBe(1)
  expect(stretchFactor(withSentences, 1100)).toBe(1.5)
})

it('a table in a wide window gives its column of text more than its least width', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(750)
  const columns = [column('reason', 0, { width: 200 }), column('took', 0, { width: 100, align: 'end' }), COLUMNS[1]!]
  render(<Table label="Hosts" columns={columns} rows={[{ id: 'h-1' }]} />)
  expect([...document.querySelectorAll('col')].map(({ style }) => style.width)).toEqual(['250px', '100px', ''])
})

const inPixels = (room: number) => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(room)
  render(<Table label="Hosts" columns={COLUMNS} rows={[{ id: 'h-1' }]} />)
  return () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
}

it('a table shows the columns that fit, counts hidden ones, and shows them on request', () => {
  const heads = inPixels(220)
  expect(heads()).toEqual(['name', 'zone'])
  expect(screen.getByText('2 columns do not fit')).toBeTruthy()
  act(() => screen.getByRole('button', { name: 'Show all columns' }).click())
  expect(heads()).toEqual(['name', 'zone', 'age', 'state'])
  act(() => screen.getByRole('button', { name: 'Fit columns' }).click())
  expect(heads()).toEqual(['name', 'zone'])
})

const WITH_LINE = [
  column('name', 100, { fixed: true }),
  column('zone', 100),
  column('host', 100, { secondLine: 'named', value: ({ id }) => (id === 'h-2' ? null : id) }),
  column('age', 60, { secondLine: 'value', value: () => 1 }),
  column('note', 100),
]

it.each([
  [470, []],
  [220, ['host', 'age']],
  [320, ['age']],
])('at %i pixels the columns of the second line are those that do not fit', (room, second) => {
  expect(secondLineOf(WITH_LINE, room).map(({ id }) => id)).toEqual(second)
})

it('a table wider than a tablet has no second line, whatever is dropped', () => {
  const wide = WITH_LINE.map((each) => ({ ...each, minWidth: 400 }))
  expect(secondLineOf(wide, 834).map(({ id }) => id)).toEqual(['host', 'age'])
  expect(secondLineOf(wide, 835)).toEqual([])
})

it('a narrow table shows columns without space on a second line, unless they have no value', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(220)
  render(<Table label="Hosts" columns={WITH_LINE} rows={[{ id: 'h-1' }, { id: 'h-2' }]} />)
  const lines = screen.getAllByRole('row').slice(1)
  expect(lines.map(({ firstChild }) => firstChild?.textContent)).toEqual([
    'name h-1host host h-1 · age age h-1',
    'name h-2age age h-2',
  ])
  expect(screen.getByText('1 column does not fit')).toBeTruthy()
  act(() => screen.getByRole('button', { name: 'Show all columns' }).click())
  expect(screen.getAllByRole('row')[1]?.firstChild?.textContent).toBe('name h-1')
})

it('the head of a column of absolute times names their zone', () => {
  render(<Table label="Hosts" columns={[column('time', 100, { absolute: true })]} rows={[{ id: 'h-1' }]} />)
  expect(screen.getByRole('columnheader').textContent).toBe('time, UTC')
})

it('a table with enough width shows every chosen column', () => {
  const heads = inPixels(1000)
  expect(heads()).toEqual(['name', 'zone', 'age', 'state'])
  expect(screen.queryByRole('button', { name: 'Show all columns' })).toBeNull()
})
