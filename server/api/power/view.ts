import type { Instance } from '../../engine/change'
import type { PowerAction } from '../../engine/power/request'
import { type PowerState, powerMismatch } from '../../engine/power/state'
import type { Ms } from '../plain'

export interface PowerView {
  /** The state that the hypervisor reports; unknown while its host does not answer. */
  readonly state: PowerState
  readonly reason: string | null
  /** The state in the host's last answer; null when it never reported the instance. */
  readonly last: PowerState | null
  /** The first and the last survey that showed it so. */
  readonly since: Ms | null
  readonly observedAt: Ms | null
  /** The mismatch between the records and the hypervisor. */
  readonly differs: boolean
  readonly request: PowerRequestView | null
}

export interface PowerRequestView {
  readonly action: PowerAction
  readonly at: Ms
  /** After this time a stop powers the instance off. */
  readonly hardAt: Ms
  readonly dueAt: Ms
  readonly who: string
  /** Why it failed; null while it is active. */
  readonly failed: { readonly at: Ms; readonly why: string } | null
}

/** Null while its host was never surveyed, or it is on no host, and nothing was requested. */
export function powerView({ power, powerRequest, vmState }: Instance): PowerView | null {
  if (!power && !powerRequest) return null
  const { state, reason, last, since, observedAt } = power ?? UNKNOWN_POWER
  return {
    ...{ state, reason, last, since, observedAt },
    differs: power?.current === true && powerMismatch(vmState, state) !== null,
    request: powerRequest
      ? {
          ...{
            action: powerRequest.action,
            at: powerRequest.at,
            hardAt: powerRequest.hardAt,
            dueAt: powerRequest.dueAt,
          },
          ...{ who: powerRequest.who, failed: powerRequest.failed ?? null },
        }
      : null,
  }
}

const UNKNOWN_POWER = { state: 'unknown', reason: null, last: null, since: null, observedAt: null } as const
