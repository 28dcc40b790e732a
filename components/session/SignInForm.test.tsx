import fc from 'fast-check'
import { expect, it } from 'vitest'
import { safeNext } from './steps'
import { sessionWords } from './words'

const ORIGIN = 'https://berth.example'

it.each([
  ['/hosts?status=down', `${ORIGIN}/hosts?status=down`],
  ['/hosts#top', `${ORIGIN}/hosts#top`],
  [undefined, '/overview'],
  ['', '/overview'],
  ['hosts', '/overview'],
  ['https://elsewhere.example', '/overview'],
  ['//elsewhere.example', '/overview'],
  ['///elsewhere.example', '/overview'],
  ['/\\elsewhere.example', '/overview'],
  ['/\t/elsewhere.example', '/overview'],
  ['/\n\\elsewhere.example', '/overview'],
  ['/\r/elsewhere.example', '/overview'],
  ['javascript:alert(1)', '/overview'],
  ['\u0001javascript:alert(1)', '/overview'],
  // Normal to the parser, but another site to code that reads only what follows the host.
  ['/.//elsewhere.example', `${ORIGIN}//elsewhere.example`],
])('after signing in, %j leads to %s', (next, expected) => expect(safeNext(next, ORIGIN)).toBe(expected))

it('sign-in never redirects to another site', () => {
  const piece = fc.oneof(
    fc.constantFrom('/', '\\', '\t', '\n', '\r', '.', '..', '@', ':', '?', '#', '%2f'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const leads = safeNext(pieces.join(''), ORIGIN)
      expect(new URL(leads, ORIGIN).origin).toBe(ORIGIN)
    }),
  )
})

it('the wait is shown in readable units and never rounded down', () => {
  const parsed = (seconds: number) => / in (\d+) (s|min)\.$/.exec(sessionWords.tooMany(seconds))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 86_400 }), (seconds) => {
      const [, amount, unit] = parsed(seconds) ?? []
      expect(Number(amount)).toBeLessThan(unit === 's' ? 120 : 1_441)
      expect(Number(amount) * (unit === 's' ? 1 : 60)).toBeGreaterThanOrEqual(seconds)
    }),
  )
  expect(sessionWords.tooMany(298)).toBe('Too many attempts. Try again in 5 min.')
})
