import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenRequest } from '../http/keystone'
import { readCloud } from './cloud-settings'
import { type Entry, merge, readClouds } from './clouds-file'
import { Secret } from './secret'

const file = (path: string, text: string) => ({ path, text })

interface Files {
  readonly clouds: string
  readonly secure?: string
  readonly profiles?: string
  readonly name?: string
  readonly region?: string
}

function read({ clouds, secure, profiles, name, region }: Files) {
  const read = readClouds({
    clouds: file('clouds.yaml', clouds),
    secure: secure === undefined ? null : file('secure.yaml', secure),
    profiles: profiles === undefined ? null : file('clouds-public.yaml', profiles),
  })
  return read.ok ? readCloud(read.value, { name: name ?? null, region: region ?? null, file: 'clouds.yaml' }) : read
}

function settings(files: Files) {
  const result = read(files)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.value
}

const problems = (files: Files) => {
  const result = read(files)
  return result.ok ? [] : result.problems
}

const LAB = `clouds:
  lab:
    region_name: RegionOne
    auth:
      auth_url: http://127.0.0.1:5000/v3
      username: admin
      password: adminpw
      project_name: admin
      user_domain_id: default
      project_domain_name: Default
`

describe('clouds.yaml', () => {
  it('has a password sign-in with its project, and the defaults of openstacksdk', () => {
    const lab = settings({ clouds: LAB })
    expect(lab).toMatchObject({ name: 'lab', region: 'RegionOne', interface: 'public', deadlineMs: 60_000 })
    expect(lab.tls).toEqual({ verify: true, caPath: null, certPath: null, keyPath: null })
    expect(tokenRequest(lab.credential)).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'admin', domain: { id: 'default' }, password: 'adminpw' } },
        },
        scope: { project: { name: 'admin', domain: { name: 'Default' } } },
      },
    })
  })

  it('is overridden by secrets of secure.yaml, and overrides its profile', () => {
    const clouds = 'clouds:\n  lab:\n    profile: house\n    auth:\n      username: reader\n'
    const secure = 'clouds:\n  lab:\n    auth:\n      password: other\n'
    const profiles =
      'public-clouds:\n  house:\n    auth: {auth_url: "https://k:5000", username: nobody}\n    interface: internal\n'
    const lab = settings({ clouds, secure, profiles })
    expect(lab).toMatchObject({ authUrl: 'https://k:5000', interface: 'internal' })
    const request = tokenRequest(lab.credential)
    expect(request.auth.identity).toMatchObject({ password: { user: { name: 'reader', password: 'other' } } })
  })

  it('supports an application credential, which implies its project', () => {
    const auth = 'auth_url: http://k/v3, application_credential_id: abc, application_credential_secret: s'
    const clouds = `clouds: {lab: {auth_type: v3applicationcredential, auth: {${auth}}}}`
    expect(tokenRequest(settings({ clouds }).credential)).toEqual({
      auth: {
        identity: { methods: ['application_credential'], application_credential: { id: 'abc', secret: 's' } },
      },
    })
  })

  it('supports a token when it has no password', () => {
    const clouds = 'clouds: {lab: {auth: {auth_url: http://k/v3, token: t, project_id: p}}}'
    expect(tokenRequest(settings({ clouds }).credential)).toEqual({
      auth: { identity: { methods: ['token'], token: { id: 't' } }, scope: { project: { id: 'p' } } },
    })
  })

  it('accepts one domain for user and project, system scope, and keys with dashes', () => {
    const base = 'auth-url: http://k/v3, username: u, password: p'
    const one = settings({ clouds: `clouds: {lab: {auth: {${base}, project-name: n, domain_id: d}}}` })
    expect(tokenRequest(one.credential)).toMatchObject({
      auth: { scope: { project: { name: 'n', domain: { id: 'd' } } } },
    })
    const system = settings({ clouds: `clouds: {lab: {auth: {${base}, system_scope: all}}}` })
    expect(tokenRequest(system.credential)).toMatchObject({ auth: { scope: { system: { all: true } } } })
  })

  it('has regions in a list with their own values, and the first is the default', () => {
    const regions = 'regions: [one, {name: two, values: {interface: admin}}]'
    const clouds = `clouds: {lab: {${regions}, auth: {auth_url: http://k/v3, username: u, password: p}}}`
    expect(settings({ clouds })).toMatchObject({ region: 'one', interface: 'public' })
    expect(settings({ clouds, region: 'two' })).toMatchObject({ region: 'two', interface: 'admin' })
    expect(problems({ clouds, region: 'three' })).toMatchObject([{ key: 'clouds.lab.regions' }])
  })

  it('skips certificate checks only where verify is the literal false', () => {
    const verify = (word: string) => LAB.replace('    auth:', `    verify: ${word}\n    auth:`)
    for (const word of ['false', 'no', 'off', '"false"'])
      expect(settings({ clouds: verify(word) }).tls.verify).toBe(false)
    for (const word of ['true', 'yes', '~', '']) expect(settings({ clouds: verify(word) }).tls.verify).toBe(true)
    expect(problems({ clouds: verify('0') })).toMatchObject([{ key: 'clouds.lab.verify' }])
  })

  it('may have a password of digits, but not one that YAML would change', () => {
    const password = (text: string) => LAB.replace('adminpw', text)
    expect(settings({ clouds: password('4711') }).credential).toMatchObject({ kind: 'password' })
    for (const changed of ['0123', '1e5', '2024-01-01', 'true', '1_000'])
      expect(problems({ clouds: password(changed) })).toMatchObject([{ key: 'clouds.lab.auth.password' }])
  })

  it.each<[string, string, string]>([
    ['several clouds without a choice', 'clouds: {a: {}, b: {}}', 'clouds'],
    ['a missing Keystone URL', 'clouds: {lab: {auth: {username: u, password: p}}}', 'clouds.lab.auth.auth_url'],
    ['a user name in the URL', LAB.replace('http://', 'http://admin:adminpw@'), 'clouds.lab.auth.auth_url'],
    [
      'an unsupported sign-in method',
      LAB.replace('    auth:', '    auth_type: v3oidcpassword\n    auth:'),
      'clouds.lab.auth_type',
    ],
    ['a missing password', LAB.replace('      password: adminpw\n', ''), 'clouds.lab.auth.password'],
    ['an unknown profile', 'clouds: {lab: {profile: vexxhost}}', 'clouds.lab.profile'],
    ['a file without clouds', 'cloud: {}', 'clouds'],
    ['a list instead of a map', '- a', ''],
    ['broken YAML', `${LAB}  : adminpw: [`, ''],
  ])('gets an error with file and key for %s', (_, clouds, key) => {
    expect(problems({ clouds })).toMatchObject([{ file: 'clouds.yaml', key }])
  })
})

