import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { config } from '../proxy'

// Files that browsers, phones and crawlers request by name before any sign-in.

const PUBLIC = path.join(import.meta.dirname, '../public')
const files = fs.readdirSync(PUBLIC)
const asksForSession = (address: string) => config.matcher.some((each) => new RegExp(`^${each}$`).test(address))

test.each(files)('%s needs no session', (file) => {
  expect(asksForSession(`/${file}`)).toBe(false)
})

test.each(['/', '/overview', '/hosts/robots.txt', '/xrobots.txt', '/hosts/icon'])(
  '%s is a page and needs a session',
  (page) => {
    expect(asksForSession(page)).toBe(true)
  },
)

test('the manifest names icons that exist in the stated size', () => {
  const { icons } = JSON.parse(fs.readFileSync(path.join(PUBLIC, 'manifest.webmanifest'), 'utf8'))
  for (const { src, sizes, type } of icons as Record<'src' | 'sizes' | 'type', string>[]) {
    const bytes = fs.readFileSync(path.join(PUBLIC, src))
    const size = type === 'image/png' ? `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}` : 'any'
    expect(size, src).toBe(sizes)
  }
})
