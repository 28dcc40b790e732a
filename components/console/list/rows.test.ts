import { expect, it } from 'vitest'
import { whereRows } from '@/lists/rows'
import { checkTerms } from '../../ui/filter/check-terms'
import { parseFilter } from '../../ui/filter/grammar'

interface Row {
  readonly name: string
  readonly zone: string | null
}
const rows: readonly Row[] = [
  { name: 'h-01', zone: 'a' },
  { name: 'h-02', zone: 'b' },
  { name: 'gpu.1', zone: null },
]
const keys = [
  { id: 'host', label: 'name' },
  { id: 'zone', label: 'zone' },
]
const fields = {
  host: (row: Row) => [row.name],
  zone: (row: Row) => [row.zone],
  text: (row: Row) => [row.name, row.zone],
}

it.each([
  ['', 'h-01 h-02 gpu.1'],
  ['host:h-*', 'h-01 h-02'],
  ['host:h-0', ''],
  ['H-0', 'h-01 h-02'],
  ['gpu.1', 'gpu.1'],
  ['gpu_1', ''],
  ['zone:a,b', 'h-01 h-02'],
  ['-zone:a', 'h-02 gpu.1'],
  ['host:h-* -zone:b', 'h-01'],
])('the filter “%s” leaves %s', (text, names) => {
  const conditions = checkTerms(parseFilter(text), keys).flatMap(({ condition }) => condition ?? [])
  expect(
    whereRows(rows, conditions, { fields })
      .map((row) => row.name)
      .join(' '),
  ).toBe(names)
})
