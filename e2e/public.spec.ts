import fs from 'node:fs'
import { expect, test } from '@playwright/test'

const TYPES: Readonly<Record<string, RegExp>> = {
  ico: /^image\/(x-icon|vnd\.microsoft\.icon)/,
  png: /^image\/png/,
  svg: /^image\/svg\+xml/,
  txt: /^text\/plain/,
  webmanifest: /^application\/manifest\+json/,
}

test('the files that a browser requests by name need no session', async ({ request }) => {
  for (const file of fs.readdirSync('public')) {
    const answer = await request.get(`/${file}`, { maxRedirects: 0 })
    expect(answer.status(), file).toBe(200)
    expect(answer.headers()['content-type'], file).toMatch(TYPES[file.split('.').at(-1) ?? ''] ?? /^never$/)
  }
  expect((await request.get('/.well-known/change-password', { maxRedirects: 0 })).status()).toBe(404)
})

test('a page names its icons and its manifest, and the browser can load them', async ({ page }) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text())
  })
  await page.goto('/sign-in')
  const links = page.locator('link[rel="icon"], link[rel="apple-touch-icon"], link[rel="manifest"]')
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(addresses).toEqual(expect.arrayContaining(['/icon.svg', '/favicon.ico', '/apple-touch-icon.png']))
  expect(addresses).toContain('/manifest.webmanifest')
  const loaded = page.evaluate((all) => Promise.all(all.map(async (each) => (await fetch(each ?? '')).ok)), addresses)
  expect(await loaded).not.toContain(false)
  expect(refused).toEqual([])
})
