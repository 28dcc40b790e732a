import { expect, test } from 'vitest'
import { type Breach, checkSource } from './tidy/check'
import { sources } from './tidy/house'

// The house law on the house itself. The law is in tidy/law.ts, its own tests in tidy/check.test.ts.

const breaches = sources.flatMap(checkSource)

const asLine = ({ path: file, line, rule, message }: Breach) => `${file}:${line} [${rule}] ${message}`

test('the law reads all sources', () => {
  expect(sources.length).toBeGreaterThan(10)
})

test('every source complies with the house law', () => {
  const soft = breaches.filter((breach) => breach.soft)
  if (soft.length > 0) console.warn(`Over a soft limit:\n${soft.map(asLine).join('\n')}`)
  expect(breaches.filter((breach) => !breach.soft).map(asLine)).toEqual([])
})
