import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { onFreshDatabase, openClient } from './on-fresh-database'
import { addStandardTraits, readTraits } from './standard-traits'

const database = onFreshDatabase(openClient)
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'traits-'))
afterAll(() => fs.rmSync(directory, { recursive: true }))

const listed = (text: string): string => {
  const file = path.join(directory, `${text.length}.txt`)
  fs.writeFileSync(file, text)
  return file
}
const known = async (): Promise<string[]> =>
  (await database.client.query<{ name: string }>('select name from trait order by name')).rows.map(({ name }) => name)

test('a fresh database has the current standard traits', async () => {
  const names = await known()
  expect(names).toHaveLength(377)
  expect(names).toEqual(expect.arrayContaining(['HW_CPU_X86_AVX2', 'OWNER_NOVA']))
})

test('a newer list adds missing traits and removes none', async () => {
  const before = await known()
  await addStandardTraits(
    database.client,
    listed('# os-traits of tomorrow\nHW_CPU_X86_TOMORROW\n\n  HW_CPU_X86_AVX2  \r\n'),
  )
  expect(await known()).toEqual([...before, 'HW_CPU_X86_TOMORROW'].sort())
})

test.each([
  ['a lower-case letter', 'HW_CPU\nhw_cpu\n'],
  ['a space inside a name', 'HW_CPU\nHW CPU\n'],
  ['a custom name', 'HW_CPU\nCUSTOM_ONE\n'],
])('%s: the error names the line, and nothing is added', async (_, text) => {
  const before = await known()
  await expect(addStandardTraits(database.client, listed(text))).rejects.toThrow(/line 2: .*No trait was added/)
  expect(await known()).toEqual(before)
})

test('an empty file is an empty list', () => {
  expect(readTraits(listed('\n'))).toEqual([])
})
