import type { WaitingView } from '@/server/api/migration/view'
import type { Outcome, Side, Step, StepRecord, Wish } from '@/server/engine/migration/state'
import type { StorageMode, StorageUsed } from '@/server/engine/storage/storage'
import type { ForceMethod } from '@/server/engine/words/force'
import { flightWords, hostWaitText } from '../step/words'
import type { StateLook } from '../ui/Badge'
import { duration, plural } from '../ui/format'
import type { Tone } from '../ui/tone'
import { uiWords } from '../ui/words'

export const stepMeans: Readonly<Record<Step, string>> = {
  claim: 'target claimed',
  prepare: 'target made ready',
  transfer: 'data on the target',
  switch: 'the guest runs there',
  verify: 'a person decides',
  release: 'other side cleaned',
  ended: 'holds nothing more',
}

/** The same steps when the move has turned back. */
export const stepMeansBack: Readonly<Partial<Record<Step, string>>> = {
  switch: 'the guest is at the source',
  release: 'target cleaned',
}

export const outcomeLooks: Readonly<Record<Outcome, StateLook>> = {
  completed: { shape: 'tick', tone: 'ok', label: 'completed' },
  reverted: { shape: 'outof', tone: 'idle', label: 'reverted' },
  aborted: { shape: 'square', tone: 'idle', label: 'aborted' },
  failed: { shape: 'cross', tone: 'bad', label: 'failed' },
}

/** From here on the guest runs at the target without all of its memory. */
export const postCopyLook: StateLook = { shape: 'triangle', tone: 'bad', label: 'post-copy: no way back' }

export const waitingLooks: Readonly<Record<WaitingView['for'], StateLook>> = {
  slot: { shape: 'ring', tone: 'idle', label: 'queued' },
  person: { shape: 'pause', tone: 'warn', label: 'waits for a person' },
  host: { shape: 'triangle', tone: 'bad', label: 'waits for a host' },
  retry: { shape: 'half', tone: 'warn', label: 'retrying' },
  repair: { shape: 'cross', tone: 'bad', label: 'parked' },
}

export const parkedLook = waitingLooks.repair
/** Its records are wrong: it is in its step, and nothing of the step is done. */
export const isParked = ({ waiting }: { readonly waiting: WaitingView | null }): boolean => waiting?.for === 'repair'

export const resultLooks: Readonly<Record<NonNullable<StepRecord['result']> | 'running', StateLook>> = {
  running: { shape: 'half', tone: 'flow', label: 'under way' },
  done: { shape: 'tick', tone: 'ok', label: 'done' },
  failed: { shape: 'cross', tone: 'bad', label: 'failed' },
  'turned-back': { shape: 'outof', tone: 'warn', label: 'turned back' },
}

export const sideWords: Readonly<Record<Side, string>> = { source: 'source', target: 'target' }

export interface WishWords {
  readonly verb: string
  readonly noun: string
  readonly hint: string
  readonly tone: Tone
  /** What happens, said before the numbers. */
  readonly means: string
}

export const wishWords: Readonly<Record<Wish, WishWords>> = {
  confirm: {
    verb: 'Confirm',
    noun: 'confirm',
    hint: 'keep the new side',
    tone: 'ok',
    means: 'The guest stays where it is now. What the old side holds is given back.',
  },
  revert: {
    verb: 'Revert',
    noun: 'revert',
    hint: 'go back to the old side',
    tone: 'warn',
    means: 'The guest goes back to its old places, on the same CPUs, pages and devices as before.',
  },
  abort: {
    verb: 'Abort',
    noun: 'abort',
    hint: 'stop and stay at the source',
    tone: 'warn',
    means: 'The move stops and the guest stays at its source. What was claimed at the target is given back.',
  },
  'force-complete': {
    verb: 'Force to complete',
    noun: 'force',
    hint: 'by pause or post-copy',
    tone: 'bad',
    means: 'The guest is paused or handed over by post-copy, so that the transfer ends.',
  },
  retry: {
    verb: 'Retry',
    noun: 'retry',
    hint: 'check again at once what it waits for',
    tone: 'idle',
    means: 'Berth checks at once whether the migration can go on. It changes nothing while the same reason holds.',
  },
}

