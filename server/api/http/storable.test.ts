import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findUnstorable } from './storable'

test.each<[value: unknown, at: string | undefined]>([
  ['a\0', ''],
  ['\ud800', ''],
  ['\udc00x', ''],
  ['😀', undefined],
  [{ a: ['fine', { b: '\0' }] }, 'a.1.b'],
  [{ a: { '\0': 1 } }, 'a'],
  [undefined, undefined],
  [null, undefined],
])('findUnstorable locates the first unstorable character in %j', (value, at) => {
  expect(findUnstorable(value)?.at).toBe(at)
})

test('findUnstorable accepts values without such a character and finds one at any depth', () => {
  const part = fc.array(fc.oneof(fc.nat(), fc.string()), { maxLength: 4 })
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), part, (value, around) => {
      const text = JSON.stringify(value)
      fc.pre(!/\\u0000|\\ud[89a-f]/i.test(text))
      expect(findUnstorable(value)).toBeNull()
      expect(findUnstorable([...around, { deep: [value, 'a\0b'] }])).not.toBeNull()
    }),
  )
})

test('deep nesting does not exhaust the stack', () => {
  const levels = 100_000
  const deep = JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) as unknown
  expect(findUnstorable(deep)?.why).toMatch(/levels/)
})
