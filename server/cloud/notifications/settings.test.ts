import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readNotifications } from './settings'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'notifications-'))

function read(text: string, environment: Readonly<Record<string, string>> = {}) {
  const file = path.join(folder, 'notifications.yaml')
  fs.writeFileSync(file, text)
  return readNotifications(file, environment)
}

const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
const host = fc.tuple(
  fc.stringMatching(/^[a-z][a-z0-9.-]{0,10}[a-z0-9]$/),
  fc.option(fc.integer({ min: 1, max: 65_535 })),
)
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)

test('a transport_url parses back, whatever user, password and virtual host are', () => {
  const asked = fc.record({
    user: word,
    password: word,
    vhost: word,
    hosts: fc.array(host, { minLength: 1, maxLength: 4 }),
    ssl: fc.boolean(),
  })
  fc.assert(
    fc.property(asked, ({ user, password, vhost, hosts, ssl }) => {
      const nodes = hosts.map(
        ([name, port]) => `${encoded(user)}:${encoded(password)}@${name}${port ? `:${port}` : ''}`,
      )
      const url = `rabbit://${nodes.join(',')}/${encoded(vhost)}${ssl ? '?ssl=1' : ''}`
      const settings = read('clouds: { east: { transport_url: { env: URL_OF_EAST } } }', { URL_OF_EAST: url }).get(
        'east',
      )
      expect(settings?.hosts).toEqual(hosts.map(([name, port]) => `${name}:${port ?? (ssl ? 5671 : 5672)}`))
      expect([settings?.username, settings?.password.reveal(), settings?.vhost]).toEqual([user, password, vhost])
      expect(settings?.tls).toEqual(ssl ? { caPath: null } : null)
      expect(settings?.exchange).toBe('nova')
    }),
  )
})

test('an empty virtual host is the root one, as for Nova', () => {
  for (const end of ['', '/']) {
    const settings = read(`clouds: { east: { transport_url: "rabbit://a:b@mq${end}" } }`).get('east')
    expect(settings?.vhost).toBe('/')
  }
})

const WRONG: readonly (readonly [entry: string, says: string])[] = [
  ['{}', 'clouds.east.transport_url: expected a text'],
  ['{ transport_url: "rabbit:/x" }', 'expected it as in nova.conf'],
  ['{ transport_url: "kafka://u:hidden@mq/" }', 'expected it as in nova.conf'],
  ['{ transport_url: "rabbit://u:hidden@mq,v:hidden@mq2/" }', 'the same user and password for all hosts'],
  ['{ transport_url: "rabbit://u:hidden@[::1]:5672/" }', 'expected names or IPv4 addresses'],
  ['{ transport_url: "rabbit://u:hidden%zz@mq/" }', 'a percent sign in it is written %25'],
  ['{ transport_url: { env: NOT_SET } }', 'clouds.east.transport_url.env: expected a variable that is set'],
  ['{ transport_url: { file: /nowhere/at-all } }', 'transport_url.file: expected a file'],
  ['{ transport_url: "rabbit://u:hidden@mq/", topic: x }', 'clouds.east.topic: there is no such key'],
  ['{ transport_url: "rabbit://u:hidden@mq/", topics: [] }', 'clouds.east.topics: expected a list of texts'],
  ['{ transport_url: "rabbit://u:hidden@mq/", exchange: [] }', 'clouds.east.exchange: expected a text'],
  ['{ transport_url: "rabbit://u:hidden@mq/", cacert: /nowhere/ca.pem }', 'clouds.east.cacert: expected a file'],
  ['just a text', 'clouds.east: expected transport_url'],
]

test.each(WRONG)('the error names the mistake but not the value: %s', (entry, says) => {
  expect(() => read(`clouds:\n  east: ${entry}\n`)).toThrow(says)
  expect(() => read(`clouds:\n  east: ${entry}\n`)).toThrow(expect.not.stringContaining('hidden'))
})

test('a key beside the clouds, or in their place, is refused', () => {
  expect(() => read('clouds: {}\nregions: {}\n')).toThrow('regions: there is no such key')
  expect(() => read('east: {}\n')).toThrow('clouds: expected names of clouds')
  expect(() => read('clouds: [a')).toThrow('is not valid YAML')
})
