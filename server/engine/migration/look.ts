import type { Fact } from './facts'
import { otherSide } from './machine'
import { operationRow } from './operations'
import type { Migration, Side } from './state'

// What `switch` does once it has looked (L6). The rule behind every line: start a guest on one side only when it is
// certain that it does not run on the other. Nobody answered is not nowhere; fenced and gone are.

/** What is known of the guest on one side. `dead`: the host is fenced or gone, or there is no such side. */
export type Standing = 'running' | 'stopped' | 'left' | 'shell' | 'absent' | 'silent' | 'dead'
export type Standings = { readonly [S in Side]: Standing }

export type Course =
  /** Ask the driver to make the guest run at the side it is heading to. */
  | { readonly do: 'run' }
  /** Nothing can be started there and nothing runs elsewhere: only the books have to agree. */
  | { readonly do: 'agree' }
  | { readonly do: 'wait'; readonly side: Side }
  | { readonly do: 'report'; readonly fact: Fact }

export function courseOf(migration: Migration, at: Standings): Course {
  // Seen running where it should be, it runs nowhere else, whether or not the other side answers.
  if (at[migration.heading] === 'running') return { do: 'run' }
  return migration.heading === 'target' ? forward(migration, at) : back(migration, at)
}

/** Which sides the verb must ask, so that it neither trusts a silent side nor waits for a dead one. */
export function reachOf(migration: Migration, at: Standings): { readonly source: boolean; readonly target: boolean } {
  const settled = at[migration.heading] === 'running'
  const asks = (side: Side) => at[side] !== 'dead' && !(settled && at[side] === 'silent')
  return { source: asks('source'), target: asks('target') }
}

function forward(m: Migration, at: Standings): Course {
  const live = operationRow(m.operation).transfer === 'memory'
  if (at.target === 'dead') {
    // Its newest state is there and nowhere else: an evacuation can bring it back, an old copy cannot.
    return m.handedOver ? { do: 'agree' } : failed('the target host is fenced or gone')
  }
  if (at.target === 'silent') return { do: 'wait', side: 'target' }
  if (at.source === 'silent') return { do: 'wait', side: 'source' }
  if (live && (at.source === 'running' || !(m.handedOver || hasLeft(at)))) {
    return failed('the guest did not arrive at the target')
  }
  return { do: 'run' }
}

function back(m: Migration, at: Standings): Course {
  const live = operationRow(m.operation).transfer === 'memory'
  if (live && hasLeft(at)) return noWayBack('the guest had already been handed over')
  if (at.source === 'dead' || at.source === 'absent') {
    // Nothing can be started there: an evacuation that failed, an unshelve, a build that had come to nothing.
    if (at.target === 'silent') return { do: 'wait', side: 'target' }
    if (at.target === 'running') return noWayBack('the guest runs at the target and nothing is left at the source')
    // Switched before, then asked to go back to a host that died: the guest still has everything at the target.
    if (m.home === 'target' && at.target !== 'dead') return noWayBack('nothing is left at the source')
    return { do: 'agree' }
  }
  if (at.source === 'silent') return { do: 'wait', side: 'source' }
  if (at.target === 'silent') return { do: 'wait', side: 'target' }
  return { do: 'run' }
}

/** A live guest was handed over, even when it has died since: what is left at the source is old. */
const hasLeft = (at: Standings) => at.source === 'left' || at.target === 'running' || at.target === 'stopped'

const failed = (why: string): Course => ({ do: 'report', fact: { is: 'failed', step: 'switch', why } })
const noWayBack = (why: string): Course => ({ do: 'report', fact: { is: 'no-way-back', why } })

/** The side a release cleans: the one that is not home. */
export const sideToClean = (migration: Migration): Side => otherSide(migration.home)
