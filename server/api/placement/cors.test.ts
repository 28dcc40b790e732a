import { expect, test } from 'vitest'
import { allowed } from './caller/caller'
import { isCrossOrigin, withCors } from './cors'
import { type Call, nothing } from './wire'

const FRIEND = 'https://dashboard.test'

function call(method: string, headers: Readonly<Record<string, string>>): Call {
  return {
    ...{ method, path: '/', query: '', mount: '', origin: 'http://berth.test', body: async () => Buffer.alloc(0) },
    header: (name) => headers[name] ?? null,
  }
}

const ASKS = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-auth-token' }

test.each<[string, string, Record<string, string>, ReturnType<typeof isCrossOrigin>]>([
  ['a preflight of the configured site is allowed', 'OPTIONS', { origin: FRIEND, ...ASKS }, 'preflight'],
  ['a preflight of another site is foreign', 'OPTIONS', { origin: 'https://evil.test', ...ASKS }, 'foreign-preflight'],
  ['OPTIONS without an origin is foreign', 'OPTIONS', {}, 'foreign-preflight'],
  [
    'OPTIONS of the configured site without a requested method is foreign',
    'OPTIONS',
    { origin: FRIEND },
    'foreign-preflight',
  ],
  ['a request of the configured site is allowed', 'GET', { origin: FRIEND }, 'allowed'],
  ['a request of another site is not cross-origin', 'GET', { origin: 'https://evil.test' }, 'no'],
])('%s', (_, method, headers, expected) => {
  expect(isCrossOrigin(call(method, headers), FRIEND)).toBe(expected)
})

test('every request is handled normally without the setting', () => {
  expect(isCrossOrigin(call('OPTIONS', { origin: FRIEND, ...ASKS }), null)).toBe('no')
})

test('a preflight of another site gets no CORS header', () => {
  const asked = call('OPTIONS', { origin: 'https://evil.test', ...ASKS })
  const { headers } = withCors(asked, nothing(200), isCrossOrigin(asked, FRIEND))
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test.each([
  [['admin'], true],
  [['Admin'], true],
  [['member', ' ADMIN '], true],
  [['administrator'], false],
  [['reader'], false],
  [[], false],
])('with roles %j, writing under the default profile is permitted: %s', (roles, expected) => {
  expect(allowed({ profile: 'default', roles, project: 'p' }, 'write', null)).toBe(expected)
})

test('a reader reads the usages of its own project, whatever the case of the role', () => {
  const claims = { profile: 'secure', roles: ['member', ' Reader'], project: 'p' } as const
  expect([allowed(claims, 'usages', 'p'), allowed(claims, 'usages', 'q')]).toEqual([true, false])
})
