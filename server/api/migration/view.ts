import type { Host } from '../../engine/host'
import { isNotConverging } from '../../engine/migration/converge'
import { overdueFrom } from '../../engine/migration/pace'
import type {
  Cause,
  Migration,
  Operation,
  Outcome,
  Progress,
  RequestedAction,
  Side,
  Step,
  StepRecord,
} from '../../engine/migration/state'
import type { ProofLaw } from '../../engine/proof/disproof'
import type { HostId } from '../../engine/words/ids'
import { addTotals, type ClaimTotals, totalsOf } from '../claim/view'
import type { Names, Ref } from '../names/names'
import { actionPermits, type Permits } from '../permit/permits'
import type { Rights } from '../permit/rights'
import type { Ms } from '../plain'
import { type RefusalView, refusalView } from '../refusal/view'

// A migration as a row. Every field comes from the state machine; none is guessed from times.

export type WaitingView =
  | { readonly for: 'slot'; readonly place: number; readonly since: Ms }
  | { readonly for: 'host'; readonly host: Ref; readonly why: string; readonly since: Ms }
  | { readonly for: 'person'; readonly since: Ms }
  | { readonly for: 'retry'; readonly why: string; readonly nextAt: Ms; readonly since: Ms }
  /** If blocked: the law that its records break, and why. */
  | { readonly for: 'repair'; readonly law: ProofLaw; readonly why: string; readonly since: Ms }

/** A requested action from request to effect: each time is null until then. */
export interface ActionTrail {
  readonly requestedAction: RequestedAction
  readonly by: string
  readonly reason: string | null
  readonly askedAt: Ms
  readonly acceptedAt: Ms | null
  readonly effectiveAt: Ms | null
  /** Set when the state machine would no longer accept it. */
  readonly refused: string | null
}

export interface MigrationRow {
  readonly id: string
  readonly instance: Ref
  readonly operation: Operation
  readonly source: Ref | null
  readonly target: Ref | null
  readonly step: Step
  readonly direction: Side
  readonly home: Side
  readonly handedOver: boolean
  readonly outcome: Outcome | null
  readonly waiting: WaitingView | null
  readonly requestedAction: ActionTrail | null
  readonly progress: Progress | null
  /** The guest dirties memory faster than the link copies it: the transfer does not end on its own. */
  readonly notConverging: boolean
  readonly startedAt: Ms
  readonly stepSince: Ms
  readonly endedAt: Ms | null
  readonly dueAt: Ms | null
  /** Amounts held on both sides at present; null when there are none. */
  readonly heldTwice: ClaimTotals | null
  readonly heldTwiceSince: Ms | null
  /** When its step becomes overdue by the baseline; null when it has ended or has no baseline. */
  readonly overdueAt: Ms | null
  readonly pace: PaceView | null
  readonly permitted: Permits<RequestedAction>
}

export interface CauseView extends Omit<Cause, 'refusals'> {
  readonly refusals: readonly { readonly host: Ref; readonly refusals: readonly RefusalView[] }[]
}

/** What a step took in earlier migrations of the same operation. Times in ms. */
export interface PaceView {
  readonly samples: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** pair: between the same two hosts. step: between any, because too few were between these. */
  readonly scope: 'pair' | 'step'
  readonly pairSamples: number
}

export interface StepView {
  readonly seq: number
  readonly step: Step
  readonly direction: Side
  readonly startedAt: Ms
  readonly endedAt: Ms | null
  readonly result: StepRecord['result']
  readonly note: string | null
  /** Null when too few migrations did that step: then there is no baseline. */
  readonly pace: PaceView | null
}

export interface MigrationContext {
  readonly rights: Rights
  readonly names: Names
  /** For current holdings; null while the host is not in the projection. */
  readonly host: (id: HostId) => Host | null
  readonly requestedAction: ActionTrail | null
  readonly endedAt: Ms | null
  readonly steps: readonly StepRecord[]
  readonly pace: PaceFinder
}

/** Durations of this migration's present step in earlier ones; null without history. */
export type PaceFinder = (step: Step, direction: Side) => PaceView | null

export function migrationRow(migration: Migration, context: MigrationContext): MigrationRow {
  const { names, rights, requestedAction, endedAt } = context
  const { id, operation, step, direction, home, handedOver, outcome, progress, createdAt, stepSince, dueAt } = migration
  const pace = step === 'ended' ? null : context.pace(step, direction)
  const twice = migrationClaimTotals(migration, context)
  return {
    ...{
      id,
      operation,
      step,
      direction,
      home,
      handedOver,
      outcome,
      progress,
      stepSince,
      endedAt,
      dueAt,
      requestedAction,
    },
    instance: names.instance(migration.instance),
    source: refOf(migration.source, names),
    target: refOf(targetOf(migration), names),
    waiting: waitingView(migration, names),
    startedAt: createdAt,
    notConverging: isNotConverging(migration),
    heldTwice: twice,
    heldTwiceSince: twice && claimedAt(context.steps),
    pace,
    overdueAt: pace && overdueFrom(stepSince, pace),
    permitted: actionPermits(migration, { rights, host: context.host }),
  }
}

