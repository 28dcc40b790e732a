import { expect, it } from 'vitest'
import { csvOf } from './csv'

const columns = [
  { id: 'name', head: 'Name', value: (row: { name: string; n: number | null }) => row.name, cell: () => null },
  { id: 'n', head: 'How, many', value: (row: { n: number | null }) => row.n, cell: () => null },
  { id: 'picture', head: 'No value', cell: () => null },
]

it.each([
  ['plain', { name: 'web', n: 3 }, 'web,3'],
  ['quotes and commas', { name: 'a "b", c', n: 0 }, '"a ""b"", c",0'],
  ['nothing known', { name: 'x', n: null }, 'x,'],
  ['a formula', { name: '=cmd()', n: -4 }, "'=cmd(),-4"],
])('%s', (_, row, line) => {
  expect(csvOf(columns, [row])).toBe(`Name,"How, many"\n${line}`)
})
