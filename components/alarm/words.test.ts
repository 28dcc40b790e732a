import { expect, test } from 'vitest'
import { nameText } from './words'

test('an alarm about findings has the name that the findings have in their list', () => {
  expect(nameText({ kind: 'finding-critical', name: 'instance-host-wrong' })).toBe('wrong host recorded')
  expect(nameText({ kind: 'host-down', name: 'h-07' })).toBe('h-07')
})

test('a kind of finding that this console does not know keeps its id', () => {
  expect(nameText({ kind: 'finding-critical', name: 'of-a-newer-server' })).toBe('of-a-newer-server')
})
