import type { Line } from '../rows'
import type { HostId } from '../words/ids'

// A list of hosts that are converted one after the other. It stops at the first failure and resumes from there.

export const ROLLOUT_STATES = ['running', 'paused', 'stopped', 'done'] as const
export type RolloutState = (typeof ROLLOUT_STATES)[number]

export interface Rollout {
  readonly id: string
  readonly hosts: readonly HostId[]
  readonly by: string
  readonly reason: string
  readonly at: number
  readonly state: RolloutState
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

export type RolloutOutcome = 'healed' | 'skipped' | 'blocked'
export const ROLLOUT_COMMANDS = ['pause', 'resume', 'stop'] as const
export type RolloutCommand = (typeof ROLLOUT_COMMANDS)[number]

export const newRollout = (made: Pick<Rollout, 'id' | 'hosts' | 'by' | 'reason' | 'at'>): Rollout => ({
  ...made,
  state: made.hosts.length === 0 ? 'done' : 'running',
  ...{ next: 0, healed: 0, skipped: 0, blocked: 0, failed: null, why: null },
})

/** Its next host, while it runs. */
export const rolloutHost = (rollout: Rollout): HostId | null =>
  rollout.state === 'running' ? (rollout.hosts[rollout.next] ?? null) : null

export function advanced(rollout: Rollout, outcome: RolloutOutcome): Rollout {
  const next = rollout.next + 1
  return {
    ...rollout,
    next,
    [outcome]: rollout[outcome] + 1,
    state: next === rollout.hosts.length ? 'done' : rollout.state,
  }
}

/** The host keeps its turn, so that resuming retries it. */
export const failedAt = (rollout: Rollout, host: HostId, why: string): Rollout => ({
  ...rollout,
  state: 'stopped',
  failed: host,
  why,
})

/** Whether it may still continue: another rollout can start only after it ends or is stopped. */
export const isOpen = (rollout: Rollout): boolean =>
  rollout.state === 'running' || rollout.state === 'paused' || (rollout.state === 'stopped' && rollout.failed !== null)

/** The rollout after an action, or why not. One stopped by an operator is over; one that failed may be resumed. */
export function commanded(rollout: Rollout, command: RolloutCommand): Rollout | { readonly why: string } {
  if (!isOpen(rollout)) return { why: `The rollout is ${rollout.state}.` }
  switch (command) {
    case 'pause':
      return rollout.state === 'running'
        ? { ...rollout, state: 'paused' }
        : { why: `The rollout is ${rollout.state} already.` }
    case 'resume':
      if (rollout.state === 'running') return { why: 'The rollout is already running.' }
      return { ...rollout, state: 'running', failed: null, why: null }
    case 'stop':
      return { ...rollout, state: 'stopped', failed: null }
  }
}

/** Created, changed, or (before equal to after) relied on, so that nothing commits after a rollout was paused. */
export function rolloutLine(before: Rollout | null, after: Rollout): Line {
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

const progressOf = ({ state, next, healed, skipped, blocked, failed, why }: Rollout) => {
  return { state, next, healed, skipped, blocked, failed, why }
}
