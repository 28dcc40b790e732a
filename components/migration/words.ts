import type { WaitingView } from '@/server/api/migration/view'
import type { Outcome, RequestedAction, Side, Step, StepRecord } from '@/server/engine/migration/state'
import type { StorageMode, StorageUsed } from '@/server/engine/storage/storage'
import type { ForceMethod } from '@/server/engine/words/force'
import { flightWords, hostWaitText } from '../step/words'
import type { BadgeContent } from '../ui/Badge'
import { count, duration, plural } from '../ui/format'
import type { Tone } from '../ui/tone'
import { uiWords } from '../ui/words'

export const stepMeans: Readonly<Record<Step, string>> = {
  claim: 'target claimed',
  prepare: 'target prepared',
  transfer: 'data copied to the target',
  switch: 'runs on the target',
  verify: 'awaiting confirm or revert',
  release: 'other side cleaned up',
  ended: 'claims released',
}

/** What came of `verify`, by the direction that the migration took from there. */
export const stepMeansVerified = { target: 'confirmed', source: 'reverted' } as const

/** The same steps of a migration that rolls back. */
export const stepMeansBack: Readonly<Partial<Record<Step, string>>> = {
  switch: 'stays on the source',
  release: 'target cleaned up',
}

export const outcomeBadges: Readonly<Record<Outcome, BadgeContent>> = {
  completed: { shape: 'tick', tone: 'ok', label: 'completed' },
  reverted: { shape: 'outof', tone: 'idle', label: 'reverted' },
  aborted: { shape: 'square', tone: 'idle', label: 'aborted' },
  failed: { shape: 'cross', tone: 'bad', label: 'failed' },
}

/** From here on the instance runs on the target without all of its memory. */
export const postCopyBadge: BadgeContent = { shape: 'triangle', tone: 'bad', label: 'post-copy: cannot be aborted' }

export const waitingBadges: Readonly<Record<WaitingView['for'], BadgeContent>> = {
  slot: { shape: 'ring', tone: 'idle', label: 'queued' },
  person: { shape: 'pause', tone: 'warn', label: 'awaiting confirm or revert' },
  host: { shape: 'triangle', tone: 'bad', label: 'host unreachable' },
  retry: { shape: 'half', tone: 'warn', label: 'retrying' },
  repair: { shape: 'cross', tone: 'bad', label: 'blocked by records' },
}

export const parkedBadge = waitingBadges.repair
/** Other records contradict it: it stays in its step and does nothing. */
export const isParked = ({ waiting }: { readonly waiting: WaitingView | null }): boolean => waiting?.for === 'repair'

export const resultBadges: Readonly<Record<NonNullable<StepRecord['result']> | 'running', BadgeContent>> = {
  running: { shape: 'half', tone: 'flow', label: 'running' },
  done: { shape: 'tick', tone: 'ok', label: 'done' },
  failed: { shape: 'cross', tone: 'bad', label: 'failed' },
  'turned-back': { shape: 'outof', tone: 'warn', label: 'rolled back' },
}

/** The result of a step that has not ended, by what it waits for. */
export const waitingStepBadges: Readonly<Record<WaitingView['for'], BadgeContent>> = {
  slot: waitingBadges.slot,
  person: { ...waitingBadges.person, label: 'waiting' },
  host: { ...waitingBadges.host, label: 'unreachable' },
  retry: waitingBadges.retry,
  repair: { ...waitingBadges.repair, label: 'blocked' },
}

export const sideWords: Readonly<Record<Side, string>> = { source: 'source', target: 'target' }

export interface RequestedActionWords {
  readonly verb: string
  readonly noun: string
  readonly hint: string
  readonly tone: Tone
  /** The effect, shown before the numbers. */
  readonly means: string
}

export const requestedActionWords: Readonly<Record<RequestedAction, RequestedActionWords>> = {
  confirm: {
    verb: 'Confirm',
    noun: 'confirm',
    hint: 'keep it on the target',
    tone: 'ok',
    means: 'The instance stays where it is. The claim on the source is released.',
  },
  revert: {
    verb: 'Revert',
    noun: 'revert',
    hint: 'go back to the source',
    tone: 'warn',
    means: 'The instance goes back to the source, on the same CPUs, pages and devices as before.',
  },
  abort: {
    verb: 'Abort',
    noun: 'abort',
    hint: 'stop and stay on the source',
    tone: 'warn',
    means: 'The migration stops and the instance stays on the source. The claim on the target is released.',
  },
  'force-complete': {
    verb: 'Force-complete',
    noun: 'force-complete',
    hint: 'by pause or post-copy',
    tone: 'bad',
    means: 'The instance is paused or switched to post-copy so that the transfer finishes.',
  },
  retry: {
    verb: 'Retry',
    noun: 'retry',
    hint: 'check again now',
    tone: 'idle',
    means: 'Berth checks now whether the migration can continue. Nothing changes while the reason remains.',
  },
}

export const waitingText = (waiting: WaitingView): string => {
  switch (waiting.for) {
    case 'slot':
      return `position ${waiting.place} in the queue`
    case 'person':
      return 'confirm or revert'
    case 'host':
      return hostWaitText(waiting.host, waiting.why)
    case 'retry':
      return waiting.why
    case 'repair':
      return `records contradict it: ${waiting.why}`
  }
}