describe('a secret', () => {
  const syntax = fc.constantFrom('?', '? ', ': ', '- ', '{', '[', '|', '>', '"', "'", '&a ', '*a', '!!str ', '#', '\n')
  it('is in no message, however broken the file is', () => {
    const secret = 'S3cr3t-Value'
    fc.assert(
      fc.property(fc.nat(280), fc.oneof(fc.string({ maxLength: 4 }), syntax), fc.nat(12), (at, inserted, removed) => {
        const whole = LAB.replace('adminpw', secret)
        const clouds = `${whole.slice(0, at)}${inserted}${whole.slice(at + removed)}`
        const result = read({ clouds })
        for (const shown of [JSON.stringify(result), inspect(result, { depth: 9, showHidden: true }), String(result)])
          expect(shown).not.toContain(secret)
      }),
      { numRuns: 2_000 },
    )
  })

  it('prints only when it is revealed', () => {
    const secret = new Secret('adminpw')
    for (const shown of [`${secret}`, JSON.stringify({ secret }), inspect({ secret }, { showHidden: true })])
      expect(shown).not.toContain('adminpw')
    expect(secret.reveal()).toBe('adminpw')
  })
})

describe('merging', () => {
  const entry = fc.letrec<{ leaf: string; entry: Entry }>((tie) => ({
    leaf: fc.string({ maxLength: 3 }),
    entry: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('entry')), {
      noNullPrototype: true,
    }),
  })).entry

  it('keeps every value of the upper entry, and lower values it does not override', () => {
    fc.assert(
      fc.property(entry, entry, (under, over) => {
        const both = merge(under, over)
        expect(merge(both, over)).toEqual(both)
        expect(merge(under, both)).toEqual(both)
        expect(Object.keys(both).sort()).toEqual([...new Set([...Object.keys(under), ...Object.keys(over)])].sort())
      }),
    )
  })
})
