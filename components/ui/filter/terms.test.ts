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
])('%s asks for one state: %s', (text, value) => expect(onlyValue(text, 'state')).toBe(value))

it('one value takes the place of others under its key, and none takes the key away', () => {
  expect(withOnly('host:a -state:x state:y', 'state', 'two words')).toBe('host:a state:"two words"')
  expect(withOnly('host:a state:y', 'state', null)).toBe('host:a')
  expect(onlyValue(withOnly('', 'label', 'VF 8086:154c, physnet1'), 'label')).toBe('VF 8086:154c, physnet1')
})
