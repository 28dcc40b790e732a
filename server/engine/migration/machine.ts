import type { Refusal } from '../words/refusal'
import { isReadable } from '../words/unreadable'
import type { Fact } from './facts'
import { operationRow } from './operations'
import { type Cause, type Migration, type Progress, REQUESTED_ACTIONS, type RequestedAction, type Step } from './state'

// The public interface of the state machine: what may be requested, and the effect of requested actions and facts. Pure
// and total, and the only writer of a migration's state. A fact that does not fit the step changes nothing.

export type Permission =
  | { readonly requestedAction: RequestedAction; readonly allowed: true }
  | { readonly requestedAction: RequestedAction; readonly allowed: false; readonly refusal: Refusal }

/** Every requested action with yes or the reason for no; it is stored with the row, so no screen repeats a rule. */
export function permissionsOf(migration: Migration): readonly Permission[] {
  return REQUESTED_ACTIONS.map((requestedAction) => {
    const why = isReadable(migration) ? objection(migration, requestedAction) : 'a record of it cannot be read'
    if (why === null) return { requestedAction, allowed: true }
    return { requestedAction, allowed: false, refusal: notPermitted(requestedAction, why) }
  })
}

const notPermitted = (need: RequestedAction, have: string): Refusal => ({
  kind: 'not-permitted',
  ...{ where: {}, need, have },
})

export type AcceptedAction =
  | { readonly ok: true; readonly migration: Migration }
  | { readonly ok: false; readonly refusal: Refusal }

/** Records a requested action. It takes effect between two actions of the conductor, unless facts override it (L5). */
export function acceptAction(migration: Migration, requestedAction: RequestedAction, now: number): AcceptedAction {
  const why = objection(migration, requestedAction)
  if (why !== null) return { ok: false, refusal: notPermitted(requestedAction, why) }
  // A retry is no separate state: the action is only due sooner.
  return {
    ok: true,
    migration: {
      ...migration,
      requestedAction: requestedAction === 'retry' ? migration.requestedAction : requestedAction,
      nextAt: now,
    },
  }
}

/** The migration after a fact. Returns the same value when the fact says nothing new. */
export function advance(migration: Migration, fact: Fact, now: number): Migration {
  if (migration.step === 'ended') return migration
  if ('step' in fact && fact.step !== migration.step) return migration
  if (fact.is === 'disproved') return park(migration, fact, now)
  const m = unparked(migration)
  if (fact.is === 'silent') return waitForHost(m, fact, now)
  return STEP_TABLE[migration.step](m, fact, now)
}

type Advance = (migration: Migration, fact: Fact, now: number) => Migration

const STEP_TABLE: { readonly [S in Exclude<Step, 'ended'>]: Advance } = {
  claim: advanceClaim,
  prepare: advancePrepare,
  transfer: advanceTransfer,
  switch: advanceSwitch,
  verify: advanceVerify,
  release: advanceRelease,
}

const MAX_RACES = 12 // after these, the fleet is too busy for the demand, and a report helps more than another try
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000
const HOST_RECHECK_MS = 5_000 // maximum delay in noticing that a host answers again or has a new status
const SLOT_RETRY_MS = 2_000
const POLL_MS = 1_000 // a requested action is noticed within one poll
const REPAIR_RECHECK_MS = 60_000 // maximum delay in noticing a repair of the records without a retry
const CALM_MS = 60_000 // in verify nothing happens on its own; a requested action sets nextAt to now
export const LONGEST_REST_MS = 60_000 // of these

/**
 * No migration rests longer, except until its deadline. A later time was written before the clock was set back, or by
 * hand; heeded, it would stop the migration until then.
 */
export const isDue = ({ nextAt, dueAt }: Pick<Migration, 'nextAt' | 'dueAt'>, now: number): boolean =>
  nextAt <= now || (nextAt > now + LONGEST_REST_MS && nextAt !== dueAt)

