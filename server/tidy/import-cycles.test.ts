import { expect, test } from 'vitest'
import { everySource } from './house'
import { importCyclesIn } from './import-cycles'
import { readSource } from './source'

test('no files import each other in a cycle (CONTRIBUTING.md)', () => {
  expect(importCyclesIn(everySource).map((circle) => circle.join(' → '))).toEqual([])
})

test.each([
  [{ 'a.ts': './b', 'b.ts': './a' }, ['a.ts', 'b.ts']],
  [{ 'a.ts': './b', 'b.ts': '@/c', 'c.tsx': './b' }, ['b.ts', 'c.tsx']],
  [{ 'a.ts': './a' }, ['a.ts']],
  [{ 'a.ts': './b', 'b.ts': './c', 'c.ts': './d' }, null],
])('the cycle in %j is %j', (house, circle) => {
  const sources = Object.entries(house).map(([file, from]) => readSource(file, `import { a } from '${from}'`))
  expect(importCyclesIn(sources)).toEqual(circle ? [circle] : [])
})

test('an imported type closes no cycle', () => {
  const sources = [readSource('a.ts', `import { b } from './b'`), readSource('b.ts', `import type { A } from './a'`)]
  expect(importCyclesIn(sources)).toEqual([])
})
