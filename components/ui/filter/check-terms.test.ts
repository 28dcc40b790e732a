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

describe('checking filter terms', () => {
  it('yields conditions for known keys', () => {
    expect(conditions('host:h-0* -zone:a web')).toEqual([
      { key: 'host', any: ['h-0*'], not: false },
      { key: 'zone', any: ['a'], not: true },
      { key: 'text', any: ['web'], not: false },
    ])
  })
  it.each(['"', '-"', 'zone:a "', '"" zone:a'])(
    'takes a quote that was just opened as no condition yet: %s',
    (text) => {
      expect(judged(text).some(({ term }) => term.key === null)).toBe(true)
      expect(conditions(text).filter(({ key }) => key === 'text')).toEqual([])
      expect(problems(text)).toEqual([])
    },
  )
  it('accepts a key by its synonyms', () => expect(conditions('name:x')).toEqual(conditions('host:x')))
  it('expands patterns over a fixed set of values and normalizes their case', () => {
    expect(conditions('state:UP,*o*')).toEqual([{ key: 'state', any: ['up', 'down', 'gone'], not: false }])
  })
  it.each([
    ['colour:red', { kind: 'unknown-key', key: 'colour', keys: ['host', 'state', 'zone'] }],
    ['state:sideways', { kind: 'bad-value', key: 'state', value: 'sideways', values: ['up', 'down', 'gone'] }],
    ['state:up,sideways', { kind: 'bad-value', key: 'state', value: 'sideways', values: ['up', 'down', 'gone'] }],
    ['state:', { kind: 'no-value', key: 'state', values: ['up', 'down', 'gone'] }],
    ['zone:', { kind: 'no-value', key: 'zone', values: null }],
  ])('does not apply %s, and says why', (text, problem) => {
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

describe('suggestions', () => {
  const labels = (draft: string) => completionsOf(draft, keys).map(({ label }) => label)
  it('are all keys at first', () => expect(labels('')).toEqual(['host:', 'state:', 'zone:']))
  it('are keys with the typed prefix, and keep the minus', () => expect(labels('-st')).toEqual(['-state:']))
  it('find a key by its synonyms', () => expect(labels('na')).toEqual(['host:']))
  it('are values after a key', () => expect(labels('state:')).toEqual(['up', 'down', 'gone']))
  it('put values with the typed prefix before those that contain it', () =>
    expect(labels('state:o')).toEqual(['down', 'gone']))
  it('leave out chosen values, and quote values that need it', () => {
    expect(completionsOf('zone:a,n', keys).map(({ text }) => text)).toEqual(['zone:a,"north side"'])
  })
  it('are empty for an unknown key', () => expect(labels('colour:')).toEqual([]))
})
