import { isStuck, unchangedSince } from '../audit/lasting-checks'
import { isDead } from '../host'
import { isNotConverging } from '../migration/converge'
import { permissionsOf } from '../migration/machine'
import { operationRow } from '../migration/operations'
import type { Migration, RequestedAction, Side } from '../migration/state'
import { REQUESTED_ACTIONS } from '../migration/state'
import type { SideState } from '../migration/switch-decision'
import { type ForceMethod, forceMethod } from '../words/force'
import {
  type Advice,
  type Assessment,
  advice,
  type HealFact,
  impossible,
  type Proof,
  repairAssessment,
  STATUS_ACTIONS,
  safe,
  unknown,
  unsafe,
} from './advice'
import { deadAssessment, type HostFact, isContradicted, proofOfHost, statusAssessment, surveyOf } from './host-facts'

// Which actions are possible on one migration. The state machine alone permits; the adviser predicts consequences.

export interface SideFact {
  readonly host: HostFact
  /** What the last survey of this side reported about the instance. */
  readonly observed: SideState
}

export interface MigrationFacts {
  readonly migration: Migration
  /** Null when the operation has no such side, or it is not chosen yet. */
  readonly source: SideFact | null
  readonly target: SideFact | null
  readonly heal: HealFact
  readonly now: number
}

export interface MigrationAdvice {
  /** Why it makes no progress; null while it does. */
  readonly stuck: { readonly why: string; readonly since: number } | null
  readonly actions: readonly Advice[]
}

export function adviseMigration(facts: MigrationFacts): MigrationAdvice {
  const { migration, heal, now } = facts
  const proof = proofOf(facts)
  const stuck = isHeldUp(migration, now) ? { why: reasonOf(facts), since: heldUpSince(migration) } : null
  return {
    stuck,
    actions: [
      ...REQUESTED_ACTIONS.map((requestedAction) =>
        advice(requestedAction, actionOpinion(facts, requestedAction), proof),
      ),
      advice('wait', waitOpinion(facts), proof),
      ...statusAdvice(facts),
      advice('heal', repairAssessment(heal), proof),
      advice('evacuate', evacuateOpinion(facts), proof),
    ],
  }
}

/** The adviser says at once why a migration makes no progress; the audit waits until that takes longer than usual. */
function isHeldUp(migration: Migration, now: number): boolean {
  const waits = migration.waiting?.for
  return (
    waits === 'host' || waits === 'retry' || waits === 'repair' || isNotConverging(migration) || isStuck(migration, now)
  )
}

/** A transfer that does not converge still reports progress. */
const heldUpSince = (migration: Migration): number =>
  isNotConverging(migration) ? migration.stepSince : unchangedSince(migration)

function reasonOf({ migration, source, target }: MigrationFacts): string {
  const { waiting, step } = migration
  if (isNotConverging(migration))
    return 'the instance dirties memory faster than the link copies it, so the transfer will not finish on its own'
  switch (waiting?.for) {
    case undefined:
      return `no server has continued it in ${step}`
    case 'host': {
      const name = [source, target].find((side) => side?.host.id === waiting.host)?.host.name ?? waiting.host
      // A driver knows its host by id; users know it by name.
      return `it is waiting in ${step} for ${name}: ${waiting.why.replaceAll(waiting.host, name)}`
    }
    case 'slot':
      return `it is queued at position ${waiting.place}`
    case 'person':
      return 'it is awaiting confirm or revert'
    case 'retry':
      return `${step} fails and is retried: ${waiting.why}`
    case 'repair':
      return `it is blocked because other records contradict it: ${waiting.why}`
    default:
      return waiting satisfies never
  }
}

const OBSERVED_TEXTS: { readonly [S in SideState]: string } = {
  running: 'it runs here',
  stopped: 'it is shut off here',
  left: 'it was switched away from here',
  shell: 'a paused target domain is here',
  absent: 'it is not here',
  silent: 'the host did not answer',
  fenced: 'attested as fenced: nothing should run here',
  lost: 'attested as permanently lost: nothing should run here',
}

function proofOf({ migration, source, target }: MigrationFacts): readonly Proof[] {
  const says = `${migration.operation}: step ${migration.step}, direction ${migration.direction}, current host ${migration.home}`
  const sides = [source, target].flatMap((side): Proof[] => {
    if (side === null) return []
    const { id, lookedAt, statedAt, status } = side.host
    // Attested, not observed. A later survey that contradicts it takes precedence.
    if (isContradicted(side.host) && isDead(status)) return [surveyOf(side.host)]
    if (isDead(status)) return [{ source: 'person', host: id, says: OBSERVED_TEXTS[side.observed], at: statedAt }]
    return [{ source: 'hypervisor', host: id, says: OBSERVED_TEXTS[side.observed], at: lookedAt }]
  })
  return [{ source: 'history', host: null, says, at: migration.stepSince }, ...sides]
}

