import { expect, test } from 'vitest'
import { unusedExports } from './exports'
import { everySource, readText } from './house'

/** Next and vitest read these exports by their names. */
const READ_BY_NAME = /^app\/|\.config\.ts$|^server\/boot\/test-setup\.ts$|^proxy\.ts$/

test('every exported value is imported by another file', () => {
  const files = everySource.map(({ path }) => ({ path, text: readText(path) }))
  const unused = unusedExports(files).filter((each) => !READ_BY_NAME.test(each.split(' ', 1).join()))
  expect(unused.map((each) => `${each} is used only in its file, or nowhere: remove its export`)).toEqual([])
})

test.each([
  ['export const a = 1', "import { a } from './one'", []],
  ['export const a = 1', "import {\n  b as c,\n  a as d,\n} from './one'", []],
  ['export const a = 1', "const { a } = await import('./one')", []],
  ['export const a = 1', "export { a } from './one'", []],
  ['export const a = 1', 'const a = 2', ['one.ts a']],
  ['export async function a() {}\na()', "import { b } from './one'", ['one.ts a']],
  ['export interface A {}', '', []],
])('of %j, which is imported as %j, unused is %j', (one, other, unused) => {
  expect(
    unusedExports([
      { path: 'one.ts', text: one },
      { path: 'other.ts', text: other },
    ]),
  ).toEqual(unused)
})
