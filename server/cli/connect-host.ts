import { describeAddress, type HypervisorAddress, parseAddress } from '../drivers/libvirt/address'
import type { MigrationPolicy } from '../drivers/libvirt/control'
import { policyOf } from '../drivers/libvirt/policy'
import { readStoredHost, type StoredHost, storedAddressOf } from '../drivers/libvirt/stored-host'
import { parseCpuList } from '../engine/topology/cpu/cpu-list'
import type { HypervisorOrder } from '../import/arguments'
import type { HypervisorHost } from '../import/hypervisor'
import { type ProbeResult, previewLines, previewOf, probeLines } from '../import/hypervisor-report'
import { type ImportResult, problem } from '../import/issue'
import type { Fleet } from '../import/register'
import { onStorage } from '../import/shared-storage'
import { probeHost } from '../wiring/host-probe'

// `npm run import -- host --connect …`: reads a host from its own libvirt, read-only, and previews its import.

export interface ConnectedHost extends ImportResult<Fleet> {
  /** The report for the user of the command. */
  readonly lines: readonly string[]
}

export async function connectHost(order: HypervisorOrder): Promise<ConnectedHost> {
  const dedicated = parseCpuList(order.dedicated)
  if (dedicated === null)
    return nothing(problem('--dedicated', `"${order.dedicated}" is not a list of CPUs`, 'write it like 2-15,^8'))
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
  const { client, name, pool } = order
  const answer = await probeHost(address, { client, name, dedicated: new Set(dedicated), pool })
  if (!answer.ok) {
    const { says, next } = answer.failed
    const issues = answer.issues.length > 0 ? answer.issues : [problem(describeAddress(address), `${says}`, `${next}`)]
    return { value: null, issues, lines: [] }
  }
  const { host, issues, versions, answers } = answer.probed
  if (pool !== null && answers.pool === null)
    return nothing(problem('--pool', `the host has no active storage pool ${pool}`, 'start it, or correct its name'))
  const probe: ProbeResult = { address: describeAddress(address), client, readOnly: address.readOnly, ...versions }
  const lines = [...probeLines(probe), ...previewLines(previewOf(host, answer.probed))]
  return { value: fleetOf(host, { order, stored }), issues, lines }
}

const nothing = (issue: ReturnType<typeof problem>): ConnectedHost => ({ value: null, issues: [issue], lines: [] })

/** The connection of the host as it is stored, or the reason why it is invalid. */
function storedHostOf(
  order: HypervisorOrder,
  address: HypervisorAddress,
  policy: MigrationPolicy,
): StoredHost | string {
  const { client, control, session, dataAddress, pool } = order
  const peer =
    order.peer === null
      ? null
      : parseAddress(order.peer, {
          daemon: session ? 'session' : 'system',
          ...(order.peerPki !== null && { pkiPath: order.peerPki }),
        })
  if (peer && !peer.ok) return peer.why
  const parts = { control: storedAddressOf(address), peer: peer && storedAddressOf(peer.address), dataAddress, pool }
  const stored = { kind: 'libvirt', client, readOnly: !control, ...parts, policy, machine: null } as const
  const read = readStoredHost(stored)
  return read.ok ? stored : read.why
}

interface FleetParts {
  readonly order: HypervisorOrder
  readonly stored: StoredHost
}

function fleetOf({ spec, machine }: HypervisorHost, { order: { storage }, stored }: FleetParts): Fleet {
  const host = storage === undefined ? spec : onStorage(spec, storage)
  const { readOnly } = stored
  const auditData = { address: stored.control.address, readOnly }
  const connections = new Map([[spec.frame.id, { stored: { ...stored, machine }, readOnly, machine, auditData }]])
  return { hosts: [host], workloads: [], aliases: [], flavors: [], order: 'fill', connections }
}
