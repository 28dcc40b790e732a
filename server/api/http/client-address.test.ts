import type http from 'node:http'
import { describe, expect, test } from 'vitest'
import { resolveClientAddress, trustedProxies } from './client-address'

const from = (remoteAddress: string, headers: http.IncomingHttpHeaders) =>
  ({ headers, socket: { remoteAddress } }) as http.IncomingMessage

describe('the address of a client', () => {
  test.each<[proxies: string, peer: string, headerValue: string | undefined, client: string]>([
    ['', '192.0.2.7', '198.51.100.9', '192.0.2.7'],
    ['10.0.0.0/8', '192.0.2.7', '198.51.100.9', '192.0.2.7'],
    ['10.0.0.0/8', '10.1.2.3', '198.51.100.9', '198.51.100.9'],
    // Entries from the client precede those that the proxy added.
    ['10.0.0.0/8', '10.1.2.3', '203.0.113.1, 198.51.100.9', '198.51.100.9'],
    ['10.0.0.0/8', '10.1.2.3', '203.0.113.1, 198.51.100.9, 10.9.9.9', '198.51.100.9'],
    ['10.0.0.0/8', '10.1.2.3', '198.51.100.9, nobody', '10.1.2.3'],
    ['10.0.0.0/8', '10.1.2.3', undefined, '10.1.2.3'],
    ['10.0.0.0/8', '10.1.2.3', '10.4.4.4', '10.1.2.3'],
    ['127.0.0.1', '::ffff:127.0.0.1', '198.51.100.9', '198.51.100.9'],
    ['::1, fd00::/8', '::1', '2001:db8::1', '2001:db8::1'],
    ['', 'fe80::1%eth0', undefined, 'fe80::1'],
  ])('with the proxies “%s”, peer %s and header %s is %s', (proxies, peer, headerValue, client) => {
    const request = from(peer, headerValue === undefined ? {} : { 'x-forwarded-for': headerValue })
    expect(resolveClientAddress(request, trustedProxies(proxies))).toBe(client)
    expect(request.headers['x-forwarded-for']).toBe(client)
  })

  test('only a trusted proxy may set forwarding headers', () => {
    const headerValue = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.test',
      forwarded: 'for=x',
      'x-real-ip': '1',
    }
    const untrusted = from('192.0.2.7', { ...headerValue })
    resolveClientAddress(untrusted, trustedProxies(''))
    expect(untrusted.headers).toEqual({ 'x-forwarded-for': '192.0.2.7' })
    const proxy = from('192.0.2.7', { ...headerValue })
    resolveClientAddress(proxy, trustedProxies('192.0.2.7'))
    expect(proxy.headers).toMatchObject(headerValue)
  })
})

test.each(['nobody', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '::1/129', '10.0.0.0/-1'])(
  '%s is an invalid setting of trusted proxies',
  (setting) => expect(() => trustedProxies(setting)).toThrow(/BERTH_TRUSTED_PROXIES/),
)
