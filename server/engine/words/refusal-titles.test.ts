import { expect, test } from 'vitest'
import { titlesOf } from './refusal-titles'

test('a stored reason names each rule once, in the words of the console', () => {
  expect(titlesOf([{ kind: 'host-not-up' }, { kind: 'amount' }, { kind: 'host-not-up' }])).toBe(
    'host not up, not enough',
  )
})
