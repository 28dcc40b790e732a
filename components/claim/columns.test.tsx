import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { ClaimView } from '@/server/api/claim/view'
import { Table } from '../ui/table/Table'
import { claimColumns } from './columns'

afterEach(cleanup)

const orphan = {
  ...{ id: 'c', mark: 'outgoing', holder: { kind: 'migration', id: 'm', name: 'm' }, migration: null, since: null },
  ...{ instance: { id: 'i', name: 'api-07' }, host: { id: 'h', name: 'h-1' }, amounts: [], cells: [], units: [] },
  held: { vcpus: 0, pinnedCpus: 0, memoryMib: 0, diskGib: 0, devices: 1 },
} satisfies ClaimView

it('a claim of a migration that is not active says so, and shows no amount that it does not hold', () => {
  const columns = claimColumns.filter(({ id }) => ['instance', 'holder', 'cpus', 'memory'].includes(id))
  render(<Table label="Claims" columns={columns} rows={[orphan]} />)
  const cells = screen.getAllByRole('cell').map((cell) => cell.textContent)
  expect(cells).toEqual(['api-07', 'no active migration', '–', '–'])
  const holder = claimColumns.find(({ id }) => id === 'holder')
  expect(holder?.exported?.(orphan, 0)).toBe('no active migration')
})
