import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redacted, redactedText } from './redact'

const SECRET = 'hunter2-Zq9'

describe('a key named like a secret', () => {
  test.each([
    'password',
    'adminPass',
    'os_admin_pass',
    'db_passwd',
    'clientSecret',
    'access_token',
    'apiKey',
    'Set-Cookie',
    'Authorization',
    'sessionId',
    'private_key',
    'credentials',
  ])('%s is redacted at any depth', (name) => {
    const parcel = { a: [{ [name]: SECRET, b: { [name]: { deep: SECRET } } }] }
    expect(JSON.stringify(redacted(parcel))).not.toContain(SECRET)
  })

  test.each(['pci_passthrough:alias', 'passes', 'bypass', 'instance', 'compass'])('%s is kept', (name) => {
    expect(redacted({ [name]: 'gpu:1' })).toEqual({ [name]: 'gpu:1' })
  })
})

describe('a value that looks like a secret', () => {
  test.each([
    ['a URL with a password', `qemu+tls://root:${SECRET}@h-07/system`],
    ['a password in a message', `could not log in: password=${SECRET}`],
    ['a quoted password', `{"password": "${SECRET}"}`],
    ['a bearer token', `Authorization: Bearer ${SECRET}`],
    ['a token in a query', `GET /x?token=${SECRET}&y=1`],
    ['a private key', `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`],
    ['a truncated private key', `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}`],
    ['a signed token', `eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoi${SECRET.replace('-', '')}.sig`],
  ])('%s is redacted', (_title, text) => {
    expect(redactedText(text)).not.toContain(SECRET)
    expect(redactedText(text)).not.toContain(SECRET.replace('-', ''))
  })

  test('a token is redacted whole, wherever it has dashes', () => {
    for (const text of [
      'kY3-8fXz0aQmV-b2Lr7Tn_4pWc6Hs9JdEg1UiOyRxAtB',
      `gAAAAABl-${'xY7_q-'.repeat(25)}Zk9Q==`,
      '-_kY38fXz0aQmVb2Lr7Tn4pWc6Hs9JdEg1UiOyRxAt-',
    ])
      expect(redactedText(`it used ${text}, which I revoked`)).toBe('it used [removed], which I revoked')
  })

  test.each([
    'berth-1f0c4b7e-9a44-4c52-8f7a-2f6f6c1f9e10',
    'compute-host-with-a-long-name-in-rack-17',
    'the migration of web-05 from std-01 to std-02',
  ])('%s is kept', (text) => {
    expect(redactedText(text)).toBe(text)
  })

  test('a hash is redacted, an id is kept', () => {
    expect(redactedText('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')).toBe('[removed]')
    const id = '1f0c4b7e-9a44-4c52-8f7a-2f6f6c1f9e10'
    expect(redactedText(`instance ${id} on h-07`)).toBe(`instance ${id} on h-07`)
    expect(redactedText('pci:0000:3b:02.1')).toBe('pci:0000:3b:02.1')
  })
})

test('a password under its own key is always redacted, whatever surrounds it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, key) => {
      const text = JSON.stringify(redacted({ [key]: value, list: [value, { password: SECRET }] }))
      expect(text).not.toContain(SECRET)
    }),
  )
})
