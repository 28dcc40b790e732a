import type { Line } from '../rows'
import type { HostId } from '../words/ids'

// A list of hosts that are converted one after the other. It stops at the first failure and resumes from there.

export const WAVE_STATES = ['running', 'paused', 'stopped', 'done'] as const
export type WaveState = (typeof WAVE_STATES)[number]

export interface Wave {
  readonly id: string
  readonly hosts: readonly HostId[]
  readonly by: string
  readonly reason: string
  readonly at: number
  readonly state: WaveState
  /** Index in `hosts` of the current one. */
  readonly next: number
  readonly healed: number
  /** Already nested at their turn. */
  readonly skipped: number
  /** Stayed flat, with the reason on their marker. */
  readonly blocked: number
  /** The host at which it stopped because of a failure. */
  readonly failed: HostId | null
  readonly why: string | null
}

export type WaveOutcome = 'healed' | 'skipped' | 'blocked'
export const WAVE_STEERS = ['pause', 'resume', 'stop'] as const
export type WaveSteer = (typeof WAVE_STEERS)[number]

export const newWave = (made: Pick<Wave, 'id' | 'hosts' | 'by' | 'reason' | 'at'>): Wave => ({
  ...made,
  state: made.hosts.length === 0 ? 'done' : 'running',
  ...{ next: 0, healed: 0, skipped: 0, blocked: 0, failed: null, why: null },
})

/** Its next host, while it runs. */
export const waveHost = (wave: Wave): HostId | null =>
  wave.state === 'running' ? (wave.hosts[wave.next] ?? null) : null

export function advanced(wave: Wave, outcome: WaveOutcome): Wave {
  const next = wave.next + 1
  return { ...wave, next, [outcome]: wave[outcome] + 1, state: next === wave.hosts.length ? 'done' : wave.state }
}

/** The host keeps its turn, so that resuming retries it. */
export const failedAt = (wave: Wave, host: HostId, why: string): Wave => ({
  ...wave,
  state: 'stopped',
  failed: host,
  why,
})

/** Whether it may still continue: another rollout can start only after it ends or is stopped. */
export const isOpen = (wave: Wave): boolean =>
  wave.state === 'running' || wave.state === 'paused' || (wave.state === 'stopped' && wave.failed !== null)

/** The rollout after an action, or why not. One stopped by an operator is over; one that failed may be resumed. */
export function steered(wave: Wave, steer: WaveSteer): Wave | { readonly why: string } {
  if (!isOpen(wave)) return { why: `The rollout is ${wave.state}.` }
  switch (steer) {
    case 'pause':
      return wave.state === 'running' ? { ...wave, state: 'paused' } : { why: `The rollout is ${wave.state} already.` }
    case 'resume':
      if (wave.state === 'running') return { why: 'The rollout is already running.' }
      return { ...wave, state: 'running', failed: null, why: null }
    case 'stop':
      return { ...wave, state: 'stopped', failed: null }
  }
}

/** Created, changed, or (before equal to after) relied on: a rollout paused meanwhile lets nothing more commit. */
export function waveLine(before: Wave | null, after: Wave): Line {
  const { id, hosts, by, reason, at } = after
  const why = before === null ? `${hosts.length} hosts are converted one at a time.` : 'The rollout continues.'
  const made = before === null ? { made: { hosts, by, reason, at } } : {}
  return {
    row: 'layout-wave',
    key: { id },
    before: before && progressOf(before),
    after: { ...progressOf(after), ...made },
    host: null,
    why,
  }
}

const progressOf = ({ state, next, healed, skipped, blocked, failed, why }: Wave) => {
  return { state, next, healed, skipped, blocked, failed, why }
}