function objection(m: Migration, requestedAction: RequestedAction): string | null {
  if (m.step === 'ended') return 'the migration has ended'
  if (requestedAction === 'retry') return isWaitingToRetry(m) ? null : 'it is not waiting for a retry'
  if (m.waiting?.for === 'repair') return 'it is blocked until the records are repaired'
  switch (requestedAction) {
    case 'abort':
      if (m.direction === 'source') return 'the migration is already rolling back'
      if (m.handedOver) return 'the instance has been switched'
      if (m.forced) return 'the migration was force-completed'
      return operationRow(m.operation).abortWhile.includes(m.step) ? null : `the migration is in ${m.step}`
    case 'force-complete':
      if (operationRow(m.operation).transfer !== 'memory') return 'only a live migration can be force-completed'
      if (m.step !== 'transfer') return `the migration is in ${m.step}`
      if (m.handedOver) return 'the instance has been switched'
      return m.forced ? 'the migration was already force-completed' : null
    case 'confirm':
    case 'revert':
      return m.step === 'verify' ? null : `the migration is in ${m.step}`
    default:
      return requestedAction satisfies never
  }
}

const isWaitingToRetry = ({ waiting }: Migration) =>
  waiting?.for === 'repair' || waiting?.for === 'retry' || waiting?.for === 'host'

function advanceClaim(m: Migration, fact: Fact, now: number): Migration {
  switch (fact.is) {
    case 'no-slot':
      return { ...m, waiting: { for: 'slot', place: fact.place }, nextAt: now + SLOT_RETRY_MS }
    case 'claimed':
      return enter(claimed(m, fact), 'prepare', now)
    case 'refused':
      return end({ ...m, cause: { ...cause(m, 'failed', noHost(fact.asked)), refusals: fact.hosts } }, now)
    case 'lost-race':
      if (m.attempt + 1 >= MAX_RACES) return end({ ...m, cause: cause(m, 'failed', fact.why) }, now)
      return retry({ ...m, tried: fact.tried }, fact.why, now)
    case 'failed':
      return end({ ...m, cause: cause(m, 'failed', fact.why) }, now)
    case 'action-accepted':
      return m.requestedAction === 'abort' ? end({ ...m, cause: aborted(m) }, now) : withoutRequest(m)
    default:
      return m
  }
}

function advancePrepare(m: Migration, fact: Fact, now: number): Migration {
  switch (fact.is) {
    case 'done':
      return enter(m, 'transfer', now)
    case 'failed':
      return turnBack(m, cause(m, 'failed', fact.why), now)
    case 'action-accepted':
      return m.requestedAction === 'abort' ? turnBack(m, aborted(m), now) : withoutRequest(m)
    default:
      return m
  }
}

function advanceTransfer(m: Migration, fact: Fact, now: number): Migration {
  switch (fact.is) {
    case 'moving':
      return moving(m, fact, now)
    case 'done':
      return enter(transferred(m, fact.progress ?? m.progress), 'switch', now)
    case 'forced':
      return { ...m, forced: true, requestedAction: null, waiting: null, nextAt: now }
    case 'stopped':
      return turnBack(m, aborted(m), now)
    case 'failed':
      // After the hand-over only `switch` may decide about the instance: it observes before it decides (L6).
      return m.handedOver ? enter(m, 'switch', now) : turnBack(m, cause(m, 'failed', fact.why), now)
    case 'action-accepted':
      return withoutRequest(m)
    default:
      return m
  }
}

const transferred = (m: Migration, progress: Progress | null): Migration => ({
  ...m,
  progress,
  handedOver: operationRow(m.operation).transfer === 'memory',
})

function moving(m: Migration, fact: Extract<Fact, { is: 'moving' }>, now: number): Migration {
  const handedOver = m.handedOver || fact.handedOver
  // An abort that arrives after the hand-over is too late: the fact overrides the requested action.
  return {
    ...m,
    progress: fact.progress,
    handedOver,
    requestedAction: handedOver ? null : m.requestedAction,
    waiting: null,
    attempt: 0,
    nextAt: now + POLL_MS,
  }
}

function advanceSwitch(m: Migration, fact: Fact, now: number): Migration {
  switch (fact.is) {
    case 'done':
      return arrive(m, now)
    case 'failed':
      if (m.direction === 'target' && !m.handedOver) return turnBack(m, cause(m, 'failed', fact.why), now)
      return retry(m, fact.why, now)
    case 'no-way-back':
      if (m.direction === 'target') return m
      return { ...enter(m, 'switch', now), direction: 'target', handedOver: true }
    case 'action-accepted':
      return withoutRequest(m)
    default:
      return m
  }
}

function claimed(
  m: Migration,
  { target, keptAmounts = [], storage = null }: Extract<Fact, { is: 'claimed' }>,
): Migration {
  return { ...m, target, kept: keptAmounts, storageUsed: storage }
}

