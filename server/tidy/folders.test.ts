import { expect, test } from 'vitest'
import { crowdedFolders, smallNeighbours } from './folders'
import { everySource } from './house'
import { readSource } from './source'

test('no small file has a single neighbour as its only importer', () => {
  expect(smallNeighbours(everySource)).toEqual([])
})

test('no folder has more than 25 files', () => {
  expect(crowdedFolders(everySource.map(({ path }) => path))).toEqual([])
})

const lines = (count: number) => '// a line\n'.repeat(count)

test.each<[what: string, house: Record<string, string>, small: string[]]>([
  ['one importing neighbour', { 'a/b.ts': lines(45), 'a/c.ts': `import './b'` }, ['a/b.ts → a/c.ts']],
  ['one neighbour with an absolute import', { 'a/b.ts': '', 'a/c.ts': `import '@/a/b'` }, ['a/b.ts → a/c.ts']],
  ['a file above the limit', { 'a/b.ts': lines(46), 'a/c.ts': `import './b'` }, []],
  ['a neighbour that would grow too long', { 'a/b.ts': lines(9), 'a/c.ts': `import './b'\n${lines(241)}` }, []],
  ['two importing neighbours', { 'a/b.ts': '', 'a/c.ts': `import './b'`, 'a/d.ts': `import './b'` }, []],
  ['a file with its own test', { 'a/b.ts': '', 'a/c.ts': `import './b'`, 'a/b.test.ts': `import './b'` }, []],
  ['an import from another folder', { 'a/b.ts': '', 'a/c/d.ts': `import '../b'` }, []],
  ['a dynamic import', { 'a/b.ts': '', 'a/c.ts': `const b = () => import('./b')` }, []],
  ['an import of types only', { 'a/b.ts': '', 'a/c.ts': `import type { B } from './b'` }, []],
])('the rule for small files is right for %s', (_, house, small) => {
  const sources = Object.entries(house).map(([file, text]) => readSource(file, text))
  expect(smallNeighbours(sources)).toEqual(small)
})

test('tests do not count towards the size of a folder', () => {
  const files = (count: number, ending: string) => Array.from({ length: count }, (_, n) => `a/b/${n}${ending}`)
  expect(crowdedFolders([...files(25, '.ts'), ...files(9, '.test.ts')])).toEqual([])
  expect(crowdedFolders(files(26, '.ts'))).toEqual(['a/b has 26 files'])
})
