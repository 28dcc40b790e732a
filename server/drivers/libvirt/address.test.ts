import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AddressOptions, describeAddress, parseAddress, uriOf } from './address'
import { sshArguments } from './rpc/transport'

const PKI = { pkiPath: '/etc/pki/berth' }
const addressOf = (text: string, options: AddressOptions = {}) => {
  const parsed = parseAddress(text, options)
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.address
}

describe('the address of a daemon', () => {
  it.each([
    ['unix:/run/libvirt/libvirt-sock', {}, 'qemu+unix:///system?socket=%2Frun%2Flibvirt%2Flibvirt-sock'],
    [
      'unix:/run/user/1/a b?c#d&e',
      { daemon: 'session' },
      'qemu+unix:///session?socket=%2Frun%2Fuser%2F1%2Fa%20b%3Fc%23d%26e',
    ],
    ['tls:hv1.example.org', PKI, 'qemu+tls://hv1.example.org:16514/system?pkipath=%2Fetc%2Fpki%2Fberth'],
    ['tls:10.0.0.7:16515', PKI, 'qemu+tls://10.0.0.7:16515/system?pkipath=%2Fetc%2Fpki%2Fberth'],
    ['tls:[fd00::7]', PKI, 'qemu+tls://[fd00::7]:16514/system?pkipath=%2Fetc%2Fpki%2Fberth'],
    ['ssh:hv1', {}, 'qemu+ssh://hv1:22/system?no_tty=1'],
    ['ssh:root@hv1:2222', { keyPath: '/k/id' }, 'qemu+ssh://root@hv1:2222/system?no_tty=1&keyfile=%2Fk%2Fid'],
  ] as const)('%s parses, and its URI is built from its parts', (text, options, uri) => {
    expect(uriOf(addressOf(text, options))).toBe(uri)
  })

  it.each([
    ['qemu+ext:///system?command=/bin/sh', /not an address/],
    ['qemu:///system', /not an address/],
    ['tcp:hv1', /not an address/],
    ['unix:run/libvirt-sock', /absolute/],
    ['unix:/run/../etc/sock', /absolute/],
    ['unix:/run/\nsock', /absolute/],
    [`unix:/${'a'.repeat(107)}`, /107 bytes/],
    ['tls:hv1', /folder/],
    ['ssh:-oProxyCommand=id', /name or the IP address of a host/],
    ['ssh:hv1/?command=id', /name or the IP address of a host/],
    ['ssh:-l@hv1', /name of a user/],
    ['ssh:hv1:0', /port from 1/],
    ['ssh:hv1:65536', /port from 1/],
    ['ssh:fd00::7', /name or the IP address of a host/],
    ['ssh:[hv1]', /name or the IP address of a host/],
    ['ssh:a@b@c', /name or the IP address of a host/],
  ])('%j is refused', (text, why) => {
    expect(parseAddress(text)).toEqual({ ok: false, why: expect.stringMatching(why) })
  })

  it('is read-only and uses the system daemon by default', () => {
    expect(addressOf('ssh:hv1')).toMatchObject({ readOnly: true, daemon: 'system' })
    expect(addressOf('ssh:hv1', { readOnly: false, daemon: 'session' })).toMatchObject({ readOnly: false })
  })

  it('never adds an option, a host or a parameter to a command, whatever is typed', () => {
    const typed = fc.tuple(fc.constantFrom('unix:/', 'tls:', 'ssh:', ''), fc.string({ unit: 'binary', maxLength: 20 }))
    const property = fc.property(typed, ([kind, rest]) => {
      const parsed = parseAddress(`${kind}${rest}`, PKI)
      if (!parsed.ok) return
      const uri = new URL(uriOf(parsed.address))
      expect(
        [...uri.searchParams.keys()].filter((key) => !['socket', 'pkipath', 'no_tty', 'keyfile'].includes(key)),
      ).toEqual([])
      expect(uri.hash).toBe('')
      const { transport } = parsed.address
      if (transport.kind !== 'ssh') return
      const words = sshArguments(transport, 'system', true)
      expect(words.slice(words.indexOf('--'))).toEqual(['--', transport.host, 'virt-ssh-helper -r qemu:///system'])
      expect(transport.host).not.toMatch(/^-/)
    })
    fc.assert(property, { numRuns: Number(process.env.BERTH_FUZZ ?? 200) })
  })

  it('is displayed as it was typed', () => {
    for (const text of ['unix:/run/libvirt/libvirt-sock', 'tls:hv1:16515', 'tls:[fd00::7]:1', 'ssh:root@hv1:22'])
      expect(describeAddress(addressOf(text, PKI))).toBe(text)
  })
})
