import { otherSide } from '../words/side'
import type { Fact } from './facts'
import { operationRow } from './operations'
import type { Migration, Side } from './state'

// Decides `switch` from the observation of both sides (L6): a domain is started on one side only when it certainly does
// not run on the other. No answer does not prove that; fenced and lost do.

/** The observed state on one side. `lost`: the host never returns, or there is no such side. */
export type SideState = 'running' | 'stopped' | 'left' | 'shell' | 'absent' | 'silent' | 'fenced' | 'lost'
export type SideStates = { readonly [S in Side]: SideState }

export type SideDecision =
  /** Have the driver run the instance on the side that the migration goes to. */
  | { readonly do: 'run' }
  /** Nothing can be started there and nothing runs elsewhere: only the records need updating. */
  | { readonly do: 'agree' }
  | { readonly do: 'wait'; readonly side: Side }
  | { readonly do: 'report'; readonly fact: Fact }

export function switchDecision(migration: Migration, at: SideStates): SideDecision {
  // If it runs on the right side, it runs nowhere else, whether or not the other side answers.
  if (at[migration.direction] === 'running') return { do: 'run' }
  return migration.direction === 'target' ? forward(migration, at) : back(migration, at)
}

/** Which sides the driver operation must query, so that it neither trusts a silent side nor waits for a dead one. */
export function reachOf(migration: Migration, at: SideStates): { readonly source: boolean; readonly target: boolean } {
  const settled = at[migration.direction] === 'running'
  const asks = (side: Side) => !isOut(at[side]) && !(settled && at[side] === 'silent')
  return { source: asks('source'), target: asks('target') }
}

function forward(m: Migration, at: SideStates): SideDecision {
  const live = operationRow(m.operation).transfer === 'memory'
  if (isOut(at.target)) {
    // Only that side has the newest state; an evacuation can recover it, an old copy cannot.
    return m.handedOver ? { do: 'agree' } : failed('the target host is fenced or permanently lost')
  }
  if (at.target === 'silent') return { do: 'wait', side: 'target' }
  if (at.source === 'silent') return { do: 'wait', side: 'source' }
  if (live && (at.source === 'running' || !(m.handedOver || hasLeft(at)))) {
    return failed('the instance did not arrive on the target')
  }
  return { do: 'run' }
}

function back(m: Migration, at: SideStates): SideDecision {
  const live = operationRow(m.operation).transfer === 'memory'
  if (live && hasLeft(at)) return noWayBack('the instance had already been switched')
  const unseen = live ? unobservedSide(m, at) : null
  if (unseen !== null) return { do: 'wait', side: unseen }
  if (isOut(at.source) || at.source === 'absent') {
    // Nothing can be started there: an evacuation that failed, an unshelve, a failed build.
    if (at.target === 'silent') return { do: 'wait', side: 'target' }
    if (at.target === 'running') return noWayBack('the instance runs on the target and nothing is left on the source')
    // Switched before, then requested to roll back to a host that died: the target still has the whole instance.
    if (m.home === 'target' && !isOut(at.target)) return noWayBack('nothing is left on the source')
    // The source never returns, and the disk at the target is whole: there is no other copy to return to.
    if (hasLastCopy(m, at)) return noWayBack('the source is permanently lost, and the target has a complete copy')
    return { do: 'agree' }
  }
  if (at.source === 'silent') return { do: 'wait', side: 'source' }
  if (at.target === 'silent') return { do: 'wait', side: 'target' }
  return { do: 'run' }
}

/** Such a side certainly runs nothing. */
const isOut = (standing: SideState) => standing === 'fenced' || standing === 'lost'

// Both hosts died during the transfer: only the sides themselves, when one returns, show whether the instance had been
// handed over. A guess could start an old copy and delete the new one.
function unobservedSide(m: Migration, at: SideStates): Side | null {
  if (m.cause?.step === 'prepare' || !isOut(at.source) || !isOut(at.target)) return null
  if (at.target === 'fenced') return 'target'
  return at.source === 'fenced' ? 'source' : null
}

const hasLastCopy = (m: Migration, at: SideStates) =>
  operationRow(m.operation).transfer === 'disk' && at.source === 'lost' && at.target === 'stopped'

/** A live-migrating instance was handed over, even if it has died since: the copy at the source is old. */
const hasLeft = (at: SideStates) => at.source === 'left' || at.target === 'running' || at.target === 'stopped'

const failed = (why: string): SideDecision => ({ do: 'report', fact: { is: 'failed', step: 'switch', why } })
const noWayBack = (why: string): SideDecision => ({ do: 'report', fact: { is: 'no-way-back', why } })

/** The side that a release cleans up: the one that is not current. */
export const sideToClean = (migration: Migration): Side => otherSide(migration.home)
