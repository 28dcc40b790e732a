// State and reason of a domain in the words of `virsh domstate --reason`. The index in a list is libvirt's number.
// Source: libvirt-domain.h, virDomainState and virDomain…Reason; tools/virsh-domain-monitor.c, virshDomainState.

export type DomainState =
  | 'no state'
  | 'running'
  | 'idle'
  | 'paused'
  | 'in shutdown'
  | 'shut off'
  | 'crashed'
  | 'pmsuspended'

export interface DomainStatus {
  readonly state: DomainState
  /** `booted`, `migrated`, `migrating`, `post-copy` …; `unknown` also for a reason that is newer than this list. */
  readonly reason: string
}

const RUNNING = [
  ...['unknown', 'booted', 'migrated', 'restored', 'from snapshot', 'unpaused', 'migration canceled'],
  ...['save canceled', 'event wakeup', 'crashed', 'post-copy', 'post-copy failed'],
]
const PAUSED = [
  ...['unknown', 'user', 'migrating', 'saving', 'dumping', 'I/O error', 'watchdog', 'from snapshot', 'shutting down'],
  ...['creating snapshot', 'crashed', 'starting up', 'post-copy', 'post-copy failed', 'api error'],
]
const SHUT_OFF = [
  ...['unknown', 'shutdown', 'destroyed', 'crashed', 'migrated', 'saved', 'failed', 'from snapshot', 'daemon'],
]

const STATES: readonly (readonly [DomainState, readonly string[]])[] = [
  ['no state', ['unknown']],
  ['running', RUNNING],
  ['idle', ['unknown']],
  ['paused', PAUSED],
  ['in shutdown', ['unknown', 'user']],
  ['shut off', SHUT_OFF],
  ['crashed', ['unknown', 'panicked']],
  ['pmsuspended', ['unknown']],
]

export function statusOfCodes(state: number, reason: number): DomainStatus {
  const [word, reasons] = STATES[state] ?? ['no state', []]
  return { state: word, reason: reasons[reason] ?? 'unknown' }
}

/** Parses `running (booted)`; null for anything else. */
export function statusOfText(text: string): DomainStatus | null {
  const [, state, reason = ''] = /^(.+?) \((.+)\)$/.exec(text.trim()) ?? []
  const row = STATES.find(([word]) => word === state)
  return row ? { state: row[0], reason: row[1].includes(reason) ? reason : 'unknown' } : null
}
