import { describe, expect, it } from 'vitest'
import type { Column } from './column'
import { csvOf, fileName, jsonOf } from './csv'
import { shareParts, wholeSeconds } from './exported'

interface Row {
  readonly name: string
  readonly n: number | null
}
const now = Date.UTC(2026, 10, 21, 1, 6, 56, 120)

describe('an exported cell', () => {
  const columns: readonly Column<Row>[] = [
    { id: 'name', head: 'Name', value: (row) => row.name, cell: () => null },
    { id: 'n', head: 'How, many', value: (row) => row.n, cell: () => null },
    { id: 'picture', head: 'No value', cell: () => null },
  ]
  it.each([
    ['is plain for plain values', { name: 'web', n: 3 }, 'web,3'],
    ['escapes quotes and commas', { name: 'a "b", c', n: 0 }, '"a ""b"", c",0'],
    ['is empty for an unknown value', { name: 'x', n: null }, 'x,'],
    ['disarms a formula', { name: '=cmd()', n: -4 }, "'=cmd(),-4"],
    ['disarms a formula behind a carriage return', { name: '\r=cmd()', n: 1 }, '"\'\r=cmd()",1'],
    ['stays one row with a carriage return inside', { name: 'a\r=cmd()', n: 1 }, '"a\r=cmd()",1'],
  ])('%s', (_, row, line) => {
    expect(csvOf(columns, { rows: [row], now })).toBe(`Name,"How, many"\n${line}`)
  })
})

describe('exported values', () => {
  const columns: readonly Column<Row>[] = [
    { id: 'at', head: 'Since', value: (row) => row.n, timestamp: true, cell: () => null },
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

  it('are times, durations and amounts with a unit, and empty where unknown', () => {
    expect(csvOf(columns, { rows, now }).split('\n')).toEqual([
      'Since,"For, seconds","Memory, MiB",Said',
      '2026-11-21T01:05:54.720Z,61,4096,web',
      '2026-11-21T01:07:01.120Z,0,4096,ahead of the clock',
      ',,4096,unknown',
    ])
  })
  it('stay numbers in JSON, under a key with the unit', () => {
    expect(JSON.parse(jsonOf(columns, { rows: rows.slice(0, 1), now }))).toEqual([
      { at: '2026-11-21T01:05:54.720Z', forSeconds: 61, memoryMib: 4096, said: 'web' },
    ])
  })
})

describe('a cell with several values', () => {
  interface Host {
    readonly id: string
    readonly memory: { readonly used: number; readonly total: number }
  }
  const columns: readonly Column<Host>[] = [
    { id: 'name', head: 'Host', value: (row) => `h-${row.id}`, exportId: (row) => row.id, cell: () => null },
    {
      ...{ id: 'memory', head: 'Memory', cell: () => '680 / 766 GiB' },
      parts: shareParts({ id: 'memory', head: 'Memory', exportUnit: 'mib', of: (row: Host) => row.memory }),
    },
  ]
  const rows = [
    { id: '7', memory: { used: 680, total: 766 } },
    { id: '8', memory: { used: 0, total: 0 } },
  ]

  it('becomes one column each, with the unit in the header and the id beside a name', () => {
    expect(csvOf(columns, { rows, now }).split('\n')).toEqual([
      'Host,Host id,"Memory used, MiB","Memory total, MiB"',
      'h-7,7,680,766',
      'h-8,8,,',
    ])
  })
  it('becomes one number per key in JSON', () => {
    expect(JSON.parse(jsonOf(columns, { rows, now }))[0]).toEqual({
      ...{ name: 'h-7', nameId: '7', memoryMib: 680, memoryTotalMib: 766 },
    })
  })
})

it.each([
  ['Migrations, Waiting', 'migrations-waiting.csv'],
  ['Held twice / now', 'held-twice-now.csv'],
  ['Events', 'events.csv'],
  ['–', 'csv.csv'],
])('a file has a plain name: %s', (label, name) => {
  expect(fileName(label, 'csv')).toBe(name)
})