/** Impossible exactly when the state machine does not permit it, so permission is checked first. */
function actionOpinion(facts: MigrationFacts, requestedAction: RequestedAction): Assessment {
  const permission = permissionsOf(facts.migration).find((each) => each.requestedAction === requestedAction)
  if (permission?.allowed !== true) {
    const { refusal } = permission ?? {}
    return impossible(`Unavailable: ${refusal && 'have' in refusal ? refusal.have : 'not permitted'}.`)
  }
  return ACTION_OPINIONS[requestedAction](facts)
}

const ACTION_OPINIONS: { readonly [W in RequestedAction]: (facts: MigrationFacts) => Assessment } = {
  abort: abortOpinion,
  confirm: confirmOpinion,
  revert: revertOpinion,
  'force-complete': forceOpinion,
  retry: () => safe('Every precondition is checked again before anything happens.'),
}

const isSilent = (side: SideFact | null) => side?.observed === 'silent'
const isOut = (side: SideFact | null) => side !== null && isDead(side.host.status)
const answerOf = (side: SideFact | null, which: Side) => [`an answer of ${side?.host.name ?? `the ${which}`}`]

function abortOpinion({ migration, source }: MigrationFacts): Assessment {
  if (migration.step === 'claim') return safe('Nothing is claimed yet, so there is nothing to undo.')
  const { source: from } = operationRow(migration.operation)
  if (from === 'none' || from === 'fenced') {
    return safe('The target claim is released, and the instance stays as it was before the migration.')
  }
  if (isOut(source)) return unsafe('The source is dead: the instance cannot go back to it.')
  if (isSilent(source)) {
    return unknown('The migration rolls back only after it has located the instance.', answerOf(source, 'source'))
  }
  return safe('It locates the instance, keeps it on the source, and releases the target.')
}

function confirmOpinion({ target }: MigrationFacts): Assessment {
  if (isSilent(target) || target === null) {
    const because = 'Confirming releases the source, and the instance has not been observed on the target.'
    return unknown(because, answerOf(target, 'target'))
  }
  if (target.observed === 'running' || target.observed === 'stopped') {
    return safe('The instance is on the target; the source is cleaned up and released.')
  }
  return unsafe('The instance was not observed on the target: the source may have the only copy.')
}

function revertOpinion({ source }: MigrationFacts): Assessment {
  if (isOut(source)) return unsafe('The source is dead: the instance cannot go back to it.')
  if (isSilent(source) || source === null) {
    const because = 'The instance would be stopped on the target before the source is known to accept it.'
    return unknown(because, answerOf(source, 'source'))
  }
  if (source.observed === 'absent') return unsafe('The instance is no longer on the source.')
  return safe('The source still has its claim and its disk; later changes are lost.')
}

function forceOpinion({ migration, source, target }: MigrationFacts): Assessment {
  if (isOut(target) || isOut(source)) return unsafe('One of the hosts is dead: the instance would be lost.')
  if (isSilent(source) || isSilent(target) || target === null) {
    const needs = isSilent(source) ? answerOf(source, 'source') : answerOf(target, 'target')
    return unknown('Forcing it cannot be undone, and one of the hosts does not answer.', needs)
  }
  return unsafe(FORCE_RISK[forceMethod(migration.oldImage.properties)])
}

const FORCE_RISK: Readonly<Record<ForceMethod, string>> = {
  pause:
    'Method: pause. The instance is paused until the rest is copied; its services may time out. This cannot be undone.',
  'post-copy':
    'Method: post-copy. The instance runs on the target before its memory is there; if a host or the link fails meanwhile, it is lost. This cannot be undone.',
}

function waitOpinion({ migration }: MigrationFacts): Assessment {
  if (migration.step === 'ended') return impossible('The migration has ended.')
  if (migration.waiting?.for === 'repair') {
    return safe('Nothing happens while it is blocked; it ends only after a repair of the records.')
  }
  if (isNotConverging(migration)) {
    return safe(
      'Nothing is lost, but it finishes only when the instance dirties less memory; both sides stay claimed meanwhile.',
    )
  }
  return safe('It is retried automatically for as long as it takes; both sides stay claimed meanwhile.')
}

function statusAdvice({ migration, source, target }: MigrationFacts): readonly Advice[] {
  const { waiting } = migration
  const waited = waiting?.for === 'host' ? [source, target].find((side) => side?.host.id === waiting.host) : null
  if (!waited) return []
  return STATUS_ACTIONS.map((action) => advice(action, sideStatusOpinion(action, waited), proofOfHost(waited.host)))
}

/** The instance running there outweighs the number of other instances. */
function sideStatusOpinion(action: (typeof STATUS_ACTIONS)[number], { host, observed }: SideFact): Assessment {
  return statusAssessment(
    action,
    observed === 'running' ? { ...host, answered: true, running: Math.max(1, host.running) } : host,
  )
}

function evacuateOpinion({ migration, source }: MigrationFacts): Assessment {
  if (migration.step !== 'ended')
    return impossible('This migration has to end first; it ends automatically once the state of its hosts is known.')
  if (source === null || !isOut(source))
    return impossible('Only instances of a fenced or permanently lost host are evacuated.')
  return deadAssessment(source.host, 'The instance can be rebuilt elsewhere.')
}
