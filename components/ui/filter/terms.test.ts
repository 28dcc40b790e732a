import { expect, it } from 'vitest'
import { onlyValue, withOnly } from './terms'

it.each([
  ['state:held', 'held'],
  ['host:a state:"of several words"', 'of several words'],
  ['state:held,free', null],
  ['-state:held', null],
  ['state:held state:free', null],
  ['host:a', null],
  ['', null],
])('%s selects one state: %s', (text, value) => expect(onlyValue(text, 'state')).toBe(value))

it('setting one value replaces others of its key, and setting none removes the key', () => {
  expect(withOnly('host:a -state:x state:y', 'state', 'two words')).toBe('host:a state:"two words"')
  expect(withOnly('host:a state:y', 'state', null)).toBe('host:a')
  expect(onlyValue(withOnly('', 'label', 'VF 8086:154c, physnet1'), 'label')).toBe('VF 8086:154c, physnet1')
})
