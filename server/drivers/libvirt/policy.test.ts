import { expect, it } from 'vitest'
import { PLAIN_POLICY } from './control'
import { policyOf, readPolicy } from './policy'

it('the policy is the default of libvirt where none was stored', () => {
  for (const nothing of [undefined, null, {}]) expect(readPolicy(nothing)).toEqual(PLAIN_POLICY)
  expect(policyOf([])).toEqual(PLAIN_POLICY)
})

it('the policy parses the options of the import command', () => {
  expect(policyOf(['bandwidth=100', 'max-downtime=250', 'auto-converge', 'postcopy', 'postcopy-after=3'])).toEqual({
    ...PLAIN_POLICY,
    ...{ bandwidthMibPerS: 100, maxDowntimeMs: 250, autoConverge: true, postCopy: true, postCopyAfterRounds: 3 },
  })
  expect(policyOf(['parallel-connections=4', 'tls'])).toEqual({ ...PLAIN_POLICY, parallelConnections: 4, tls: true })
})

it.each([
  ['bandwidth', /"bandwidth" is not among bandwidth=N/],
  ['tls=yes', /"tls=yes" is not among/],
  ['speed=3', /"speed=3" is not among/],
  ['constructor=1', /"constructor=1" is not among/],
  ['bandwidth=', /bandwidthMibPerS is a whole number from 1/],
  ['bandwidth=fast', /bandwidthMibPerS is a whole number/],
  ['max-downtime=0', /maxDowntimeMs is a whole number from 1 to 60000/],
  ['postcopy-after=2', /needs postCopy/],
])('the policy refuses %s', (word, why) => {
  expect(policyOf([word])).toMatch(why)
})

it('the policy refuses parallel connections together with post-copy', () => {
  expect(policyOf(['postcopy', 'parallel-connections=2'])).toMatch(/exclude each other/)
})
