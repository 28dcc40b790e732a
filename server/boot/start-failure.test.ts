import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { migrate } from './migrate'
import { settingsOf } from './settings'
import { startFailure } from './start-failure'

const caught = (work: Promise<unknown>) => work.then(() => null, startFailure)

test('a port that another program uses is named with the setting', async () => {
  const first = http.createServer()
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
  const { port } = first.address() as AddressInfo
  const second = http.createServer()
  const text = await caught(
    new Promise((resolve, reject) => second.once('error', reject).listen(port, '127.0.0.1', () => resolve(null))),
  )
  first.close()
  expect(text).toMatch(`port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or set PORT`)
})

test.each([
  ['postgresql://berth@localhost:1/berth', /ECONNREFUSED.*Check DATABASE_URL/],
  ['postgresql://berth@127.0.0.1:1/berth', /ECONNREFUSED.*Check DATABASE_URL/],
  ['postgresql://berth@nowhere.invalid/berth', /nowhere\.invalid.*Check DATABASE_URL/],
])('the database %s that does not answer is named with the setting', async (url, text) => {
  expect(await caught(migrate(url))).toMatch(text)
})

test('mistakes in the settings are shown without a stack, and a bug with its own', async () => {
  const wrong = caught(Promise.resolve().then(() => settingsOf({ PORT: 'eighty' })))
  expect(await wrong).toMatch(/PORT: expected a port.*\nREADME\.md lists them\. Nothing was changed\.$/s)
  expect(startFailure(new TypeError('x is undefined'))).toBeNull()
  expect(startFailure(null)).toBeNull()
})
