import { describeAddress, type HypervisorAddress, parseAddress } from './address'
import type { MigrationPolicy } from './control'
import type { ReadHost } from './host-links'
import { readPolicy } from './policy'

// How a host is reached, as it is stored with the host: the parts that were checked when it was set up, and that are
// checked again when they are read, for a row can be edited behind Berth's back.

export interface StoredAddress {
  /** As parseAddress reads it: `tls:HOST:PORT`. */
  readonly address: string
  readonly session: boolean
  readonly pkiPath: string | null
  readonly keyPath: string | null
}

export interface StoredHost {
  readonly kind: 'libvirt'
  readonly client: 'rpc' | 'virsh'
  /** Berth may not change anything there: the daemon itself is told to refuse it. */
  readonly readOnly: boolean
  readonly control: StoredAddress
  /** As other hosts' daemons reach it; null: no live migration comes here. */
  readonly peer: StoredAddress | null
  /** Takes the memory of migrations. */
  readonly dataAddress: string | null
  /** How memory is copied to this host. */
  readonly policy: MigrationPolicy
}

export function readStoredHost(stored: unknown): ReadHost {
  const host = stored as Partial<StoredHost> | null
  if (host?.kind !== 'libvirt') return { ok: false, why: 'no libvirt connection is set up' }
  const readOnly = host.readOnly !== false
  const control = readStoredAddress(host.control, readOnly)
  if (typeof control === 'string') return { ok: false, why: control }
  const peer = host.peer ? readStoredAddress(host.peer, false) : null
  if (typeof peer === 'string') return { ok: false, why: peer }
  const dataAddress = host.dataAddress ?? null
  if (dataAddress !== null && !isHostName(dataAddress))
    return { ok: false, why: `"${dataAddress}" is no address of a network` }
  const policy = readPolicy(host.policy)
  if (typeof policy === 'string') return { ok: false, why: policy }
  const client = host.client === 'virsh' ? 'virsh' : 'rpc'
  return { ok: true, host: { address: control, peerAddress: peer, dataAddress, client, policy } }
}

function readStoredAddress(stored: unknown, readOnly: boolean): HypervisorAddress | string {
  const { address, session, pkiPath, keyPath } = (stored ?? {}) as Partial<StoredAddress>
  if (typeof address !== 'string') return 'the stored connection has no address'
  const parsed = parseAddress(address, {
    ...{ daemon: session === true ? 'session' : 'system', readOnly },
    ...(typeof pkiPath === 'string' && { pkiPath }),
    ...(typeof keyPath === 'string' && { keyPath }),
  })
  return parsed.ok ? parsed.address : parsed.why
}

// Its parts pass as an address exactly when the name of a host does.
const isHostName = (text: string) => typeof text === 'string' && parseAddress(`ssh:${text}`).ok && !text.includes('@')

/** The parts to store of an address that was checked. */
export function storedAddressOf(address: HypervisorAddress): StoredAddress {
  const { transport, daemon } = address
  return {
    address: describeAddress({ ...address, daemon: 'system' }),
    session: daemon === 'session',
    pkiPath: transport.kind === 'tls' ? transport.pkiPath : null,
    keyPath: transport.kind === 'ssh' ? transport.keyPath : null,
  }
}
