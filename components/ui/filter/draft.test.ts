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

describe('typed text', () => {
  it('stays in the field while the query ends with it', () => {
    expect(shown(typedIn('state:up sta', 'sta'))).toEqual([1, 'sta'])
    expect(shown(typedIn('state:up', ''))).toEqual([1, ''])
  })
  it('is dropped when the query becomes another', () => expect(shown(typedIn('zone:a', 'web'))).toEqual([1, '']))
  it('becomes a chip at a space, but not inside quotes', () => {
    expect(shown(withDraft(typedOf(''), 'state:up '))).toEqual([1, ''])
    expect(shown(withDraft(typedOf(''), '"two '))).toEqual([0, '"two '])
  })
  it('returns to the field to be changed', () => {
    expect(shown(reopened(typedOf('zone:a state:up')))).toEqual([1, 'state:up'])
    expect(shown(reopened(typedOf('zone:a web')))).toEqual([1, 'web'])
    expect(shown(reopened(typedOf('')))).toEqual([0, ''])
  })
  it('loses the removed chip', () => expect(textOf(without(typedOf('a:1 b:2 c:3 d'), 1))).toBe('a:1 c:3 d'))
})

test('splitting and finishing do not change the query', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b', ':', '-', ' ', ',') }), (text) => {
      expect(parseFilter(textOf(typedOf(text)))).toEqual(parseFilter(text))
      expect(parseFilter(textOf(finished(typedOf(text))))).toEqual(parseFilter(text))
    }),
    { numRuns: 1000 },
  )
})