export const migrationWords = {
  waitingFor: (waiting: string | null) => (waiting === null ? ', for' : `: ${waiting}, for`),
  parked:
    '. No host is touched until the records are consistent. Review the repair of its finding, then retry. A repair can also end the migration without touching its hosts',
  ofTotal: (total: string) => `of ${total}`,
  title: 'Migrations',
  one: 'Migration',
  filter: 'Instance or id',
  views: { flight: 'In flight', waiting: 'Waiting', overdue: 'Overdue', history: 'History', all: 'All' },
  p95: 'p95 of the step',
  samples: 'Migrations in the baseline',
  empty: {
    flight: flightWords.none,
    waiting: 'No migration is waiting',
    overdue: 'No migration is overdue',
    history: 'No migration has ended yet',
    all: 'No migration yet',
  },
  emptyMore: flightWords.noneMore,
  transfer: {
    remaining: 'Remaining',
    total: 'Total',
    copied: 'Copied',
    dirtied: 'Dirtied',
    state: 'Transfer state',
  },
  sameHost: flightWords.sameHost,
  left: flightWords.left,
  nowhere: 'none',
  anyHost: 'chosen by the scheduler',
  pickFirst: 'Select migrations in the table first.',
  bulk: (verb: string, n: number) => `${verb} ${plural(n, 'migration')}`,
  stepOf: (step: string, n: number, of: number) => `${step}, step ${n} of ${of}`,
  direction: { source: 'rolling back to the source', target: 'forward' },
  home: (side: Side) => `current host: ${side}`,
  noWayBack: 'cannot be aborted',
  notConverging: flightWords.notConverging,
  handedOver: 'switched',
  tabs: {
    timeline: 'Timeline',
    mapping: 'Resource mapping',
    claims: 'Claims',
    transfer: 'Transfer',
    facts: 'Facts',
    adviser: 'Adviser',
    findings: 'Findings',
    events: 'Events',
    raw: 'Raw data',
  },
  pace: {
    overdue: 'overdue',
    by: (time: string) => `by ${time}`,
    byWith: (time: string, pace: string) => `by ${time}; ${pace}`,
    pair: (p95: string, n: number) => `p95 ${p95} of ${plural(n, 'migration')} between these hosts`,
    step: (p95: string, n: number, here: number) =>
      uiWords.list([`p95 ${p95} of ${plural(n, 'migration')}`, here > 0 ? `${here} between these hosts` : null]),
    none: 'no baseline yet (needs 5 migrations)',
  },
  status: {
    inStep: (step: string) => `In ${step} for`,
    overdue: (by: string) => `; overdue by ${by}`,
    ended: (outcome: string) => `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}`,
    transfer: (of: {
      readonly left: string
      readonly total: string
      readonly copied: string
      readonly dirtied: string
    }) => `${of.left} of ${of.total} left, copies ${of.copied}, dirties ${of.dirtied}`,
  },
  times: 'Step times',
  whyNot: 'Why not? Check every host again',
  cause: { failed: 'Reason for the failure', other: 'Reason for the rollback' },
  hostsRefused: (n: number) => `Why hosts refused (${count(n)} listed)`,
  heldTwiceFor: ', for',
  inProgress: 'In progress.',
  notConvergingMore:
    'Not converging: the instance dirties memory faster than the link copies it. The transfer will not finish on its own.',
  whatIsSafe: 'What is safe to do',
  heldTwiceNow: (held: string) => `Claimed on both sides: ${held}`,
  due: 'Confirms automatically',
  tried: 'Hosts tried',
  attempt: 'Attempt',
  generation: 'Generation, fencing token',
  startedBy: 'Started by',
  storage: (asked: StorageMode, used: StorageUsed | null) =>
    used === null || used === asked ? `Storage ${asked}` : `Storage ${asked}: ${used}`,
  requested: 'Requested',
  actionTrail: {
    asked: 'requested',
    accepted: 'accepted',
    effective: 'effective',
    notYet: 'not yet',
    refused: 'not carried out',
  },
  stepper: { done: 'done', ahead: 'pending' },
  consequences: {
    frees: 'Frees',
    keeps: 'Keeps',
    refused: 'Unavailable',
    stops: (n: number) => `${plural(n, 'instance')} will be paused or stopped`,
    noWayBack: 'This cannot be undone.',
    methodMeans: {
      pause: 'The instance is paused until the rest is copied.',
      'post-copy':
        'The instance runs on the target before all of its memory is there. If a host or the link fails meanwhile, it is lost.',
    } satisfies Record<ForceMethod, string>,
    methodOf: (method: ForceMethod, n: number) =>
      n > 1 ? `Method: ${method} (${plural(n, 'migration')})` : `Method: ${method}`,
    pause: (ms: number | null) =>
      ms === null
        ? 'The length of the pause is unknown: no rate was measured yet.'
        : `Estimated pause: ${duration(ms)}, from the remaining data and the current rate.`,
    adviser: 'Adviser:',
    forSome: (n: number, of: number) => `${n} of ${of}`,
    needs: (what: readonly string[]) => `Needed to decide: ${what.join('; ')}.`,
    nothing: 'The other side has no claim.',
  },
  actions: { title: 'Actions on this migration' },
  accepted: (verb: string) => `${verb}: accepted`,
  acceptedMore: 'It takes effect at the next step; the page shows when.',
  results: {
    title: (verb: string, taken: number, not: number) => `${verb}: ${taken} accepted, ${not} not`,
    each: 'A migration that does not accept it leaves the others unaffected.',
    table: 'Result per migration',
    subject: 'Migration of',
    result: 'Result',
    why: 'Why',
    taken: 'accepted',
    not: 'not accepted',
    takesEffect: 'It takes effect at the next step.',
    noAnswer: 'No reason was given.',
    notChanged: {
      confirm: 'Nothing was released.',
      revert: 'The instance was not sent back.',
      abort: 'The migration was not stopped.',
      'force-complete': 'Nothing was forced.',
      retry: 'Nothing was retried.',
    } satisfies Readonly<Record<RequestedAction, string>>,
  },
  overdue: (ms: number) => `due ${duration(ms)} ago`,
} as const
