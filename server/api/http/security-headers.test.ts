import { expect, test } from 'vitest'
import { nonceIn, pagePolicy } from './security-headers'

test('a page runs only scripts of this site and of its own nonce', () => {
  const scripts = /script-src ([^;]*)/.exec(pagePolicy('abc+/=', false))?.[1]
  expect(scripts).toBe("'self' 'nonce-abc+/='")
  expect(nonceIn(pagePolicy('abc+/=', false))).toBe('abc+/=')
  expect(nonceIn(null)).toBeUndefined()
})
