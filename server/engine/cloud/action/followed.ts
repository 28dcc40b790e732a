import { type CloudFacts, isComplete } from '../facts'
import { ageSince, isEnded, isResting, lastWriteOf, steadyTime } from '../history'
import type { CloudMigration, CloudServer, Part } from '../snapshot'
import { type ActionInput, type CloudActionKind, subjectOf } from './action'
import { CLOUD_ACTIONS, type CompletionCondition } from './table'

// Nova answers every action before it is done. Later reads say whether it was done.

export interface FollowedAction {
  readonly verb: CloudActionKind
  /** Id of the instance, uuid of the migration, or name of the host. */
  readonly subject: string
  readonly input: ActionInput
  /** By the cloud's clock: later reads count. */
  readonly sentAt: number
  /** The newest migration of its instance before it was sent; 0: none. */
  readonly lastMigration: number
  /** When Nova had last written its instance before it was sent; null: not about an instance, or not stored. */
  readonly lastWritten: number | null
}

export interface ActionProgress {
  readonly state: 'waiting' | 'done' | 'failed'
  /** The result of the read, ready to print. */
  readonly detail: string
}

const waiting = (detail: string): ActionProgress => ({ state: 'waiting', detail })
const done = (detail: string): ActionProgress => ({ state: 'done', detail })
const failed = (detail: string): ActionProgress => ({ state: 'failed', detail })

/** Times in answers are whole seconds, and two services may disagree by one. */
const SLACK_MS = 2_000

/** Nova writes the task of an action before it answers; a call without an answer may arrive a little later. */
const UNWRITTEN_MS = 120_000

/** A failure by what a list lacks: while a cell is down, Nova lists neither its rows nor their changes. */
const failedIfComplete = (parts: readonly Part<unknown>[], detail: string): ActionProgress =>
  parts.every(isComplete) ? failed(detail) : waiting(`${detail}, as far as Nova reports at present`)

const isReadSince = (part: Part<unknown>, at: number) => part.isRead && part.at > at

/**
 * The follower has read since the call was sent, so a time later than now comes from a clock that was briefly ahead.
 */
function sentAtOf({ snapshot }: CloudFacts, { sentAt }: FollowedAction): number {
  const at = steadyTime(snapshot, sentAt)
  return at > snapshot.now + SLACK_MS ? 0 : at
}

export function progressOfAction(facts: CloudFacts, action: FollowedAction): ActionProgress {
  const { awaits, about } = CLOUD_ACTIONS[action.verb]
  const { services, servers, migrations } = facts.snapshot
  const sentAt = sentAtOf(facts, action)
  const unread = waiting('not read again yet')
  if (awaits.kind === 'service') return isReadSince(services, sentAt) ? ofService(facts, action, awaits) : unread
  if (![servers, migrations].every((part) => isReadSince(part, sentAt))) return unread
  const subject = subjectOf(facts, about, action.subject)
  if (subject === null || subject.server === null)
    return failedIfComplete([servers, migrations], 'the instance does not exist any more')
  return OF_INSTANCE[awaits.kind](facts, { action, server: subject.server, awaits: awaits as never })
}

function ofService(
  { services, snapshot }: CloudFacts,
  { subject }: FollowedAction,
  { reads }: CompletionCondition & { kind: 'service' },
): ActionProgress {
  const service = services.get(subject)
  if (service === undefined) return failedIfComplete([snapshot.services], `Nova lists no nova-compute on ${subject}`)
  const isAsAsked =
    (reads.status === undefined || reads.status === service.status) &&
    (reads.forcedDown === undefined || reads.forcedDown === service.forcedDown)
  const says = `nova-compute on ${subject} is ${service.status}, ${service.forcedDown ? 'forced down' : service.state}`
  return isAsAsked ? done(says) : failed(says)
}

interface OfInstance<Kind extends CompletionCondition['kind']> {
  readonly action: FollowedAction
  readonly server: CloudServer
  readonly awaits: CompletionCondition & { kind: Kind }
}

