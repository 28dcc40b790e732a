import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ruleOf } from './rules'

// The values that unreadable columns are set to.

const NAMES = ['kind', 'state', 'ended_at', 'since', 'generation', 'consumer_generation', 'fence', 'version', 'name']
const TABLES = ['proposal', 'run', 'run_move', 'unit', 'claim', 'migration', 'host', 'flavor', 'unknown_table']

test('no rule sets one of several checked columns, because the wrong one is unknown', () => {
  const several = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(fc.constantFrom(...TABLES), several, fc.boolean(), (table, columns, nullable) => {
      expect(ruleOf({ table, column: columns.join(', '), nullable, now: 5 })).not.toHaveProperty('set')
    }),
  )
})

test('a single counter is set above any known value', () => {
  expect(ruleOf({ table: 'proposal', column: 'consumer_generation', nullable: true, now: 5 })).toMatchObject({
    set: '5',
  })
})
