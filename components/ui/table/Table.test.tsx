import { act, cleanup, configure, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AllRows, Column, Sort } from './column'
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
const hosts = (...cpus: number[]): Host[] => cpus.map((n, index) => ({ id: `h-${index}`, cpus: n }))
const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('link').textContent)

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
// A menu loads on first open; preloaded here so that no test waits for the disk.
beforeAll(async () => void (await import('../overlay/MenuList')))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const picking = { label: 'Hosts', columns, rows: hosts(1) }

function Sorting({ rows }: { rows: readonly Host[] }) {
  const [sorts, setSorts] = useState<readonly Sort[]>([])
  // As with a server: the caller sorts.
  const sorted = [...rows].sort((a, b) => {
    for (const { by, dir } of sorts) {
      const [x, y] = by === 'cpus' ? [a.cpus, b.cpus] : [a.id, b.id]
      if (x !== y) return (x < y ? -1 : 1) * (dir === 'asc' ? 1 : -1)
    }
    return 0
  })
  const sortable = columns.map((column) => ({ ...column, sortable: true }))
  return <Table label="Hosts" columns={sortable} rows={sorted} sorts={sorts} onSorts={setSorts} />
}

/** Files that the page would have saved. */
function filesSaved(): Blob[] {
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:test'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  return files
}

