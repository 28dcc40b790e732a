import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daemonAddress, hostAddition } from './connection'

const TLS = { kind: 'tls', host: 'hv1', port: 16_514, pkiPath: '/etc/pki/berth' }
const takes = (transport: object) => daemonAddress.safeParse({ transport, daemon: 'system' }).success

describe('the address of a daemon in the form', () => {
  it.each([
    [{ kind: 'unix', socketPath: '/run/libvirt/libvirt-sock' }],
    [{ kind: 'unix', socketPath: '/run/user/1000/a b?c#d/..sock' }],
    [TLS],
    [{ ...TLS, host: 'fd00::7' }],
    [{ ...TLS, host: '10.0.0.7' }],
    [{ kind: 'ssh', host: 'hv1', port: 22, user: null, keyPath: null }],
    [{ kind: 'ssh', host: 'hv1', port: 2222, user: 'berth', keyPath: '/etc/pki/berth/id' }],
  ])('accepts %j', (transport) => expect(takes(transport)).toBe(true))

  it.each([
    [{ kind: 'ext', command: '/bin/sh' }],
    [{ ...TLS, command: '/bin/sh' }],
    [{ ...TLS, host: '-oProxyCommand=id' }],
    [{ ...TLS, host: '[fd00::7]' }],
    [{ ...TLS, host: 'fe80::1%eth0' }],
    [{ ...TLS, host: 'hv1/?command=id' }],
    [{ ...TLS, port: 0 }],
    [{ ...TLS, port: 22.5 }],
    [{ ...TLS, pkiPath: '/etc/pki/../shadow' }],
    [{ ...TLS, pkiPath: '/etc/pki/' }],
    [{ ...TLS, pkiPath: '//etc' }],
    [{ ...TLS, pkiPath: '/' }],
    [{ kind: 'unix', socketPath: '/run/\nsock' }],
    [{ kind: 'unix', socketPath: `/${'é'.repeat(54)}` }],
    [{ kind: 'ssh', host: 'hv1', port: 22, user: '-l', keyPath: null }],
  ])('refuses %j', (transport) => expect(takes(transport)).toBe(false))

  it('never accepts a path outside its folder, or a host that reads as an option, a URI or a shell word', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', 'a', '/', '\u0000', '%2e', '-x', '?', '#', '@', ':'),
      fc.string(),
    )
    const property = fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const socketPath = `/${parts.join('/')}`
      if (takes({ kind: 'unix', socketPath }))
        expect(socketPath.split('/').slice(1)).not.toContainEqual(expect.stringMatching(/^\.{0,2}$/))
      const host = parts.join('')
      if (takes({ ...TLS, host })) expect(host).toMatch(/^[a-z0-9:][a-z0-9.:-]*$/i)
    })
    fc.assert(property, { numRuns: 2_000 })
  })
})

describe('a host to add', () => {
  const addition = {
    address: { transport: TLS, daemon: 'system' },
    ...{ fingerprint: 'f', name: 'hv1.example.org', dedicated: '2-15,^8', control: null },
  }
  it.each([
    [{}, true],
    [{ control: { peer: TLS, dataAddress: null } }, true],
    [{ control: { peer: TLS, dataAddress: null, pool: 'vms' } }, true],
    [{ control: { peer: TLS, dataAddress: null, pool: '--all' } }, false],
    [{ control: { peer: { ...TLS, kind: 'unix' }, dataAddress: null } }, false],
    [{ control: true }, false],
    [{ name: 'hv1; rm' }, false],
    [{ name: '' }, false],
    [{ dedicated: 'all' }, false],
    [{ readOnly: false }, false],
  ])('with %j: %s', (over, isTaken) => expect(hostAddition.safeParse({ ...addition, ...over }).success).toBe(isTaken))
})
