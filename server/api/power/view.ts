import type { Instance } from '../../engine/books'
import { powerMismatch } from '../../engine/power/state'
import type { PowerView } from './contract'

/** Null while the host it lives on was never surveyed, or it lives on none, and nothing was asked. */
export function powerView({ power, powerRequest, vmState }: Instance): PowerView | null {
  if (!power && !powerRequest) return null
  const { state, reason, last, since, observedAt } = power ?? NOTHING_SEEN
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

const NOTHING_SEEN = { state: 'unknown', reason: null, last: null, since: null, observedAt: null } as const