describe('a table', () => {
  it('sorts by a column and announces it', async () => {
    render(<Table label="Hosts" columns={columns} rows={hosts(8, 32, 16)} />)
    await userEvent.click(screen.getByRole('button', { name: /CPUs/ }))
    const head = screen.getByRole('columnheader', { name: /CPUs/ })
    expect(['ascending', 'descending']).toContain(head.getAttribute('aria-sort'))
    expect(shown()).toEqual(
      head.getAttribute('aria-sort') === 'ascending' ? ['h-0', 'h-2', 'h-1'] : ['h-1', 'h-2', 'h-0'],
    )
  })

  it('adds a sort column with Shift, by pointer or keys, and numbers the columns', async () => {
    const rows = [
      { id: 'b', cpus: 8 },
      { id: 'a', cpus: 8 },
      { id: 'c', cpus: 4 },
    ]
    render(<Sorting rows={rows} />)
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: /CPUs/ }))
    await user.keyboard('{Shift>}')
    await user.click(screen.getByRole('button', { name: /^Host/ }))
    await user.keyboard('{/Shift}')
    expect(shown()).toEqual(['a', 'b', 'c'])
    expect(screen.getByRole('button', { name: /CPUs.*sort key 1/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: /Host.*sort key 2/ })).toBeTruthy()
    expect(screen.getAllByRole('columnheader').map((head) => head.getAttribute('aria-sort'))).toEqual([
      null,
      'descending',
    ])
    await user.click(screen.getByRole('button', { name: /Host/ }))
    expect(screen.queryByText(/sort key 1/)).toBeNull()
  })

  it('reports the visible columns, and nothing when they are the default ones', async () => {
    const reported: (readonly string[] | null)[] = []
    const { rerender } = render(
      <Table {...picking} visibleColumns={null} onVisibleColumns={(next) => reported.push(next)} />,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'CPUs' }))
    expect(reported).toEqual([['id']])
    rerender(<Table {...picking} visibleColumns={['id']} onVisibleColumns={(next) => reported.push(next)} />)
    expect(screen.queryByRole('columnheader', { name: /CPUs/ })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'CPUs' }))
    expect(reported.at(-1)).toBeNull()
  })

  it('shows whole sentences unless the rows are virtualized', () => {
    const why = { id: 'why', head: 'Why', wraps: true, cell: () => 'a sentence that no column has room for' } as const
    const cutIn = (count: number) => {
      const rows = Array.from({ length: count }, (_, n) => ({ id: String(n), cpus: 1 }))
      const { container, unmount } = render(<Table {...picking} columns={[...picking.columns, why]} rows={rows} />)
      const cut = [...container.querySelectorAll('tbody td:last-child')].map((cell) => cell.matches('.truncate'))
      unmount()
      return new Set(cut)
    }
    expect(cutIn(3)).toEqual(new Set([false]))
    expect(cutIn(500)).toContain(true)
  })

  it('shows all its columns when the stored choice names none of them', () => {
    render(<Table {...picking} visibleColumns={['colour']} onVisibleColumns={() => {}} />)
    expect(screen.getAllByRole('columnheader')).toHaveLength(2)
  })

  it('exports every matching row, shows progress, and can be cancelled', async () => {
    const files = filesSaved()
    let arrive: (rows: readonly Host[]) => void = () => {}
    const allRows: AllRows<Host> = ({ onProgress }) => {
      onProgress(1, 3)
      return new Promise((resolve) => {
        arrive = resolve
      })
    }
    render(<Table {...picking} allRows={allRows} total={3} />)
    const begin = async (kind: string) => {
      await userEvent.click(screen.getByRole('button', { name: 'Export rows' }))
      await userEvent.click(await screen.findByRole('menuitem', { name: kind }))
    }
    await begin('As JSON')
    expect(screen.getByText('1 of 3 rows exported')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Stop export' }))
    arrive(hosts(1, 2, 3))
    await begin('As JSON')
    arrive(hosts(1, 2, 3))
    await screen.findByRole('button', { name: 'Export rows' }, { timeout: 20_000 })
    expect(files).toHaveLength(1)
    expect(JSON.parse(await files[0]!.text())).toEqual([
      { id: 'h-0', cpus: 1 },
      { id: 'h-1', cpus: 2 },
      { id: 'h-2', cpus: 3 },
    ])
  })

  it('keeps rows in place while the pointer is over it', async () => {
    const { rerender } = render(<Table label="Hosts" columns={columns} rows={hosts(1, 2)} />)
    await userEvent.hover(screen.getByRole('table'))
    rerender(<Table label="Hosts" columns={columns} rows={[...hosts(1, 2)].reverse()} />)
    expect(shown()).toEqual(['h-0', 'h-1'])
    await userEvent.unhover(screen.getByRole('table'))
    expect(shown()).toEqual(['h-1', 'h-0'])
  })

  it('holds back added and removed rows until the user asks for them', async () => {
    const [first, second, third] = hosts(1, 2, 3) as [Host, Host, Host]
    const table = (rows: readonly Host[]) => <Table label="Hosts" columns={columns} rows={rows} />
    const { rerender } = render(table([second, third]))
    await userEvent.hover(screen.getByRole('table'))
    rerender(table([first, second, third]))
    expect(shown()).toEqual(['h-1', 'h-2'])
    screen.getByRole('button', { name: '1 new, show' })
    rerender(table([first, third]))
    expect(shown()).toEqual(['h-1', 'h-2'])
    await userEvent.click(screen.getByRole('button', { name: '1 new, 1 gone, show' }))
    expect(shown()).toEqual(['h-0', 'h-2'])
    expect(screen.queryByRole('button', { name: /show$/ })).toBeNull()
  })

  it('keeps rows in place while one of them has the focus, and releases them after', async () => {
    const table = (rows: readonly Host[]) => <Table label="Hosts" columns={columns} rows={rows} />
    const { rerender } = render(table(hosts(1, 2)))
    const user = userEvent.setup()
    screen.getAllByRole('row')[1]?.focus()
    await user.keyboard('j')
    rerender(table([...hosts(1, 2)].reverse()))
    expect(shown()).toEqual(['h-0', 'h-1'])
    act(() => (document.activeElement as HTMLElement).blur())
    expect(shown()).toEqual(['h-1', 'h-0'])
  })

  it('selects the focused row with x', async () => {
    function Selecting() {
      const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
      return <Table label="Hosts" columns={columns} rows={hosts(1, 2)} selected={selected} onSelect={setSelected} />
    }
    render(<Selecting />)
    screen.getAllByRole('row')[2]?.focus()
    await userEvent.keyboard('x')
    expect(screen.getByRole('checkbox', { name: 'Select h-1' })).toHaveProperty('checked', true)
    expect(screen.getByRole('checkbox', { name: 'Select h-0' })).toHaveProperty('checked', false)
  })

  it('picks the focused row with Enter when it has no link', async () => {
    const onPick = vi.fn()
    const plain = columns.filter(({ id }) => id === 'cpus')
    render(<Table label="Hosts" columns={plain} rows={hosts(1, 2)} onPick={onPick} />)
    screen.getAllByRole('row')[2]?.focus()
    await userEvent.keyboard('{Enter}')
    expect(onPick.mock.calls).toEqual([[hosts(1, 2)[1]]])
  })

  it('keeps filter and columns when the rows fail to load, and shows no count', () => {
    render(
      <Table
        {...picking}
        rows={undefined}
        filters={<p>the filter</p>}
        failure={<p>The server did not answer</p>}
        empty={<p>No host matches</p>}
      />,
    )
    expect(screen.getByText('The server did not answer')).toBeTruthy()
    expect(screen.getByText('the filter')).toBeTruthy()
    expect(screen.queryByText('No host matches')).toBeNull()
    expect(screen.getByRole('status').textContent).toBe('unknown')
  })

  it('shows an empty message, and keeps its height while loading', () => {
    const { rerender } = render(
      <Table label="Hosts" columns={columns} rows={undefined} empty={<p>No host matches</p>} />,
    )
    expect(screen.queryByText('No host matches')).toBeNull()
    rerender(<Table label="Hosts" columns={columns} rows={[]} empty={<p>No host matches</p>} />)
    expect(screen.getByText('No host matches')).toBeTruthy()
  })
})
