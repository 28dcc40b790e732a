import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

const { lengthen } = createRequire(import.meta.url)('./pseudo-words.cjs') as {
  lengthen(source: string, file?: string): string
}

test.each([
  ['a plain text', `export const w = { title: 'Hosts' }`, `export const w = { title: 'Hosts~~' }`],
  ['the text of a function', `const f = (n: number) => \`\${n} rows\``, `const f = (n: number) => \`\${n} rows~~\``],
  [
    'both branches of a condition',
    `const f = (n: number) => (n === 1 ? 'one' : 'many')`,
    `const f = (n: number) => (n === 1 ? 'one~~' : 'many~~')`,
  ],
  [
    'the texts of a list',
    `const keys = [['Enter', 'open the row']] as const`,
    `const keys = [['Enter~~', 'open the row~~~~~']] as const`,
  ],
])('the pseudo locale makes %s longer', (_, source, expected) => expect(lengthen(source)).toBe(expected))

test.each([
  ['an import', `import { a } from './a'`],
  ['shape and tone', `const look = { shape: 'dot', tone: 'ok' }`],
  ['a type', `const x: Readonly<Record<'up' | 'down', number>> = { up: 1, down: 2 }`],
  ['a compared value', `const f = (x: string) => x === 'person'`],
  ['a separator', `const f = (x: string[]) => x.join(', ')`],
])('the pseudo locale keeps %s', (_, source) => expect(lengthen(source)).toBe(source))

test('the pseudo locale keeps a discriminant and makes its text longer', () => {
  const source = `function f(x: string) { switch (x) { case 'slot': return 'queued' } }`
  expect(lengthen(source)).toBe(`function f(x: string) { switch (x) { case 'slot': return 'queued~~~' } }`)
})

test('the pseudo locale makes headers and hints of a list longer, and keeps values that code compares', () => {
  const source = `const L = { columns: { zone: { head: 'Zone' } }, filters: { zone: { hint: 'zone', values: ['a'] } } }`
  expect(lengthen(source, '/berth/lists/host.ts')).toBe(
    `const L = { columns: { zone: { head: 'Zone~~' } }, filters: { zone: { hint: 'zone~~', values: ['a'] } } }`,
  )
})
