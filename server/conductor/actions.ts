import type { Answer, TransferAnswer } from '../drivers/driver'
import type { ClaimPlan } from '../engine/claim'
import { type Host, isDead } from '../engine/host'
import type { Fact } from '../engine/migration/facts'
import { operationRow } from '../engine/migration/operations'
import type { Side, Step } from '../engine/migration/state'
import {
  reachOf,
  type SideState,
  type SideStates,
  sideToClean,
  switchDecision,
} from '../engine/migration/switch-decision'
import type { ClaimId, HostId } from '../engine/words/ids'
import { claimAction } from './claiming'
import { driverOperationOf } from './driver-operation'
import { ask, type Effect, type MigrationView } from './effects'
import type { TickOptions } from './options'

// The action of each step: which driver operation it runs, and which fact the answer is. Actions do not decide the
// migration's next state; the state machine does.

export type StepAction =
  | {
      readonly kind: 'fact'
      readonly fact: Fact
      /** Given with the fact `claimed`. */
      readonly claim: { readonly id: ClaimId; readonly plan: ClaimPlan } | null
      /** The records that the action was decided on, when newer than the tick's. */
      readonly view?: MigrationView
    }
  /** Nothing to do until the row changes or its time comes. */
  | { readonly kind: 'nothing' }

export type ActionGenerator = Generator<Effect, StepAction, unknown>

export function* actionOf(view: MigrationView, options: TickOptions): ActionGenerator {
  switch (view.migration.step) {
    case 'claim':
      return view.migration.requestedAction === null
        ? yield* claimAction(view, options)
        : report({ is: 'action-accepted' })
    case 'prepare':
      return view.migration.requestedAction === null ? yield* prepareAction(view) : report({ is: 'action-accepted' })
    case 'transfer':
      return yield* transferAction(view)
    case 'switch':
      return yield* switchAction(view)
    case 'verify':
      return yield* verifyAction(view)
    case 'release':
      return yield* releaseAction(view)
    case 'ended':
      return { kind: 'nothing' }
    default:
      return view.migration.step satisfies never
  }
}

export const report = (fact: Fact): StepAction => ({ kind: 'fact', fact, claim: null })

function* prepareAction(view: MigrationView): ActionGenerator {
  const obstacle = obstacleTo(view)
  if (obstacle !== null) return report(obstacle)
  const answer = yield* ask('prepare', { driverOperation: driverOperationOf(view, reachNow(view)) })
  return fromAnswer(answer, 'prepare', view.migration.target)
}

function* transferAction(view: MigrationView): ActionGenerator {
  const { migration: m } = view
  const obstacle = obstacleTo(view)
  if (obstacle !== null) return report(obstacle)
  const driverOperation = driverOperationOf(view, reachNow(view))
  if (m.requestedAction === 'abort' && operationRow(m.operation).abortWhile.includes('transfer')) {
    const answer = yield* ask('stopTransfer', { driverOperation })
    if (answer.did === 'done') return report({ is: 'stopped' })
    if (answer.did !== 'failed') return fromAnswer(answer, 'transfer', m.source)
    // The transfer can no longer be stopped; the poll below reports its progress.
  } else if (m.requestedAction === 'force-complete') {
    const answer = yield* ask('forceTransfer', { driverOperation })
    if (answer.did === 'done') return report({ is: 'forced' })
    if (answer.did !== 'failed') return fromAnswer(answer, 'transfer', m.source)
  } else if (m.requestedAction !== null) return report({ is: 'action-accepted' })
  const answer = yield* ask('transfer', { driverOperation })
  if (answer.did !== 'running') return fromAnswer(answer, 'transfer', m.source ?? m.target)
  return report({ is: 'moving', progress: answer.progress, handedOver: answer.handedOver })
}

function* switchAction(view: MigrationView): ActionGenerator {
  const { migration: m } = view
  const stopped = yield* stopBeforeObserving(view)
  if (stopped !== null && stopped.did !== 'done' && stopped.did !== 'failed') {
    return fromAnswer(stopped, 'switch', m.source)
  }
  const at = yield* locateDomain(view)
  const course = switchDecision(m, at)
  switch (course.do) {
    case 'run': {
      if (isUnclean(view[m.direction])) return silent(m[m.direction], UNCLEAN)
      const answer = yield* ask('runAt', {
        driverOperation: driverOperationOf(view, reachOf(m, at)),
        side: m.direction,
      })
      return fromAnswer(answer, 'switch', m[m.direction])
    }
    case 'agree':
      return report({ is: 'done', step: 'switch' })
    case 'wait':
      return silent(m[course.side], 'the host does not answer, so the instance may still run there')
    case 'report':
      return report(course.fact)
    default:
      return course satisfies never
  }
}

// A running live transfer could switch the instance between the observation and the start of the old copy. Whether the
// stop was in time does not matter: afterwards, the observation stays true.
function* stopBeforeObserving(view: MigrationView): Generator<Effect, Answer | null, unknown> {
  const { direction, operation } = view.migration
  const mayHandOver = direction === 'source' && operationRow(operation).transfer === 'memory'
  if (!mayHandOver || knownStanding(view, 'source') !== null) return null
  return yield* ask('stopTransfer', { driverOperation: driverOperationOf(view, { source: true, target: false }) })
}