/** Before a host is chosen, the requested one, if any. */
export function targetOf({ target, requestedTarget }: Migration): string | null {
  return target ?? requestedTarget
}

export function refOf(host: string | null, names: Names): Ref | null {
  return host === null ? null : names.host(host)
}

function waitingView(migration: Migration, names: Names): WaitingView | null {
  const { waiting, stepSince: since, nextAt } = migration
  if (waiting === null || migration.step === 'ended') return null
  switch (waiting.for) {
    case 'slot':
      return { for: 'slot', place: waiting.place, since }
    case 'host':
      return { for: 'host', host: names.host(waiting.host), why: names.text(waiting.why), since }
    case 'person':
      return { for: 'person', since }
    case 'retry':
      return { for: 'retry', why: names.text(waiting.why), nextAt, since }
    case 'repair':
      return { for: 'repair', law: waiting.law, why: names.text(waiting.why), since }
    default:
      return waiting satisfies never
  }
}

/** The migration's own claim besides its instance's: capacity that is held twice. */
function migrationClaimTotals(migration: Migration, { host }: MigrationContext): ClaimTotals | null {
  if (migration.step === 'ended') return null
  const hosts = new Set([migration.source, migration.target].filter((id) => id !== null))
  const holdings = [...hosts].flatMap((id) => host(id)?.holdings ?? [])
  const own = holdings.filter((holding) => holding.consumer === migration.id)
  return own.length === 0 ? null : own.map(({ body }) => totalsOf(body)).reduce(addTotals)
}

/** From the claim on there are two holdings. */
export const claimedAt = (steps: readonly StepRecord[]): Ms | null =>
  steps.find(({ step, result }) => step === 'claim' && result === 'done')?.endedAt ?? null

export function stepView(record: StepRecord, pace: PaceFinder): StepView {
  const { seq, step, direction, startedAt, endedAt, result, note } = record
  return {
    seq,
    step,
    direction,
    startedAt,
    endedAt,
    result,
    note,
    pace: step === 'ended' ? null : pace(step, direction),
  }
}

export function causeView(migration: Migration, names: Names): CauseView | null {
  const { cause } = migration
  if (cause === null) return null
  const { kind, step, message, refusals = [] } = cause
  return {
    ...{ kind, step, message: names.text(message) },
    refusals: refusals.map(({ host, refusals: each }) => ({
      host: names.host(host),
      refusals: each.map((refusal) => refusalView(refusal, names)),
    })),
  }
}

/** A requested action as it was recorded. */
export interface ActionEvent {
  readonly requestedAction: ActionTrail['requestedAction']
  readonly by: string
  readonly reason: string | null
  readonly askedAt: Ms
  readonly acceptedAt: Ms
}

/** The steps show when a requested action took effect; one that facts overrode never did. */
export function actionTrail(event: ActionEvent, migration: Migration, steps: readonly StepRecord[]): ActionTrail {
  const effectiveAt = effectOf(event, migration, steps)
  const overtaken = effectiveAt === null && migration.requestedAction !== event.requestedAction
  return { ...event, effectiveAt, refused: overtaken ? 'the migration advanced before it could take effect' : null }
}

function effectOf(
  { requestedAction, acceptedAt }: ActionEvent,
  migration: Migration,
  steps: readonly StepRecord[],
): Ms | null {
  const since = (test: (step: StepRecord) => boolean) =>
    steps.find((step) => step.startedAt >= acceptedAt && test(step))
  const back: Side = 'source'
  switch (requestedAction) {
    case 'abort':
    case 'revert': {
      const turned = since((step) => step.direction === back)?.startedAt
      // An abort in `claim` has nothing to roll back: it just ends.
      return turned ?? (migration.outcome === 'aborted' ? (steps.at(-1)?.endedAt ?? null) : null)
    }
    case 'confirm':
      return since((step) => step.step === 'release')?.startedAt ?? null
    case 'force-complete':
      return migration.forced ? (since((step) => step.step === 'switch')?.startedAt ?? null) : null
    // No separate state: the next action is only due sooner.
    case 'retry':
      return acceptedAt
    default:
      return requestedAction satisfies never
  }
}
