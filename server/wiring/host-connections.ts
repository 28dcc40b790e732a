import type { DaemonAddress, HostAddition } from '@/forms/connection'
import type { AddHostResult, HostConnections, ProbeReport } from '../api/connection/connections'
import { describeAddress, type HypervisorAddress } from '../drivers/libvirt/address'
import { type StoredHost, storedAddressOf } from '../drivers/libvirt/stored-host'
import type { Actor } from '../engine/change'
import type { HostSpec } from '../engine/host'
import { parseCpuList } from '../engine/topology/cpu/cpu-list'
import { fingerprintOf, readHypervisor } from '../import/hypervisor'
import { previewOf, UNKNOWN } from '../import/hypervisor-report'
import type { Database } from '../store/database/database'
import { type HostConnection, type HostObjection, putHosts } from '../store/host/write'
import { fileNameProblem, filesIn } from './connection-files'
import { probeHost } from './host-probe'

// How real hosts are added from the console.

export interface ConnectionParts {
  readonly database: Database
  /** The folders that hold files which connections may name. */
  readonly folders: readonly string[]
  readonly limitMs?: number
}

const PROBES_AT_ONCE = 4 // each holds a connection to a host, with its ssh process or handshake
const PLAIN = { name: null, dedicated: new Set<number>(), pool: null }

export function openHostConnections({ database, folders, ...limits }: ConnectionParts): HostConnections {
  let running = 0
  return {
    files: () => filesIn(folders),
    refusalOf: (address) => fileNameProblem(address, folders),
    probe(address, signal) {
      if (running >= PROBES_AT_ONCE) return null
      running++
      return reports(addressOf(address), { ...limits, ...(signal && { signal }), onEnd: () => running-- })
    },
    async add(addition, trail) {
      const address = addressOf(addition.address)
      const pool = addition.control?.pool ?? null
      const read = await probeHost(address, { ...PLAIN, pool, ...limits })
      if (!read.ok) return { did: 'unread', failed: read.failed }
      const { host, answers } = read.probed
      const previewed = readHypervisor({ ...answers, pool: null }, PLAIN).value // a preview has no pool yet
      if (previewed === null || fingerprintOf(previewed) !== addition.fingerprint) return { did: 'changed' }
      if (pool !== null && answers.pool === null)
        return refused('an active storage pool', `no pool ${pool}`, 'Start the pool on the host, or correct its name.')
      const dedicated = parseCpuList(addition.dedicated)
      if (dedicated === null) return refused('a list of CPUs', `"${addition.dedicated}"`, 'Write it like 2-15,^8.')
      const named = readHypervisor(answers, { name: addition.name, dedicated: new Set(dedicated) })
      const wrong = named.issues.find(({ level, where }) => level === 'error' && where === 'capabilities')
      if (named.value === null || wrong)
        return refused('CPUs of the host', wrong?.what ?? 'others', 'Correct the list of dedicated CPUs.')
      return put(database, { spec: named.value.spec, connection: connectionOf(addition, host.machine), ...trail })
    },
  }
}

const addressOf = (address: DaemonAddress): HypervisorAddress => ({ ...address, readOnly: true })

const refused = (need: string, have: string, next: string): AddHostResult => ({ did: 'refused', need, have, next })

interface ReportOptions extends Pick<ConnectionParts, 'limitMs'> {
  readonly signal?: AbortSignal
  readonly onEnd: () => void
}

/** The probe ends when its reader stops reading. */
function reports(address: HypervisorAddress, { onEnd, signal, ...limits }: ReportOptions): AsyncIterable<ProbeReport> {
  const left = new AbortController()
  const ended = signal ? AbortSignal.any([signal, left.signal]) : left.signal
  const report = { address: describeAddress(address), unknown: UNKNOWN }
  return new ReadableStream<ProbeReport>({
    async start(controller) {
      let steps: ProbeReport['steps'] = []
      const tell = (now: ProbeReport['steps'], preview: ProbeReport['preview'] = null) => {
        steps = now
        if (!ended.aborted) controller.enqueue({ ...report, steps, preview })
      }
      const answer = await probeHost(address, { ...PLAIN, ...limits, signal: ended, onReport: tell }).finally(onEnd)
      if (answer.ok) tell(steps, previewOf(answer.probed.host, answer.probed))
      if (!left.signal.aborted) controller.close()
    },
    cancel: () => left.abort(),
  })
}

function connectionOf({ address, control }: HostAddition, machine: string | null): HostConnection {
  const stored: Omit<StoredHost, 'policy'> = {
    ...{ kind: 'libvirt', client: 'rpc', readOnly: control === null },
    control: storedAddressOf(addressOf(address)),
    peer: control?.peer ? storedAddressOf({ transport: control.peer, daemon: address.daemon, readOnly: false }) : null,
    dataAddress: control?.dataAddress ?? null,
    pool: control?.pool ?? null,
    machine,
  }
  const { readOnly } = stored
  return { stored, readOnly, machine, auditData: { address: describeAddress(addressOf(address)), readOnly } }
}

interface HostPutParts {
  readonly spec: HostSpec
  readonly connection: HostConnection
  readonly actor: Actor
  readonly at: number
}

async function put(database: Database, { spec, connection, actor, at }: HostPutParts): Promise<AddHostResult> {
  const connections = new Map([[spec.frame.id, connection]])
  const [answer] = await putHosts(database, [spec], { actor, at, connections })
  if (answer?.did !== 'refused') return { did: 'added', host: spec.frame.id }
  return refused('a name that is free, or that of the same host', OBJECTIONS[answer.why], NEXT[answer.why])
}

const OBJECTIONS: Readonly<Record<HostObjection, string>> = {
  held: 'the host exists already with other hardware, and instances have claims on it',
  'name-taken': 'another host has this name',
  'other-driver': 'a host of this name exists and is not a libvirt host',
  'other-machine': 'a host of this name exists and is another machine',
  'machine-known': 'this machine is a host already, under another name',
  enabled: 'the host is enabled, and Berth could not carry out what is scheduled there',
}

const RENAME = 'Give the host another name.'
const NEXT: Readonly<Record<HostObjection, string>> = {
  'machine-known':
    'Use the host that has it. If two machines report one uuid, set host_uuid in libvirtd.conf of one of them.',
  held: 'Migrate its instances away first.',
  enabled: 'Disable its scheduling first, or let Berth control it.',
  ...{ 'name-taken': RENAME, 'other-driver': RENAME, 'other-machine': RENAME },
}
