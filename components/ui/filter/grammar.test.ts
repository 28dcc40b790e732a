import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { formatFilter, isQuoteOpen, parseFilter, type Term } from './grammar'

const free = (value: string, not = false): Term => ({ key: null, values: [value], not })
const keyed = (key: string, values: readonly string[], not = false): Term => ({ key, values, not })

describe('parsing a filter', () => {
  it.each<[text: string, terms: readonly Term[]]>([
    ['', []],
    ['   ', []],
    ['web', [free('web')]],
    ['web 03', [free('web'), free('03')]],
    [
      'host:h-0* state:overdue -zone:a "free text"',
      [keyed('host', ['h-0*']), keyed('state', ['overdue']), keyed('zone', ['a'], true), free('free text')],
    ],
    ['state:up,down', [keyed('state', ['up', 'down'])]],
    ['STATE:Up', [keyed('state', ['Up'])]],
    ['state:', [keyed('state', [])]],
    ['state:up,', [keyed('state', ['up', ''])]],
    ['project:"shop floor","b,c"', [keyed('project', ['shop floor', 'b,c'])]],
    ['-web', [free('web', true)]],
    ['-', [free('-')]],
    ['--x', [free('-x', true)]],
    ['0000:3b:00.1', [free('0000:3b:00.1')]],
    ['"host:x"', [free('host:x')]],
    ['"never closed', [free('never closed')]],
    ['a"b c"d', [free('ab cd')]],
    ['"say \\"hi\\" \\\\"', [free('say "hi" \\')]],
  ])('%j', (text, terms) => expect(parseFilter(text)).toEqual(terms))
})

it.each([
  ['', false],
  ['a "b', true],
  ['a "b"', false],
  ['"a\\"', true],
])('in %j the quote is open: %j', (text, open) => expect(isQuoteOpen(text)).toBe(open))

const word = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('a', '-', ':', ',', '"', '\\', ' ', '*', '\u00a0') }),
)
const term: fc.Arbitrary<Term> = fc.oneof(
  fc.record({ key: fc.constant(null), values: fc.tuple(word), not: fc.boolean() }),
  fc.record({
    key: fc.constantFrom('host', 'state', 'v-m', 'x'),
    // One empty value is written as a pair of quotes, no value as nothing.
    values: fc.array(word, { maxLength: 4 }),
    not: fc.boolean(),
  }),
)

test('formatted terms parse back to the same terms', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 6 }), (terms) => {
      expect(parseFilter(formatFilter(terms))).toEqual(terms)
    }),
    { numRuns: 2000 },
  )
})

test('any text parses as a filter, and formatting preserves its meaning', () => {
  fc.assert(
    fc.property(word, (text) => {
      const terms = parseFilter(text)
      expect(parseFilter(formatFilter(terms))).toEqual(terms)
    }),
    { numRuns: 2000 },
  )
})
