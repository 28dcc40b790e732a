import type { VmState } from '../change'
import type { HostId } from '../words/ids'

// The power state of an instance, as its hypervisor reports it, beside the recorded vm state. Nova's words for
// power_state; the reasons are libvirt's (`virsh domstate --reason`).

/** unknown: no answer, or the host answered without the instance. */
export const POWER_STATES = ['running', 'paused', 'shutdown', 'crashed', 'unknown'] as const
export type PowerState = (typeof POWER_STATES)[number]

export interface Power {
  readonly state: PowerState
  /** libvirt's reason: `shutdown`, `destroyed`, `crashed`, `saved`, `migrated`, `user` … Null when not reported. */
  readonly reason: string | null
}

/** The last observation of an instance on the host where it is recorded. */
export interface ObservedPower extends Power {
  readonly host: HostId
  /** Its state in the host's last answer. Differs from `state` only while the host does not answer. */
  readonly last: PowerState | null
  /** First survey that showed this state; null when none did. */
  readonly since: number | null
  /** The last survey that showed it; ms since the epoch. */
  readonly observedAt: number | null
  /** Observed after the record of the instance was last written; an older observation proves nothing about it. */
  readonly current: boolean
  /** It ran when its host was last seen before its instances went off. */
  readonly ranBefore: boolean
}

/** The domain has no memory: a start boots it. */
export const isOff = (state: PowerState): boolean => state === 'shutdown' || state === 'crashed'

/** The power by an answer without it: surveys that were stored before power was observed. */
export function powerOfState(observedState: 'running' | 'stopped' | 'left' | 'shell'): Power {
  if (observedState === 'running') return { state: 'running', reason: null }
  return { state: 'shutdown', reason: observedState === 'left' ? 'migrated' : null }
}

/** How the records and the hypervisor differ about an instance at its recorded host. */
export type PowerMismatch =
  | 'instance-shut-down'
  | 'instance-crashed'
  | 'instance-paused'
  | 'instance-runs-while-paused'
  | 'instance-runs-while-stopped'

const MISMATCHES: { readonly [V in VmState]?: Partial<Record<PowerState, PowerMismatch>> } = {
  active: { shutdown: 'instance-shut-down', crashed: 'instance-crashed', paused: 'instance-paused' },
  paused: { running: 'instance-runs-while-paused', shutdown: 'instance-shut-down', crashed: 'instance-crashed' },
  stopped: { running: 'instance-runs-while-stopped', paused: 'instance-runs-while-stopped' },
}

/** Null when both agree, or when one of them says nothing about power. */
export function powerMismatch(vmState: VmState, state: PowerState): PowerMismatch | null {
  return MISMATCHES[vmState]?.[state] ?? null
}

/** The power that the vm state implies; ready to print. */
export const EXPECTED_POWER: { readonly [V in VmState]?: string } = {
  active: 'running',
  paused: 'paused',
  stopped: 'shut down',
}

const POWER_TEXT: Readonly<Record<PowerState, string>> = {
  running: 'running',
  paused: 'paused',
  shutdown: 'shut down',
  crashed: 'crashed',
  unknown: 'unknown',
}

/** `shut down (destroyed)`. A reason that only repeats the state is omitted. */
export function powerText({ state, reason }: Power): string {
  const says = reason === null || reason === state || reason === 'unknown'
  return says ? POWER_TEXT[state] : `${POWER_TEXT[state]} (${reason})`
}