/** Where the domain really is (L6). Hosts that are dead or marked down are not queried. */
function* locateDomain(view: MigrationView): Generator<Effect, SideStates, unknown> {
  const source = knownStanding(view, 'source')
  const target = knownStanding(view, 'target')
  if (source !== null && target !== null) return { source, target }
  const seen = yield* ask('locate', {
    driverOperation: driverOperationOf(view, { source: source === null, target: target === null }),
  })
  return { source: source ?? seen.source, target: target ?? seen.target }
}

/** The result from the records alone; null when the host can be queried. A missing side runs nothing. */
function knownStanding(view: MigrationView, side: Side): Extract<SideState, 'fenced' | 'lost' | 'silent'> | null {
  const host = view[side]
  // A missing record does not mean that the host is permanently lost.
  if (host === null) return view.migration[side] === null ? 'lost' : 'silent'
  if (isDead(host.status)) return host.status === 'lost' ? 'lost' : 'fenced'
  return host.status === 'down' ? 'silent' : null
}

function* verifyAction(view: MigrationView): ActionGenerator {
  if (isHomeLost(view)) return report(LOST)
  const { requestedAction, dueAt } = view.migration
  if (requestedAction !== null) return report({ is: 'action-accepted' })
  const now = yield* ask('now', {})
  return report({ is: dueAt !== null && dueAt <= now ? 'window-over' : 'undecided' })
}

function* releaseAction(view: MigrationView): ActionGenerator {
  const side = sideToClean(view.migration)
  const standing = knownStanding(view, side)
  // A dead host blocks nothing: its leftovers are recorded at the end, and cleaned up before the host is used again.
  if (standing !== null && standing !== 'silent') return report({ is: 'done', step: 'release' })
  if (standing === 'silent') return silent(view.migration[side], 'its leftovers cannot be cleaned up')
  const at = yield* locateDomain(view)
  if (isHomeLost(view) && at.source === 'stopped') return report(LOST)
  const broken = yield* ask('proof', { of: { is: 'cleaning', migration: view.migration, side, at } })
  if (broken !== null) return report({ is: 'disproved', ...broken })
  const answer = yield* ask('clean', { driverOperation: driverOperationOf(view, reachNow(view)), side })
  return fromAnswer(answer, 'release', view.migration[side])
}

// Overrides any request: the copy on the target is permanently lost, and cleaning up the source would delete the last
// one.
const LOST: Fact = { is: 'lost', why: 'the target host is permanently lost' }

function isHomeLost({ migration: m, source, target }: MigrationView): boolean {
  if (m.home !== 'target' || !operationRow(m.operation).verify) return false
  return target?.status === 'lost' && source !== null && !isDead(source.status)
}

/** Why the current action cannot run: a host it needs is dead, or down. */
function obstacleTo(view: MigrationView): Fact | null {
  const { step } = view.migration
  for (const side of sidesNeeded(view)) {
    const standing = knownStanding(view, side)
    if (standing === 'fenced' || standing === 'lost') {
      return { is: 'failed', step, why: `the ${side} host is ${standing}` }
    }
    const host = view.migration[side]
    if (standing === 'silent' && host !== null) {
      const why = view[side] === null ? `the ${side} host has no record` : `the ${side} host is down`
      return { is: 'silent', host, why }
    }
    if (isUnclean(view[side]) && host !== null) return { is: 'silent', host, why: UNCLEAN }
  }
  return null
}

function sidesNeeded(view: MigrationView): readonly Side[] {
  const { source } = operationRow(view.migration.operation)
  return source === 'fenced' || source === 'none' ? ['target'] : ['source', 'target']
}

/** A returned host runs nothing and takes no claims until it is cleaned up (I11). */
const isUnclean = (host: Host | null) => host?.status === 'up' && host.scheduling === 'quarantined'
const UNCLEAN = 'it came back and is not cleaned up yet'

const reachNow = (view: MigrationView) => ({
  source: knownStanding(view, 'source') === null,
  target: knownStanding(view, 'target') === null,
})

// A host has seen a newer fencing token (L7). The fact is written only while our token is the latest in the records:
// if it is not, another conductor has taken over and continues. If it is, the records are older than what hosts have
// executed, as after a restore, and no server may act on them.
const LATER_KNOWN: Fact = {
  is: 'disproved',
  law: 'step',
  why: 'a host has executed a later request for this instance than recorded',
}

type FinalTransferAnswer = Exclude<TransferAnswer, { did: 'running' }>

function fromAnswer(answer: FinalTransferAnswer, step: Step, host: HostId | null): StepAction {
  switch (answer.did) {
    case 'done':
      return report({ is: 'done', step, ...('progress' in answer && { progress: answer.progress }) })
    case 'failed':
      return report({ is: 'failed', step, why: answer.why })
    case 'no-answer':
      return silent(answer.host ?? host, answer.why)
    case 'stale-fence':
      return report(LATER_KNOWN)
    default:
      return answer satisfies never
  }
}

function silent(host: HostId | null, why: string): StepAction {
  return host === null ? { kind: 'nothing' } : report({ is: 'silent', host, why })
}