/** The instance runs on the side that the migration went to: from now on that side is the current one. */
function arrive(m: Migration, now: number): Migration {
  const home = { ...m, home: m.direction }
  // A migration that tried to roll back has been decided, so there is nothing left to verify.
  if (m.direction === 'source' || m.cause !== null || !operationRow(m.operation).verify) {
    return enter(home, 'release', now)
  }
  const dueAt = m.confirmWindowMs === null ? null : now + m.confirmWindowMs
  return { ...enter(home, 'verify', now), waiting: { for: 'person' }, dueAt, nextAt: dueAt ?? now + CALM_MS }
}

function advanceVerify(m: Migration, fact: Fact, now: number): Migration {
  switch (fact.is) {
    case 'action-accepted':
      if (m.requestedAction === 'confirm') return enter({ ...m, dueAt: null }, 'release', now)
      if (m.requestedAction === 'revert')
        return turnBack({ ...m, dueAt: null }, cause(m, 'reverted', 'reverted on request'), now)
      return withoutRequest(m)
    case 'window-over':
      return enter({ ...m, dueAt: null }, 'release', now)
    case 'undecided':
      return { ...m, nextAt: m.dueAt ?? now + CALM_MS }
    case 'lost':
      return turnBack({ ...m, dueAt: null }, cause(m, 'failed', fact.why), now)
    default:
      return m
  }
}

/**
 * Waits and retries indefinitely (L8), because leftovers must not be forgotten; no other migration is blocked by it.
 */
function advanceRelease(m: Migration, fact: Fact, now: number): Migration {
  switch (fact.is) {
    case 'done':
      return end(m, now)
    case 'failed':
      return retry(m, fact.why, now)
    case 'lost':
      return m.home === 'source' ? m : turnBack(m, cause(m, 'failed', fact.why), now)
    case 'action-accepted':
      return withoutRequest(m)
    default:
      return m
  }
}

function enter(m: Migration, step: Step, now: number): Migration {
  return { ...m, step, seq: m.seq + 1, stepSince: now, requestedAction: null, waiting: null, attempt: 0, nextAt: now }
}

/** A rollback always passes through `switch`, so that a release never touches the side the instance is on (L6). */
function turnBack(m: Migration, cause: Cause, now: number): Migration {
  return { ...enter(m, 'switch', now), direction: 'source', cause }
}

function end(m: Migration, now: number): Migration {
  const outcome = m.home === 'target' ? 'completed' : (m.cause?.kind ?? 'failed')
  return { ...enter(m, 'ended', now), outcome }
}

function waitForHost(m: Migration, fact: Extract<Fact, { is: 'silent' }>, now: number): Migration {
  const waiting = { for: 'host', host: fact.host, why: fact.why } as const
  return { ...m, waiting, attempt: m.attempt + 1, nextAt: now + HOST_RECHECK_MS }
}

/** Nothing is done while the records contradict the migration; the proof is retried, because a repair may follow. */
function park(m: Migration, { law, why }: Extract<Fact, { is: 'disproved' }>, now: number): Migration {
  return { ...m, waiting: { for: 'repair', law, why }, attempt: m.attempt + 1, nextAt: now + REPAIR_RECHECK_MS }
}

/** The proof holds again, otherwise the fact would differ. */
function unparked(m: Migration): Migration {
  if (m.waiting?.for !== 'repair') return m
  return { ...m, waiting: m.step === 'verify' ? { for: 'person' } : null, attempt: 0 }
}

function retry(m: Migration, why: string, now: number): Migration {
  const pause = Math.min(FIRST_RETRY_MS * 2 ** Math.min(m.attempt, 10), LAST_RETRY_MS)
  return { ...m, waiting: { for: 'retry', why }, attempt: m.attempt + 1, nextAt: now + pause }
}

const withoutRequest = (m: Migration): Migration => (m.requestedAction === null ? m : { ...m, requestedAction: null })

const noHost = (asked: number) => (asked === 1 ? 'the host refuses it' : `none of ${asked} hosts fits`)

const aborted = (m: Migration): Cause => cause(m, 'aborted', 'aborted on request')

const cause = (m: Migration, kind: Cause['kind'], message: string): Cause => ({ kind, step: m.step, message })
