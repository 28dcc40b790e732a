import { describe, expect, it } from 'vitest'
import { parseAddress } from './address'
import { PLAIN_POLICY } from './control'
import { readStoredHost, type StoredHost, storedAddressOf } from './stored-host'

const addressOf = (text: string, options = {}) => {
  const parsed = parseAddress(text, options)
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.address
}

const STORED: StoredHost = {
  ...{ kind: 'libvirt', client: 'rpc', readOnly: false, dataAddress: '10.0.0.7', pool: 'vms', machine: null },
  policy: { ...PLAIN_POLICY, bandwidthMibPerS: 400, postCopy: true, postCopyAfterRounds: 3 },
  control: { address: 'unix:/run/libvirt/libvirt-sock', session: false, pkiPath: null, keyPath: null },
  peer: { address: 'tls:hv1:16514', session: false, pkiPath: '/etc/pki/berth', keyPath: null },
}

describe('the connection stored with a host', () => {
  it.each([
    ['unix:/run/libvirt/libvirt-sock', {}],
    ['tls:[2001:db8::7]:16514', { pkiPath: '/etc/pki/berth', daemon: 'session' as const }],
    ['ssh:berth@hv1.example:2222', { keyPath: '/home/berth/.ssh/key' }],
  ])('has the parts of %s and yields the same address', (text, options) => {
    const address = addressOf(text, { ...options, readOnly: false })
    const read = readStoredHost({ ...STORED, control: storedAddressOf(address) })
    expect(read).toMatchObject({ ok: true, host: { address } })
  })

  it('is read-only by default, and needs no peer', () => {
    const { readOnly: _, ...unsaid } = STORED
    const { policy: _policy, ...rest } = STORED
    expect(readStoredHost(rest)).toMatchObject({ ok: true, host: { policy: PLAIN_POLICY } })
    expect(readStoredHost({ ...unsaid, peer: null })).toMatchObject({
      ok: true,
      host: { address: { readOnly: true }, peerAddress: null, policy: STORED.policy },
    })
  })

  it.each([
    [null, /no libvirt connection/],
    [{ kind: 'openstack' }, /no libvirt connection/],
    [{ ...STORED, control: null }, /no address/],
    [{ ...STORED, control: { ...STORED.control, address: 'qemu+ext:///system?command=x' } }, /is not an address/],
    [{ ...STORED, peer: { ...STORED.peer, pkiPath: '../x' } }, /absolute path/],
    [{ ...STORED, dataAddress: '10.0.0.7/x?y' }, /dataAddress: expected the name or the IP address/],
    [{ ...STORED, policy: { ...STORED.policy, maxDowntimeMs: 0.5 } }, /maxDowntimeMs is a whole number/],
    [{ ...STORED, policy: { ...STORED.policy, tls: 'yes' } }, /tls is true or false/],
    [{ ...STORED, policy: { ...STORED.policy, postCopy: false } }, /needs postCopy/],
    [{ ...STORED, pool: '--all' }, /pool: expected the name of a storage pool/],
    [{ ...STORED, dataAddress: 'a@b' }, /dataAddress: expected the name or the IP address/],
  ])('is refused when its row was edited into %j', (stored, why) => {
    expect(readStoredHost(stored)).toEqual({ ok: false, why: expect.stringMatching(why) })
  })
})
