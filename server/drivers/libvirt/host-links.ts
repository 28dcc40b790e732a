import { isDeepStrictEqual } from 'node:util'
import type { HostId } from '../../engine/words/ids'
import type { HypervisorAddress } from './address'
import { connectHypervisor, type HypervisorClient } from './connect'
import type { HypervisorConnection } from './connection'
import type { MigrationPolicy } from './control'
import { HypervisorError } from './errors'
import { childNamed, textIn } from './xml/edit'
import { parseXmlTree } from './xml/tree'

// The connections of a driver: one per host for reads and changes, kept open, and a separate one for each running
// migration, which would otherwise occupy a slot of the shared one until its end. A host's address is read at every
// call: an operator's change, such as whether Berth may control the host, applies from the next call on.

export interface LibvirtHost {
  readonly address: HypervisorAddress
  /** Address for the daemons of other hosts; null: no live migration to this host. */
  readonly peerAddress: HypervisorAddress | null
  /** Network address for the memory of migrations; null: the address that its daemon names. */
  readonly dataAddress: string | null
  /** The storage pool in which Berth creates root disks; null: a domain's disks are those of its machine. */
  readonly pool: string | null
  readonly client: HypervisorClient
  /** libvirt's uuid of the machine; null: unknown, and not checked. */
  readonly machine: string | null
  readonly policy: MigrationPolicy
}

export type ReadHost = { readonly ok: true; readonly host: LibvirtHost } | { readonly ok: false; readonly why: string }

/** No answer, or not a complete one: the call may have happened. */
export class HostSilence extends Error {
  readonly host: HostId

  constructor(host: HostId, why: string) {
    super(why)
    this.name = 'HostSilence'
    this.host = host
  }
}

export interface HostLinks {
  /** Calls over the shared connection. Throws HostSilence, or a HypervisorError of the kind `refused`. */
  at<T>(host: HostId, ask: (connection: HypervisorConnection) => Promise<T>): Promise<T>
  /** A separate connection; the caller closes it. */
  open(host: HostId): Promise<HypervisorConnection>
  hostOf(host: HostId): Promise<LibvirtHost>
  close(): Promise<void>
}

type HostEndpoint = Pick<LibvirtHost, 'address' | 'client' | 'machine'>

interface SharedLink {
  readonly way: HostEndpoint
  readonly connection: Promise<HypervisorConnection>
}

export type FindHost = (host: HostId) => Promise<ReadHost>

export function hostLinks(find: FindHost): HostLinks {
  const shared = new Map<HostId, SharedLink>()
  const hostOf = async (host: HostId) => {
    const found = await find(host)
    if (!found.ok) throw new HostSilence(host, found.why)
    return found.host
  }
  const connect = (host: HostId, way: HostEndpoint) => rethrowAsSilence(host, connectMachine(way))
  const leave = (known: SharedLink | undefined) => {
    known?.connection.then((connection) => connection.close()).catch(() => {}) // it may have failed to open
  }
  const link = async (host: HostId): Promise<HypervisorConnection> => {
    const { address, client, machine } = await hostOf(host).catch((error: unknown) => {
      // Its connection was removed, or cannot be read any more: nothing may stay open.
      if (error instanceof HostSilence) {
        leave(shared.get(host))
        shared.delete(host)
      }
      throw error
    })
    const way = { address, client, machine }
    const known = shared.get(host)
    if (known && isDeepStrictEqual(known.way, way)) return known.connection
    const opened = { way, connection: connect(host, way) }
    shared.set(host, opened)
    const forget = () => {
      if (shared.get(host) === opened) shared.delete(host)
    }
    opened.connection.then((connection) => connection.ended.then(forget)).catch(forget)
    leave(known)
    return opened.connection
  }
  return {
    at: async (host, ask) => rethrowAsSilence(host, ask(await link(host))),
    open: async (host) => connect(host, await hostOf(host)),
    hostOf,
    async close() {
      const open = [...shared.values()].map(({ connection }) => connection)
      shared.clear()
      for (const each of await Promise.allSettled(open)) if (each.status === 'fulfilled') await each.value.close()
    },
  }
}

/**
 * Another machine may have the address now. It would not know the host's domains, and they could be started a second
 * time elsewhere: whatever it answers says nothing about the host.
 */
async function connectMachine({ address, client, machine }: HostEndpoint): Promise<HypervisorConnection> {
  const connection = await connectHypervisor(address, client)
  try {
    const answering = machine === null ? null : machineIn(await connection.capabilities())
    if (answering !== machine)
      throw new HypervisorError('unreachable', `another machine answers there: ${answering}, not ${machine}`)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** `unknown` when it does not report its uuid. */
function machineIn(capabilities: string): string {
  const read = parseXmlTree(capabilities)
  return textIn(childNamed(childNamed(read.ok ? read.root : null, 'host'), 'uuid')) || 'unknown'
}

async function rethrowAsSilence<T>(host: HostId, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof HypervisorError && error.kind !== 'refused') throw new HostSilence(host, error.message)
    throw error
  }
}
