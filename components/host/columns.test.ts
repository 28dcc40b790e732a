import { expect, it } from 'vitest'
import type { HostRow } from '@/server/api/host/view'
import { csvOf } from '../ui/table/csv'
import { hostColumns } from './columns'
import { hostRow } from './testing/host-row'

const GIB = 1024
const at = Date.UTC(2026, 10, 21, 1, 6, 56)
const host = hostRow('h-07', {
  ...{ id: 'h', zone: 'north', scheduling: 'disabled', reason: 'new disks', cells: 2, lastSeenAt: at },
  ...{ instances: 12, movesIn: 2, movesOut: 1 },
  ...{ pinned: { used: 4, total: 12 }, devices: { used: 1, total: 8 } },
  ...{ memoryMib: { used: 680 * GIB, total: 766 * GIB }, diskGib: { used: 100, total: 2 * GIB } },
})
const exportOf = (id: string, row: HostRow) =>
  csvOf(
    hostColumns.filter((column) => column.id === id),
    { rows: [row], now: at },
  ).split('\n')[1]

it.each([
  ['name', host, 'h-07,h'],
  ['status', host, 'up'],
  ['scheduling', host, 'disabled,new disks'],
  ['scheduling', { ...host, reason: null }, 'disabled,'],
  ['pcpu', host, '4,12'],
  ['vcpu', host, ','],
  ['memory', host, `${680 * GIB},${766 * GIB}`],
  ['disk', host, `100,${2 * GIB}`],
  ['instances', host, '12'],
  ['migrations', host, '2,1'],
  ['seen', host, '2026-11-21T01:06:56.000Z'],
  ['seen', { ...host, lastSeenAt: null }, ''],
] as const)('a host is exported for spreadsheets: %s', (id, row, text) => {
  expect(exportOf(id, row)).toBe(text)
})

it('no exported cell holds two numbers, or a number with its unit', () => {
  const fields = csvOf(hostColumns, { rows: [host], now: at })
    .split('\n')[1]!
    .split(',')
  for (const field of fields) expect(field).toMatch(/^(\d+(\.\d+)?|\d{4}-.*Z|h-07|\D*)$/)
})
