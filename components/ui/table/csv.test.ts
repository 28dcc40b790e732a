import { describe, expect, it } from 'vitest'
import type { Column } from './column'
import { csvOf, fileName, jsonOf } from './csv'
import { isoMoment, shareExport, wholeSeconds } from './exported'

interface Row {
  readonly name: string
  readonly n: number | null
}
const now = Date.UTC(2026, 10, 21, 1, 6, 56, 120)

describe('a cell of a file', () => {
  const columns: readonly Column<Row>[] = [
    { id: 'name', head: 'Name', value: (row) => row.name, cell: () => null },
    { id: 'n', head: 'How, many', value: (row) => row.n, cell: () => null },
    { id: 'picture', head: 'No value', cell: () => null },
  ]
  it.each([
    ['plain', { name: 'web', n: 3 }, 'web,3'],
    ['quotes and commas', { name: 'a "b", c', n: 0 }, '"a ""b"", c",0'],
    ['nothing known', { name: 'x', n: null }, 'x,'],
    ['a formula', { name: '=cmd()', n: -4 }, "'=cmd(),-4"],
  ])('%s', (_, row, line) => {
    expect(csvOf(columns, { rows: [row], now })).toBe(`Name,"How, many"\n${line}`)
  })
})

describe('what is exported is not what is sorted by', () => {
  const columns: readonly Column<Row>[] = [
    { id: 'at', head: 'Since', value: (row) => row.n, exported: (row) => isoMoment(row.n), cell: () => null },
    {
      ...{ id: 'for', head: 'For', value: (row) => row.n, exportUnit: 'seconds', cell: () => null },
      exported: (row, at) => wholeSeconds(row.n && at - row.n),
    },
    { id: 'memory', head: 'Memory', value: () => 4096, exportUnit: 'mib', cell: () => '4 GiB' },
    { id: 'said', head: 'Said', exported: (row) => row.name, cell: () => null },
  ]
  const rows = [
    { name: 'web', n: now - 61_400 },
    { name: 'ahead of the clock', n: now + 5_000 },
    { name: 'unknown', n: null },
  ]

  it('moments, durations and units, with an empty cell for what nobody knows', () => {
    expect(csvOf(columns, { rows, now }).split('\n')).toEqual([
      'Since,"For, seconds","Memory, MiB",Said',
      '2026-11-21T01:05:54.720Z,61,4096,web',
      '2026-11-21T01:07:01.120Z,0,4096,ahead of the clock',
      ',,4096,unknown',
    ])
  })
  it('numbers stay numbers, under a key that says the unit', () => {
    expect(JSON.parse(jsonOf(columns, { rows: rows.slice(0, 1), now }))).toEqual([
      { at: '2026-11-21T01:05:54.720Z', forSeconds: 61, memoryMib: 4096, said: 'web' },
    ])
  })
})

const gib = (n: number) => `${n} GiB`
it.each([
  ['a unit is said once', { used: 680, total: 766 }, gib, '680 / 766 GiB'],
  ['no spreadsheet makes a date of it', { used: 4, total: 12 }, String, '4 of 12'],
  ['of nothing', { used: 0, total: 0 }, gib, null],
])('a share: %s', (_, share, format, text) => {
  expect(shareExport(share, format)).toBe(text)
})

it.each([
  ['Migrations, Waiting', 'migrations-waiting.csv'],
  ['Held twice / now', 'held-twice-now.csv'],
  ['Events', 'events.csv'],
  ['–', 'csv.csv'],
])('a file is named plainly: %s', (label, name) => {
  expect(fileName(label, 'csv')).toBe(name)
})
