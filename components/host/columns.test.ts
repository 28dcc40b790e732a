import { expect, it } from 'vitest'
import type { HostRow } from '@/server/api/contract'
import { csvOf } from '../ui/table/csv'
import { hostColumns } from './columns'

const GIB = 1024
const at = Date.UTC(2026, 10, 21, 1, 6, 56)
const host: HostRow = {
  ...{
    id: 'h',
    name: 'h-07',
    zone: 'north',
    truth: 'up',
    contact: 'answering',
    admission: 'disabled',
    reason: 'new disks',
  },
  ...{ layout: 'flat', driver: 'simulated', cells: 2, instances: 12, movesIn: 2, movesOut: 1, remains: 0 },
  ...{ pinned: { used: 4, total: 12 }, vcpu: { used: 0, total: 0 }, devices: { used: 1, total: 8 } },
  ...{ memoryMib: { used: 680 * GIB, total: 766 * GIB }, diskGib: { used: 100, total: 2 * GIB } },
  ...{ lastSeenAt: at, permitted: {} as HostRow['permitted'] },
}
const exportOf = (id: string, row: HostRow) =>
  csvOf(
    hostColumns.filter((column) => column.id === id),
    { rows: [row], now: at },
  ).split('\n')[1]

it.each([
  ['truth', host, 'up'],
  ['admission', host, 'disabled: new disks'],
  ['admission', { ...host, reason: null }, 'disabled'],
  ['pcpu', host, '4 of 12'],
  ['vcpu', host, ''],
  ['memory', host, '680 / 766 GiB'],
  ['disk', host, '100 GiB / 2 TiB'],
  ['instances', host, '12'],
  ['moves', host, '"2 in, 1 out"'],
  ['seen', host, '2026-11-21T01:06:56.000Z'],
  ['seen', { ...host, lastSeenAt: null }, ''],
] as const)('a host is exported as one sees it: %s', (id, row, text) => {
  expect(exportOf(id, row)).toBe(text)
})
