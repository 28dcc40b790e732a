import { describe, expect, it } from 'vitest'
import { checkTerms, type FilterKey, fits } from './check-terms'
import { completionsOf } from './complete'
import { parseFilter } from './grammar'

const keys: readonly FilterKey[] = [
  { id: 'host', label: 'name of the host', aliases: ['name'] },
  { id: 'state', label: 'state', values: ['up', 'down', 'gone'] },
  { id: 'zone', label: 'zone', known: ['a', 'b', 'north side'] },
]
const judged = (text: string) => checkTerms(parseFilter(text), keys)
const conditions = (text: string) => judged(text).flatMap(({ condition }) => condition ?? [])
const problems = (text: string) => judged(text).flatMap(({ problem }) => problem ?? [])

describe('a filter is judged', () => {
  it('gives conditions for what the list knows', () => {
    expect(conditions('host:h-0* -zone:a web')).toEqual([
      { key: 'host', any: ['h-0*'], not: false },
      { key: 'zone', any: ['a'], not: true },
      { key: 'text', any: ['web'], not: false },
    ])
  })
  it.each(['"', '-"', 'zone:a "', '"" zone:a'])('takes a quote that was just opened for nothing yet: %s', (text) => {
    expect(judged(text).some(({ term }) => term.key === null)).toBe(true)
    expect(conditions(text).filter(({ key }) => key === 'text')).toEqual([])
    expect(problems(text)).toEqual([])
  })
  it('knows a key by its other words', () => expect(conditions('name:x')).toEqual(conditions('host:x')))
  it('writes values of a fixed set out, in its own letters', () => {
    expect(conditions('state:UP,*o*')).toEqual([{ key: 'state', any: ['up', 'down', 'gone'], not: false }])
  })
  it.each([
    ['colour:red', { kind: 'unknown-key', key: 'colour', keys: ['host', 'state', 'zone'] }],
    ['state:sideways', { kind: 'bad-value', key: 'state', value: 'sideways', values: ['up', 'down', 'gone'] }],
    ['state:up,sideways', { kind: 'bad-value', key: 'state', value: 'sideways', values: ['up', 'down', 'gone'] }],
    ['state:', { kind: 'no-value', key: 'state', values: ['up', 'down', 'gone'] }],
    ['zone:', { kind: 'no-value', key: 'zone', values: null }],
  ])('does not apply %s and says why', (text, problem) => {
    expect(problems(text)).toEqual([problem])
    expect(conditions(`${text} web`)).toEqual([{ key: 'text', any: ['web'], not: false }])
  })
})

it.each([
  ['h-01', 'h-0*', true],
  ['H-01', 'h-01', true],
  ['h-01', 'h-0', false],
  ['a.b', 'a*b', true],
  ['axb', 'a.b', false],
  ['', '*', true],
])('%s fits %s: %s', (value, pattern, expected) => expect(fits(value, pattern)).toBe(expected))

describe('what could come next', () => {
  const labels = (draft: string) => completionsOf(draft, keys).map(({ label }) => label)
  it('is every key at first', () => expect(labels('')).toEqual(['host:', 'state:', 'zone:']))
  it('is keys that begin so, with the minus kept', () => expect(labels('-st')).toEqual(['-state:']))
  it('finds a key by its other words', () => expect(labels('na')).toEqual(['host:']))
  it('is values once the key is there', () => expect(labels('state:')).toEqual(['up', 'down', 'gone']))
  it('is values that begin so before those that hold it', () => expect(labels('state:o')).toEqual(['down', 'gone']))
  it('leaves out what is chosen already, and quotes what needs it', () => {
    expect(completionsOf('zone:a,n', keys).map(({ text }) => text)).toEqual(['zone:a,"north side"'])
  })
  it('is nothing for a key that is not there', () => expect(labels('colour:')).toEqual([]))
})
