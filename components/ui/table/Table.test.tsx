import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Column } from './column'
import { Table } from './Table'

interface Host {
  readonly id: string
  readonly cpus: number
}

const columns: readonly Column<Host>[] = [
  {
    id: 'id',
    head: 'Host',
    fixed: true,
    value: (row) => row.id,
    cell: (row) => <a href={`/hosts/${row.id}`}>{row.id}</a>,
  },
  { id: 'cpus', head: 'CPUs', value: (row) => row.cpus, cell: (row) => row.cpus },
]
const rowKey = (row: Host) => row.id
const hosts = (...cpus: number[]): Host[] => cpus.map((n, index) => ({ id: `h-${index}`, cpus: n }))
const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('link').textContent)

afterEach(cleanup)

describe('a table', () => {
  it('sorts by a column and says so', async () => {
    render(<Table label="Hosts" columns={columns} rows={hosts(8, 32, 16)} rowKey={rowKey} />)
    await userEvent.click(screen.getByRole('button', { name: /CPUs/ }))
    const head = screen.getByRole('columnheader', { name: /CPUs/ })
    expect(['ascending', 'descending']).toContain(head.getAttribute('aria-sort'))
    expect(shown()).toEqual(
      head.getAttribute('aria-sort') === 'ascending' ? ['h-0', 'h-2', 'h-1'] : ['h-1', 'h-2', 'h-0'],
    )
  })

  it('keeps rows in their places while the pointer is over it', async () => {
    const { rerender } = render(<Table label="Hosts" columns={columns} rows={hosts(1, 2)} rowKey={rowKey} />)
    await userEvent.hover(screen.getByRole('table'))
    rerender(<Table label="Hosts" columns={columns} rows={[...hosts(1, 2)].reverse()} rowKey={rowKey} />)
    expect(shown()).toEqual(['h-0', 'h-1'])
    await userEvent.unhover(screen.getByRole('table'))
    expect(shown()).toEqual(['h-1', 'h-0'])
  })

  it('selects with x on the row that has the keyboard', async () => {
    function Selecting() {
      const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
      return (
        <Table
          label="Hosts"
          columns={columns}
          rows={hosts(1, 2)}
          rowKey={rowKey}
          selected={selected}
          onSelect={setSelected}
        />
      )
    }
    render(<Selecting />)
    screen.getAllByRole('row')[2]?.focus()
    await userEvent.keyboard('x')
    expect(screen.getByRole('checkbox', { name: 'Select h-1' })).toHaveProperty('checked', true)
    expect(screen.getByRole('checkbox', { name: 'Select h-0' })).toHaveProperty('checked', false)
  })

  it('says what is empty, and keeps its room while nothing is known', () => {
    const { rerender } = render(
      <Table label="Hosts" columns={columns} rows={undefined} rowKey={rowKey} empty={<p>No host matches</p>} />,
    )
    expect(screen.queryByText('No host matches')).toBeNull()
    rerender(<Table label="Hosts" columns={columns} rows={[]} rowKey={rowKey} empty={<p>No host matches</p>} />)
    expect(screen.getByText('No host matches')).toBeTruthy()
  })
})
