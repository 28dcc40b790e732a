import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agreementOf } from './agreement'

// A row agrees only if all its values are known and equal.

const reportedValues = fc.array(fc.option(fc.constantFrom('h-1', 'h-2', 'nowhere'), { nil: null }), { maxLength: 4 })

test('a row agrees only without differences, unknowns and findings, and differs only where values do', () => {
  fc.assert(
    fc.property(fc.array(reportedValues, { maxLength: 4 }), fc.boolean(), (subjects, found) => {
      const differs = subjects.some((columns) =>
        columns.some((one) => columns.some((other) => one !== null && other !== null && one !== other)),
      )
      const unknown = subjects.some((columns) => columns.some((value) => value === null))
      const wanted = differs ? 'differ' : found ? 'found' : unknown ? 'unknown' : 'agree'
      expect(agreementOf(subjects, found ? ['finding'] : [])).toBe(wanted)
    }),
  )
})
