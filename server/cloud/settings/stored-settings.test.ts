import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CloudSettings } from './cloud-settings'
import type { Credential, KeystoneReference } from './credential'
import { KEY_BYTES } from './seal'
import { Secret } from './secret'
import { sealSettings, unsealSettings } from './stored-settings'
import { readUpload } from './upload'

const text = fc.string({ minLength: 1, maxLength: 12 })
const domain = fc.oneof(fc.record({ id: text }), fc.record({ name: text }))
const named: fc.Arbitrary<KeystoneReference> = fc.oneof(fc.record({ id: text }), fc.record({ name: text, domain }))
const scope = fc.oneof(
  fc.record({ kind: fc.constant('project' as const), project: named }),
  fc.record({ kind: fc.constant('domain' as const), domain }),
  fc.constantFrom({ kind: 'system' as const }, { kind: 'none' as const }),
)
const SECRET = 'S3cr3t-ä-Value'
const secret = fc.constant(new Secret(SECRET))
const credential: fc.Arbitrary<Credential> = fc.oneof(
  fc.record({ kind: fc.constant('password' as const), user: named, password: secret, scope }),
  fc.record({ kind: fc.constant('token' as const), token: secret, scope }),
  fc.record({
    kind: fc.constant('application-credential' as const),
    credential: fc.oneof(fc.record({ id: text }), fc.record({ name: text, user: named })),
    secret,
  }),
)
const settings: fc.Arbitrary<CloudSettings> = fc.record({
  name: text,
  authUrl: fc.constantFrom('https://cloud.example:5000/v3', 'http://10.0.0.1/identity'),
  credential,
  region: fc.option(text),
  interface: fc.constantFrom('public', 'internal', 'admin'),
  tls: fc.record({
    verify: fc.boolean(),
    caPem: fc.option(text),
    caPath: fc.constant(null),
    certPath: fc.constant(null),
    keyPath: fc.constant(null),
  }),
  endpoints: fc.record({ compute: fc.constant(null), placement: fc.constantFrom(null, 'http://p') }),
  deadlineMs: fc.integer({ min: 1, max: 600_000 }),
})

const revealed = (of: CloudSettings | null) => of && { ...of, secret: secretOf(of.credential).reveal() }
const secretOf = (of: Credential) => (of.kind === 'password' ? of.password : of.kind === 'token' ? of.token : of.secret)

/** As the database stores a jsonb: members in its own order. */
const reordered = (value: unknown): unknown =>
  value === null || typeof value !== 'object'
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, each]) => [key, reordered(each)]),
      )

describe('an uploaded file', () => {
  const yaml = (url: string, region = 'RegionOne') => `clouds:
  lab: {region_name: "${region}", auth: {auth_url: "${url}", username: reader, password: secret, user_domain_name: Default}}`
  const upload = (clouds: string) =>
    readUpload({ clouds, secure: null, ca: null, cloud: null, region: null, interface: null })
  const sealed = (clouds: string) => {
    const read = upload(clouds)
    return read.ok ? JSON.stringify(sealSettings('id', read.value, randomBytes(KEY_BYTES)).settings) : read.problems
  }

  it.each(['HTTPS://cloud.example:5000/v3', ' https://cloud.example:5000/v3 '])(
    'with the address "%s" is stored as it is read',
    (url) => expect(sealed(yaml(url))).toContain('https://cloud.example:5000/v3'),
  )

  it.each([
    ['with an @ in an address', yaml('https://cloud.example/@v3'), 'clouds.lab.auth.auth_url'],
    ['with a NUL that YAML escapes', yaml('https://cloud.example', 'a\\0b'), ''],
    ['with half a surrogate pair that YAML escapes', yaml('https://cloud.example', 'a\\uD800b'), ''],
  ])('%s is refused, because it cannot be stored', (_, clouds, key) => {
    expect(sealed(clouds)).toMatchObject([{ key }])
  })
})

describe('stored settings', () => {
  const key = randomBytes(KEY_BYTES)

  it('decrypt to the same values, and show no secret', () => {
    fc.assert(
      fc.property(settings, (given) => {
        const sealed = sealSettings('id', given, key)
        const stored = { settings: reordered(sealed.settings), secret: sealed.secret }
        expect(revealed(unsealSettings('id', stored, key))).toEqual(revealed(given))
        for (const shown of [JSON.stringify(sealed.settings), inspect(sealed, { depth: 9 }), sealed.secret.toString()])
          expect(shown).not.toContain(SECRET)
      }),
      { numRuns: 300 },
    )
  })

  it('do not decrypt with another key, for another cloud, beside other settings, or with one bit changed', () => {
    fc.assert(
      fc.property(settings, fc.nat(), (given, at) => {
        const sealed = sealSettings('id', given, key)
        const flipped = Buffer.from(sealed.secret)
        flipped.writeUInt8(flipped.readUInt8(at % flipped.length) ^ 1, at % flipped.length)
        const elsewhere = { ...sealed.settings, authUrl: 'https://elsewhere.example' }
        expect(unsealSettings('id', sealed, randomBytes(KEY_BYTES))).toBeNull()
        expect(unsealSettings('other', sealed, key)).toBeNull()
        expect(unsealSettings('id', { ...sealed, settings: elsewhere }, key)).toBeNull()
        expect(unsealSettings('id', { ...sealed, secret: flipped }, key)).toBeNull()
        expect(unsealSettings('id', { settings: {}, secret: sealed.secret }, key)).toBeNull()
      }),
      { numRuns: 100 },
    )
  })
})
