import { expect, it } from 'vitest'
import { safeNext } from './SignInForm'

it.each([
  ['/hosts?truth=down', '/hosts?truth=down'],
  [undefined, '/overview'],
  ['https://elsewhere.example', '/overview'],
  ['//elsewhere.example', '/overview'],
  ['/\\elsewhere.example', '/overview'],
  ['javascript:alert(1)', '/overview'],
])('after signing in, %s leads to %s', (next, expected) => expect(safeNext(next)).toBe(expected))