type ResultReaders = {
  readonly [Kind in Exclude<CompletionCondition['kind'], 'service'>]: (
    facts: CloudFacts,
    of: OfInstance<Kind>,
  ) => ActionProgress
}

const OF_INSTANCE: ResultReaders = {
  'new-migration': (facts, { action, server, awaits }) => {
    const made = facts.migrationsOf
      .get(server.id)
      ?.find(({ id, type }) => id > action.lastMigration && type === awaits.type)
    if (made !== undefined) return ofRecord(made, server, awaits.reaches)
    if (server.taskState !== null) return waiting(stateText(server))
    const unwritten = ofUnwritten(facts, action, server)
    if (unwritten !== null) return unwritten
    const { migrations } = facts.snapshot
    // The record is made while the instance has a task: a list that was read after its last change is complete.
    const isOver = migrations.isRead && migrations.at > server.updatedAt + SLACK_MS
    if (!isOver) return waiting(stateText(server))
    return failedIfComplete([migrations], `Nova made no migration, and ${stateText(server)}`)
  },
  migration: (facts, { action, server, awaits }) => {
    const record = facts.migrationsOf.get(server.id)?.find(({ id }) => id === action.lastMigration)
    if (record === undefined)
      return failedIfComplete([facts.snapshot.migrations], 'the migration is not listed any more')
    // Nova writes to one of the two before it answers, so the call did not arrive while both are unchanged.
    if (server.taskState === null && isResting(server, record)) return ofUntouched(facts, action, server)
    return ofRecord(record, server, awaits.reaches)
  },
  'vm-state': (facts, { action, server, awaits }) => {
    if (server.taskState !== null) return waiting(stateText(server))
    const reaches = awaits.reaches === 'chosen' ? [action.input.state] : awaits.reaches
    if (reaches.includes(server.vmState)) return done(stateText(server))
    return ofUnwritten(facts, action, server) ?? failed(stateText(server))
  },
  'task-ended': (facts, { action, server, awaits }) => {
    if (server.taskState !== null) return waiting(stateText(server))
    const unwritten = ofUnwritten(facts, action, server)
    if (unwritten !== null) return unwritten
    return awaits.vmStates.includes(server.vmState) ? done(stateText(server)) : failed(stateText(server))
  },
}

/**
 * For an instance without a task: reports its earlier state if Nova has not written it since the call; null: written.
 */
function ofUnwritten(facts: CloudFacts, action: FollowedAction, server: CloudServer): ActionProgress | null {
  const isSince = server.updatedAt >= Math.min(action.sentAt, sentAtOf(facts, action)) - SLACK_MS
  // A write dated by a clock that was ahead does not count as later.
  const isWritten = isSince && lastWriteOf(server) !== action.lastWritten
  return isWritten ? null : ofUntouched(facts, action, server)
}

function ofUntouched(facts: CloudFacts, { sentAt }: FollowedAction, server: CloudServer): ActionProgress {
  if (ageSince(facts, sentAt) <= UNWRITTEN_MS) return waiting(stateText(server))
  const { servers, migrations } = facts.snapshot
  return failedIfComplete([servers, migrations], `Nova did nothing, and ${stateText(server)}`)
}

function ofRecord(record: CloudMigration, server: CloudServer, reaches: readonly string[]): ActionProgress {
  const says = `migration ${record.id} is ${record.status}, and ${stateText(server)}`
  if (reaches.includes(record.status)) return server.taskState === null ? done(says) : waiting(says)
  return isEnded(record) && server.taskState === null ? failed(says) : waiting(says)
}

function stateText({ name, vmState, taskState, host, fault }: CloudServer): string {
  const task = taskState === null ? '' : `, task ${taskState}`
  const why = vmState === 'error' && fault ? `: ${fault.message}` : ''
  return `${name} is ${vmState} on ${host ?? 'no host'}${task}${why}`
}