export const waitingText = (waiting: WaitingView): string => {
  switch (waiting.for) {
    case 'slot':
      return `place ${waiting.place} in the queue`
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
  waitingSince: (waiting: string) => `${waiting}, since`,
  parked:
    '. Nothing is done on any host until the records are right. Review the repair of its finding, then retry. A repair can also end the migration without touching its hosts',
  ofTotal: (total: string) => `of ${total}`,
  title: 'Migrations',
  one: 'Migration',
  filter: 'Instance or id',
  views: { flight: 'In flight', waiting: 'Waiting', overdue: 'Overdue', history: 'History', all: 'All' },
  p95: 'p95 of the step',
  samples: 'Migrations in the baseline',
  empty: {
    flight: flightWords.none,
    waiting: 'No move waits',
    overdue: 'No move is overdue',
    history: 'No move has ended yet',
    all: 'No move yet',
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
  pickFirst: 'Tick moves in the table first.',
  bulk: (verb: string, n: number) => `${verb} ${plural(n, 'move')}`,
  stepOf: (step: string, n: number, of: number) => `${step}, step ${n} of ${of}`,
  heading: { source: 'turning back to the source', target: 'going forward' },
  home: (side: Side) => `the records place the guest at the ${side}`,
  noWayBack: 'no way back',
  notConverging: flightWords.notConverging,
  handedOver: 'handed over',
  tabs: {
    timeline: 'Timeline',
    mapping: 'Old to new',
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
    pair: (p95: string, n: number) => `p95 ${p95} of ${plural(n, 'move')} on this pair of hosts`,
    step: (p95: string, n: number, here: number) =>
      uiWords.list([`p95 ${p95} of ${plural(n, 'move')}`, here > 0 ? `${here} on this pair` : null]),
    none: 'no history: fewer than 5 did this step',
  },
  status: {
    inStep: (step: string) => `In ${step} for`,
    overdue: (by: string) => `; overdue by ${by}`,
  },
  times: 'Step times',
  whyNot: 'Why not? Ask every host again',
  cause: 'Why it turned back',
  heldTwiceFor: ', for',
  carried: 'It is being carried forward; nobody is waited for.',
  inCircles:
    'Not converging: the guest dirties memory faster than the link copies it. The transfer does not end by itself.',
  whatIsSafe: 'What is safe to do',
  heldTwiceNow: (held: string) => `Held on both sides: ${held}`,
  due: 'Confirmed by itself',
  tried: 'Hosts tried',
  attempt: 'Attempt',
  generation: 'Generation, fence',
  startedBy: 'Started by',
  storage: (asked: StorageMode, used: StorageUsed | null) =>
    used === null || used === asked ? `Storage ${asked}` : `Storage ${asked}: ${used}`,
  requested: 'Asked for',
  wishTrail: {
    asked: 'asked',
    accepted: 'accepted',
    effective: 'effective',
    notYet: 'not yet',
    refused: 'not heeded',
  },
  stepper: { done: 'done', ahead: 'not yet' },
  consequences: {
    frees: 'Frees',
    keeps: 'Keeps',
    refused: 'Not now',
    stops: (n: number) => `${plural(n, 'guest')} will be paused or stopped`,
    noWayBack: 'There is no way back after this.',
    methodMeans: {
      pause: 'The guest stands still until the rest is copied.',
      'post-copy':
        'The guest runs on the target before all of its memory is there. If a host or the link fails meanwhile, the guest is lost.',
    } satisfies Record<ForceMethod, string>,
    methodOf: (method: ForceMethod, n: number) =>
      n > 1 ? `Method: ${method} (${plural(n, 'migration')})` : `Method: ${method}`,
    pause: (ms: number | null) =>
      ms === null
        ? 'The length of the pause is unknown: no rate was measured yet.'
        : `Estimated pause: ${duration(ms)}, from what is left and the present rate.`,
    adviser: 'Adviser:',
    forSome: (n: number, of: number) => `${n} of ${of}`,
    needs: (what: readonly string[]) => `Would be known with: ${what.join('; ')}.`,
    nothing: 'Nothing is held on the other side.',
  },
  actions: { title: 'Actions on this move' },
  accepted: (verb: string) => `${verb}: accepted`,
  acceptedMore: 'It takes effect between two acts of the move; the page shows when.',
  results: {
    title: (verb: string, taken: number, not: number) => `${verb}: ${taken} accepted, ${not} not`,
    each: 'Each move answers for itself: one that does not take it leaves the others as they are.',
    table: 'What came of each move',
    subject: 'Move of',
    result: 'Result',
    why: 'Why',
    taken: 'accepted',
    not: 'not taken',
    takesEffect: 'It takes effect between two acts of the move.',
    noAnswer: 'The move gave no reason.',
    notChanged: {
      confirm: 'Nothing was given back.',
      revert: 'The guest was not sent back.',
      abort: 'The move was not stopped.',
      'force-complete': 'Nothing was forced.',
      retry: 'Nothing was retried.',
    } satisfies Readonly<Record<Wish, string>>,
  },
  overdue: (ms: number) => `due ${duration(ms)} ago`,
} as const
