import { describeAddress, type HypervisorAddress, parseAddress } from '../drivers/libvirt/address'
import { connectHypervisor } from '../drivers/libvirt/connect'
import type { HypervisorConnection } from '../drivers/libvirt/connection'
import type { MigrationPolicy } from '../drivers/libvirt/control'
import { HypervisorError, type HypervisorErrorKind } from '../drivers/libvirt/errors'
import { readFreePages, readInventory } from '../drivers/libvirt/inventory'
import { policyOf } from '../drivers/libvirt/policy'
import { readStoredHost, type StoredHost, storedAddressOf } from '../drivers/libvirt/stored-host'
import { parseCpuList } from '../engine/topology/cpu/cpu-list'
import type { HypervisorOrder } from '../import/arguments'
import { type HypervisorHost, readHypervisor } from '../import/hypervisor'
import { type ProbeResult, previewLines, probeLines } from '../import/hypervisor-report'
import { type Imported, problem } from '../import/issue'
import type { Fleet } from '../import/register'
import { onStorage } from '../import/shared-storage'

// `npm run import -- host --connect …`: asks a host's own libvirt, read-only, and says what it is and would become.

export interface ConnectedHost extends Imported<Fleet> {
  /** What was found, for whoever typed the command. */
  readonly lines: readonly string[]
  /** How Berth is to reach the host from then on; null when nothing is to be imported. */
  readonly connection: StoredHost | null
}

export async function connectHost(order: HypervisorOrder): Promise<ConnectedHost> {
  const dedicated = parseCpuList(order.dedicated)
  if (dedicated === null)
    return nothing(problem('--dedicated', `"${order.dedicated}" is no list of CPUs`, 'write it like 2-15,^8'))
  const parsed = parseAddress(order.connect, {
    daemon: order.session ? 'session' : 'system',
    readOnly: true,
    ...(order.pki === null ? {} : { pkiPath: order.pki }),
    ...(order.key === null ? {} : { keyPath: order.key }),
  })
  if (!parsed.ok) return nothing(problem('--connect', parsed.why, 'correct the address'))
  const { address } = parsed
  const policy = policyOf(order.migration)
  if (typeof policy === 'string') return nothing(problem('--migration', policy, 'correct it'))
  const stored = storedHostOf(order, address, policy)
  if (typeof stored === 'string') return nothing(problem('--peer', stored, 'correct the address'))
  let connection: HypervisorConnection | null = null
  try {
    connection = await connectHypervisor(address, order.client)
    const { libvirt, hypervisor } = await connection.versions()
    const { value, issues } = readHypervisor(await readInventory(connection), {
      name: order.name,
      dedicated: new Set(dedicated),
    })
    if (value === null) return { value: null, issues, lines: [], connection: null }
    const probe: ProbeResult = {
      ...{ address: describeAddress(address), client: order.client, readOnly: address.readOnly, libvirt, hypervisor },
      freePages: await readFreePages(connection, poolsOf(value)),
    }
    const lines = [...probeLines(probe), ...previewLines(value, probe)]
    return { value: fleetOf(value, order), issues, lines, connection: stored }
  } catch (error) {
    if (!(error instanceof HypervisorError)) throw error
    return nothing(problem(describeAddress(address), `${WHAT[error.kind]}: ${error.message}`, TO_DO[error.kind]))
  } finally {
    await connection?.close()
  }
}

const nothing = (issue: ReturnType<typeof problem>): ConnectedHost => ({
  ...{ value: null, issues: [issue], lines: [], connection: null },
})

/** Its parts, or what is wrong with them. */
function storedHostOf(
  order: HypervisorOrder,
  address: HypervisorAddress,
  policy: MigrationPolicy,
): StoredHost | string {
  const { client, control, session, dataAddress } = order
  const peer =
    order.peer === null
      ? null
      : parseAddress(order.peer, {
          daemon: session ? 'session' : 'system',
          ...(order.peerPki !== null && { pkiPath: order.peerPki }),
        })
  if (peer && !peer.ok) return peer.why
  const parts = { control: storedAddressOf(address), peer: peer && storedAddressOf(peer.address), dataAddress }
  const stored = { kind: 'libvirt', client, readOnly: !control, ...parts, policy } as const
  const read = readStoredHost(stored)
  return read.ok ? stored : read.why
}

const WHAT: Readonly<Record<HypervisorErrorKind, string>> = {
  unreachable: 'not reached',
  'not-authenticated': 'reached, but not authenticated',
  'timed-out': 'reached, but it does not answer in time',
  protocol: 'reached, but what answers is no libvirt',
  closed: 'the connection was lost',
  refused: 'libvirt refused',
}

const TO_DO: Readonly<Record<HypervisorErrorKind, string>> = {
  unreachable: 'check that the daemon runs, and the path or the host and its port',
  'not-authenticated': 'check the certificate and who may connect: tls_allowed_dn_list, or the group of the socket',
  'timed-out': 'look at the daemon on the host; nothing was changed',
  protocol: 'check the address',
  closed: 'look at the daemon on the host and try again',
  refused: 'look at what it says',
}

const poolsOf = ({ cells }: HypervisorHost) =>
  cells.flatMap((cell) => cell.pages.map(({ sizeKib }) => ({ node: cell.id, sizeKib })))

function fleetOf({ spec }: HypervisorHost, { storage }: HypervisorOrder): Fleet {
  const host = storage === undefined ? spec : onStorage(spec, storage)
  return { hosts: [host], workloads: [], aliases: [], flavors: [], order: 'fill' }
}
