import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { nonceIn, pagePolicy, SONNER_STYLE } from './security-headers'

test('the style that is let in without a nonce is the one that Sonner writes', () => {
  const [main] = [createRequire(import.meta.url).resolve('sonner')]
  const source = fs.readFileSync(path.join(path.dirname(main), 'index.mjs'), 'utf8')
  const [, literal] = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(source) ?? []
  const style = JSON.parse((literal ?? '').replaceAll("\\'", "'")) as string
  expect(SONNER_STYLE).toBe(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
})

test('a page runs scripts of this site and of its own nonce, and no others', () => {
  const scripts = /script-src ([^;]*)/.exec(pagePolicy('abc+/=', false))?.[1]
  expect(scripts).toBe("'self' 'nonce-abc+/='")
  expect(nonceIn(pagePolicy('abc+/=', false))).toBe('abc+/=')
  expect(nonceIn(null)).toBeUndefined()
})
