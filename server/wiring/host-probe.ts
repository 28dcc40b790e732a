import { setTimeout } from 'node:timers/promises'
import { PROBE_STEPS, type ProbeStep, type ProbeStepReport } from '../api/connection/connections'
import type { HypervisorAddress, Transport } from '../drivers/libvirt/address'
import { connectHypervisor, type HypervisorClient } from '../drivers/libvirt/connect'
import type { HypervisorConnection } from '../drivers/libvirt/connection'
import { HypervisorError, type HypervisorErrorKind } from '../drivers/libvirt/errors'
import { readFreePages, readInventory } from '../drivers/libvirt/inventory'
import {
  type HypervisorAnswers,
  type HypervisorHost,
  type HypervisorOptions,
  pagePoolsOf,
  readHypervisor,
} from '../import/hypervisor'
import type { ImportIssue } from '../import/issue'

// Queries a host's libvirt over a read-only connection, step by step.

export interface ProbedHost {
  readonly answers: HypervisorAnswers
  readonly host: HypervisorHost
  readonly issues: readonly ImportIssue[]
  readonly freePages: ReadonlyMap<string, number | null>
  readonly versions: { readonly libvirt: string; readonly hypervisor: string }
}

export type HostProbeResult =
  | { readonly ok: true; readonly probed: ProbedHost }
  | { readonly ok: false; readonly failed: ProbeStepReport; readonly issues: readonly ImportIssue[] }

export interface ProbeOptions extends HypervisorOptions {
  /** The storage pool in which to create disks; null: Berth creates none. */
  readonly pool: string | null
  readonly client?: HypervisorClient
  readonly limitMs?: number
  readonly signal?: AbortSignal
  readonly onReport?: (steps: readonly ProbeStepReport[]) => void
}

const PROBE_LIMIT_MS = 30_000 // from the first byte to the last answer; a host with a thousand devices takes two seconds

export async function probeHost(address: HypervisorAddress, options: ProbeOptions): Promise<HostProbeResult> {
  const { limitMs = PROBE_LIMIT_MS, onReport = () => {} } = options
  const over = new AbortController()
  const signal = options.signal ? AbortSignal.any([over.signal, options.signal]) : over.signal
  const steps = stepReports(onReport)
  const closing: HypervisorConnection[] = []
  const asking = ask(address, { ...options, signal, steps, onOpen: (connection) => void closing.push(connection) })
  try {
    return await Promise.race([asking, passed(limitMs, signal)])
  } catch (error) {
    if (!(error instanceof HypervisorError)) throw error
    const { kind, message } = signal.aborted ? CANCELLED : error
    if (SOMEBODY_ANSWERED.has(kind) && steps.running() === 'reach') steps.done('reach', null, 'authenticate')
    return { ok: false, failed: steps.fail(`${WHAT[kind]}: ${message}`, TO_DO[kind]), issues: [] }
  } finally {
    over.abort()
    asking.catch(() => {}) // it runs until its connection is closed; its result is no longer needed
    for (const connection of closing) void connection.close()
  }
}

const SOMEBODY_ANSWERED: ReadonlySet<HypervisorErrorKind> = new Set(['not-authenticated', 'protocol', 'refused'])
const CANCELLED = new HypervisorError('closed', 'the probe was cancelled')

/** Rejects at the deadline, and when the probe is cancelled. */
async function passed(limitMs: number, signal: AbortSignal): Promise<never> {
  await setTimeout(limitMs, undefined, { signal }).catch(() => {
    throw CANCELLED
  })
  throw new HypervisorError('timed-out', `no answer within ${limitMs} ms`)
}

interface AskOptions extends ProbeOptions {
  readonly signal: AbortSignal
  readonly steps: ReturnType<typeof stepReports>
  readonly onOpen: (connection: HypervisorConnection) => void
}

