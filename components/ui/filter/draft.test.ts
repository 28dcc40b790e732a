import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { finished, reopened, textOf, typedIn, typedOf, withDraft, without } from './draft'
import { parseFilter } from './grammar'

const shown = (typed: ReturnType<typeof typedOf>) => [typed.terms.length, typed.draft] as const

describe('a filter from the address', () => {
  it.each([
    ['', 0, ''],
    ['web', 0, 'web'],
    ['state:up web', 1, 'web'],
    ['state:up', 1, ''],
    ['-web', 1, ''],
    ['"two words"', 1, ''],
  ])('%j is %d chips and %j in the field', (text, chips, draft) => expect(shown(typedOf(text))).toEqual([chips, draft]))
})

describe('what is typed', () => {
  it('stays in the field while the text ends with it', () => {
    expect(shown(typedIn('state:up sta', 'sta'))).toEqual([1, 'sta'])
    expect(shown(typedIn('state:up', ''))).toEqual([1, ''])
  })
  it('is given up when the text became another', () => expect(shown(typedIn('zone:a', 'web'))).toEqual([1, '']))
  it('is finished by a space, not by one inside quotes', () => {
    expect(shown(withDraft(typedOf(''), 'state:up '))).toEqual([1, ''])
    expect(shown(withDraft(typedOf(''), '"two '))).toEqual([0, '"two '])
  })
  it('comes back into the field to be changed', () => {
    expect(shown(reopened(typedOf('zone:a state:up')))).toEqual([1, 'state:up'])
    expect(shown(reopened(typedOf('zone:a web')))).toEqual([1, 'web'])
    expect(shown(reopened(typedOf('')))).toEqual([0, ''])
  })
  it('loses the chip that was removed', () => expect(textOf(without(typedOf('a:1 b:2 c:3 d'), 1))).toBe('a:1 c:3 d'))
})

test('splitting and finishing change nothing about what is asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b', ':', '-', ' ', ',') }), (text) => {
      expect(parseFilter(textOf(typedOf(text)))).toEqual(parseFilter(text))
      expect(parseFilter(textOf(finished(typedOf(text))))).toEqual(parseFilter(text))
    }),
    { numRuns: 1000 },
  )
})
