import { z } from 'zod'
import { hostAddress, poolName } from '@/forms/connection'
import { describeAddress, type HypervisorAddress, parseAddress } from './address'
import { CLIENTS } from './connect'
import type { MigrationPolicy } from './control'
import type { ReadHost } from './host-links'
import { readPolicy } from './policy'

// The connection of a host, as stored with it: the parts that were checked on setup, and are checked again when read,
// because a row can be edited without Berth.

const storedAddress = z.object(
  {
    /** As parseAddress reads it: `tls:HOST:PORT`. */
    address: z.string({ error: 'the stored connection has no address' }),
    session: z.boolean().catch(false),
    pkiPath: z.string().nullable().catch(null),
    keyPath: z.string().nullable().catch(null),
  },
  { error: 'the stored connection has no address' },
)
export type StoredAddress = z.infer<typeof storedAddress>

const policy = z
  .unknown()
  .optional()
  .transform((given, context): MigrationPolicy => {
    const read = readPolicy(given)
    if (typeof read !== 'string') return read
    context.issues.push({ code: 'custom', message: read, input: given })
    return z.NEVER
  })

const storedHost = z.object(
  {
    kind: z.literal('libvirt', 'no libvirt connection is set up'),
    client: z.enum(CLIENTS).catch('rpc'),
    /** Berth may not change anything there: the daemon itself refuses it. Only an explicit false permits changes. */
    readOnly: z.boolean().catch(true),
    control: storedAddress,
    /** Address for other hosts' daemons; null: no live migration to this host. */
    peer: storedAddress.nullable().default(null),
    /** Takes the memory of migrations. */
    dataAddress: hostAddress.nullable().default(null),
    /** The storage pool in which Berth makes root disks. */
    pool: poolName.nullable().default(null),
    /** How memory is copied to this host. */
    policy,
    /** libvirt's uuid of the machine: another one with the same name is another host. Null: unknown. */
    machine: z.string().nullable().default(null),
  },
  'no libvirt connection is set up',
)
export type StoredHost = z.infer<typeof storedHost>

export function readStoredHost(stored: unknown): ReadHost {
  const read = storedHost.safeParse(stored)
  if (!read.success) return { ok: false, why: whyNot(read.error) }
  const { readOnly, control, peer, dataAddress, pool, client, machine, policy } = read.data
  const address = addressOf(control, readOnly)
  if (!address.ok) return address
  const peerAddress = peer && addressOf(peer, false)
  if (peerAddress && !peerAddress.ok) return peerAddress
  return {
    ok: true,
    host: {
      ...{ address: address.address, peerAddress: peerAddress?.address ?? null, dataAddress, pool },
      ...{ client, machine, policy },
    },
  }
}

function whyNot({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'the stored connection cannot be read'
  const [part] = issue.path
  return part === 'dataAddress' || part === 'pool' ? `${part}: ${issue.message}` : issue.message
}

const addressOf = ({ address, session, pkiPath, keyPath }: StoredAddress, readOnly: boolean) =>
  parseAddress(address, {
    ...{ daemon: session ? 'session' : 'system', readOnly },
    ...(pkiPath !== null && { pkiPath }),
    ...(keyPath !== null && { keyPath }),
  })

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