async function ask(address: HypervisorAddress, options: AskOptions): Promise<HostProbeResult> {
  const { client = 'rpc', signal, steps, onOpen } = options
  steps.begin('reach')
  const connection = await connectHypervisor(address, client, {
    signal,
    onStep: (step) => {
      if (step === 'reached') steps.done('reach', null, 'authenticate')
      else steps.done('authenticate', AUTHENTICATED[address.transport.kind], 'versions')
    },
  })
  onOpen(connection)
  const versions = await connection.versions()
  steps.done('versions', `libvirt ${versions.libvirt}, QEMU ${versions.hypervisor}`, 'rights')
  steps.done('rights', address.readOnly ? READ_ONLY : MAY_CHANGE, 'inventory')
  const answers = await readInventory(connection, options.pool)
  const { value, issues } = readHypervisor(answers, options)
  if (value === null) {
    const [first] = issues
    return { ok: false, failed: steps.fail(first?.what ?? 'the host cannot be read', first?.fix ?? ''), issues }
  }
  const freePages = await readFreePages(connection, pagePoolsOf(value))
  steps.done(
    'inventory',
    `NUMA nodes: ${value.numaNodes.length}, devices: ${value.spec.devices.length}, domains: ${value.domains.length}`,
    null,
  )
  return { ok: true, probed: { answers, host: value, issues, freePages, versions } }
}

const READ_ONLY = 'nothing: the connection is read-only, and the daemon refuses every change'
const MAY_CHANGE = 'everything the daemon allows'

const AUTHENTICATED: Readonly<Record<Transport['kind'], string>> = {
  unix: 'by the permissions of the socket, on this machine',
  tls: 'by certificate, encrypted',
  ssh: 'by ssh, encrypted',
}

const WHAT: Readonly<Record<HypervisorErrorKind, string>> = {
  unreachable: 'not reached',
  'not-authenticated': 'reached, but not authenticated',
  'timed-out': 'it does not answer in time',
  protocol: 'reached, but what answers is no libvirt',
  closed: 'the connection was lost',
  refused: 'libvirt refused',
}

const TO_DO: Readonly<Record<HypervisorErrorKind, string>> = {
  unreachable: 'check that the daemon runs, and the path or the host and its port',
  'not-authenticated':
    'check who may connect: tls_allowed_dn_list and the certificate, the key and the known host of ssh, or the group of the socket',
  'timed-out': 'check the daemon on the host, and the network to it',
  protocol: 'check the address; over ssh the host needs virt-ssh-helper',
  closed: 'check the daemon on the host and try again',
  refused: 'check the message of the daemon',
}

/** The reports of all steps, sent again after each change. */
function stepReports(onReport: (steps: readonly ProbeStepReport[]) => void) {
  let steps: readonly ProbeStepReport[] = PROBE_STEPS.map((step) => {
    return { step, state: 'waiting', ms: null, says: null, next: null }
  })
  let began = performance.now()
  const set = (step: ProbeStep, now: Partial<ProbeStepReport>) => {
    steps = steps.map((each) => (each.step === step ? { ...each, ...now } : each))
  }
  const begin = (step: ProbeStep) => {
    began = performance.now()
    set(step, { state: 'running' })
    onReport(steps)
  }
  const took = () => Math.round(performance.now() - began)
  const running = () => steps.find(({ state }) => state === 'running')
  return {
    begin,
    running: () => running()?.step,
    done(step: ProbeStep, says: string | null, next: ProbeStep | null): void {
      set(step, { state: 'done', ms: took(), says })
      if (next === null) onReport(steps)
      else begin(next)
    },
    /** The step that was running. */
    fail(says: string, next: string): ProbeStepReport {
      const at = running() ?? (steps[0] as ProbeStepReport)
      const failed: ProbeStepReport = { ...at, state: 'failed', ms: took(), says, next }
      set(at.step, failed)
      steps = steps.map((each) => (each.state === 'waiting' ? { ...each, state: 'skipped' } : each))
      onReport(steps)
      return failed
    },
  }
}
