import { expect, test } from 'vitest'
import { nonceIn, pagePolicy } from './security-headers'

test('a page runs scripts of this site and of its own nonce, and no others', () => {
  const scripts = /script-src ([^;]*)/.exec(pagePolicy('abc+/=', false))?.[1]
  expect(scripts).toBe("'self' 'nonce-abc+/='")
  expect(nonceIn(pagePolicy('abc+/=', false))).toBe('abc+/=')
  expect(nonceIn(null)).toBeUndefined()
})
