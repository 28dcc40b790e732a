import type { WaitingView } from '@/server/api/contract-moves'
import type { Operation, Outcome, Side, Step, StepRecord, Wish } from '@/server/engine/migration/state'
import type { StateLook } from '../ui/Badge'
import { duration, plural } from '../ui/format'
import type { Tone } from '../ui/tone'

/** `verb` is on buttons, `noun` in rows, `done` in messages. */
export const operationWords: Readonly<
  Record<Operation, { readonly noun: string; readonly verb: string; readonly hint: string; readonly done: string }>
> = {
  'live-migrate': {
    noun: 'live migration',
    verb: 'Live-migrate',
    hint: 'the guest keeps running',
    done: 'Live migration started',
  },
  'cold-migrate': {
    noun: 'cold migration',
    verb: 'Cold-migrate',
    hint: 'stopped, moved, then confirmed',
    done: 'Cold migration started',
  },
  resize: { noun: 'resize', verb: 'Resize', hint: 'another flavor, any host', done: 'Resize started' },
  evacuate: {
    noun: 'evacuation',
    verb: 'Evacuate',
    hint: 'rebuilt elsewhere; its host is fenced',
    done: 'Evacuation started',
  },
  rebuild: { noun: 'rebuild', verb: 'Rebuild', hint: 'same place, another image', done: 'Rebuild started' },
  unshelve: { noun: 'unshelve', verb: 'Unshelve', hint: 'unpacked on any host', done: 'Unshelve started' },
}

export const stepLooks: Readonly<Record<Step, StateLook>> = {
  claim: { shape: 'ring', tone: 'flow', label: 'claim' },
  prepare: { shape: 'ring', tone: 'flow', label: 'prepare' },
  transfer: { shape: 'half', tone: 'flow', label: 'transfer' },
  switch: { shape: 'diamond', tone: 'flow', label: 'switch' },
  verify: { shape: 'pause', tone: 'warn', label: 'verify' },
  release: { shape: 'outof', tone: 'flow', label: 'release' },
  ended: { shape: 'tick', tone: 'idle', label: 'ended' },
}

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
}

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
    hint: 'pause or hand over the guest',
    tone: 'bad',
    means: 'The guest is paused or handed over, so that the transfer ends.',
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
  }
}

/** The books say a host by its id; people by its name, and once. */
export function hostWaitText(host: { readonly id: string; readonly name: string }, why: string): string {
  const named = why.replaceAll(host.id, host.name)
  return named.includes(host.name) ? named : `${host.name}: ${named}`
}

export const migrationWords = {
  waitingSince: (waiting: string) => `${waiting}, since`,
  ofTotal: (total: string) => `of ${total}`,
  title: 'Migrations',
  one: 'Migration',
  filter: 'Instance or id',
  views: { flight: 'In flight', waiting: 'Waiting', overdue: 'Overdue', history: 'History', all: 'All' },
  columns: {
    instance: 'Instance',
    operation: 'Operation',
    from: 'From',
    to: 'To',
    step: 'Step',
    stepFor: 'In step',
    waiting: 'Waits for',
    progress: 'Transfer',
    started: 'Started',
    ended: 'Ended',
    took: 'Took',
    due: 'Due',
    outcome: 'Outcome',
    wish: 'Wish',
    heldTwice: 'Held twice',
    heldTwiceFor: 'Held for',
    overdue: 'Overdue by its history',
  },
  empty: {
    flight: 'No move in flight',
    waiting: 'No move waits',
    overdue: 'No move is overdue',
    history: 'No move has ended yet',
    all: 'No move yet',
  },
  emptyMore: 'Moves are started from an instance.',
  sameHost: 'same host',
  left: (size: string) => `${size} left`,
  nowhere: 'none',
  anyHost: 'chosen by the scheduler',
  pickFirst: 'Tick moves in the table first.',
  filters: {
    instance: 'name of the instance; web-* for many',
    state: 'how it stands; overdue by the history of its hosts',
    operation: 'kind of move',
    host: 'either of its hosts',
    from: 'host it leaves',
    to: 'host it goes to',
    step: 'step it is in',
    waiting: 'what it waits for',
    wish: 'what was asked of it',
    outcome: 'how it ended',
  },
  bulk: (verb: string, n: number) => `${verb} ${plural(n, 'move')}`,
  stepOf: (step: string, n: number, of: number) => `${step}, step ${n} of ${of}`,
  heading: { source: 'turning back to the source', target: 'going forward' },
  home: (side: Side) => `by the books the guest lives at the ${side}`,
  noWayBack: 'no way back',
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
  timeline: {
    spanLabel: (holder: string, held: string) => `${holder}: ${held}`,
    barTip: (what: string, more: readonly (string | null)[]) => [what, ...more].filter(Boolean).join(', '),
    lasted: (took: string | null) => took ?? 'still going on',
    from: (at: string) => `from ${at}`,
    title: 'Steps and what each side holds',
    hint: 'Arrow keys walk the bars.',
    lane: 'Lane',
    what: 'What',
    server: 'Servers',
    away: 'no server led it',
    overdueFrom: 'overdue from here, by its history',
    pace: 'By history',
    axis: { utc: 'Time, UTC', local: 'Time, local' },
    steps: 'Steps',
    held: (side: string, host: string) => `${side}: ${host}`,
    heldBy: { instance: 'held by the instance', migration: 'held by the migration' },
    heldOnTarget: 'held by the instance, on the target',
    step: 'Step',
    fromHead: 'From',
    took: 'Took',
    result: 'Result',
    note: 'Note',
    heading: 'Heading',
  },
  pace: {
    overdue: 'overdue',
    by: (time: string) => `by ${time}`,
    byWith: (time: string, pace: string) => `by ${time}; ${pace}`,
    pair: (p95: string, n: number) => `p95 ${p95} of ${plural(n, 'move')} on this pair of hosts`,
    step: (p95: string, n: number, here: number) => `p95 ${p95} of ${plural(n, 'move')}, ${here} on this pair`,
    none: 'no history: fewer than 5 did this step',
  },
  status: {
    inStep: (step: string) => `In ${step} for`,
    overdue: (by: string) => `; overdue by ${by}`,
  },
  facts: {
    title: 'Facts by source',
    source: 'Source',
    host: 'Host',
    says: 'Says',
    state: 'Answered',
    age: 'Age',
    answered: 'answered',
    silent: 'no answer',
    sources: {
      records: 'Records',
      allocations: 'Allocations',
      hypervisor: 'Hypervisor',
      transfer: 'Transfer, as reported',
    },
    of: (source: string, side: string | null) => (side === null ? source : `${source}, ${side}`),
  },
  stepTimes: {
    tab: 'Step times',
    title: 'Step times over the history',
    reading:
      'From the median (line) up to p95, each picture to its own height, all over the same time. Done steps on the way forward.',
    until: 'to',
    operation: 'Operation',
    step: 'Step',
    p50: 'Median',
    p95: 'p95',
    samples: 'Moves',
    of: (n: number) => plural(n, 'move'),
    never: (step: string) => `no ${step}`,
    median: (p50: string) => `median ${p50}`,
    high: (p95: string) => `p95 ${p95}`,
    bucket: (p50: string, p95: string, n: number) => `median ${p50}, p95 ${p95}, ${plural(n, 'move')}`,
    says: (step: string, { p50, p95, n }: { p50: string; p95: string; n: number }) =>
      `${step}: median ${p50}, p95 ${p95} of ${plural(n, 'move')}`,
    none: 'No move has ended yet',
    noneMore: 'What steps take is told by moves that ended.',
  },
  raw: {
    title: 'Raw data of the move',
    copy: 'Copy as JSON',
    save: 'Save as file',
    file: (id: string) => `migration-${id}.json`,
    from: 'As the API answers it (migration.byId): times are ms since 1970 in UTC, units are in the names.',
  },
  whyNot: 'Why not? Ask every host again',
  cause: 'Why it turned back',
  heldTwiceFor: ', for',
  carried: 'It is being carried forward; nobody is waited for.',
  heldTwiceNow: (held: string) => `Held on both sides: ${held}`,
  due: 'Confirmed by itself',
  tried: 'Hosts tried',
  attempt: 'Attempt',
  generation: 'Generation, fence',
  startedBy: 'Started by',
  requested: 'Asked for',
  wishTrail: {
    asked: 'asked',
    accepted: 'accepted',
    effective: 'effective',
    notYet: 'not yet',
    refused: 'not heeded',
  },
  stepper: { done: 'done', ahead: 'not yet' },
  transfer: {
    title: 'Transfer',
    remaining: 'Remaining',
    total: 'Total',
    dirty: 'Dirty rate',
    chart: 'Remaining against dirty rate',
    keys: 'Arrow keys or the pointer read a moment.',
    legend: {
      remaining: 'remaining (left)',
      dirty: 'dirty rate (right)',
      bandwidth: 'bandwidth (right)',
      round: 'new round',
    },
    gap: (time: string) => `from ${time} on nothing was measured`,
    roundMark: (n: number) => `round ${n}`,
    downtimeMark: (ms: number) => `stood still ${ms} ms`,
    at: (time: string, of: { iteration: number; left: string; dirty: string; sent: string }) =>
      `${time}, round ${of.iteration}: ${of.left} left, dirty ${of.dirty}, bandwidth ${of.sent}`,
    bandwidth: 'Bandwidth',
    iteration: 'Iteration',
    downtime: 'Downtime',
    measured: 'Measured',
    converging: 'It gets smaller faster than the guest writes.',
    notConverging: 'The guest writes as fast as it is copied; it will not end by itself.',
    postCopyOver: 'Post-copy ended it: from then on there was no way back.',
    postCopy: 'Post-copy: the guest runs at the target and fetches what is missing. No way back.',
    none: 'No transfer yet',
    noneMore: 'Figures appear when the transfer has started.',
    table: 'Figures over time',
    time: 'Time',
    needsTransfer: 'a running transfer',
  },
  claims: {
    source: 'Source holds',
    target: 'Target holds',
    nothing: 'nothing',
    keepsClaim: 'This rebuild keeps its one claim: there is no other side to hold.',
  },
  consequences: {
    frees: 'Frees',
    keeps: 'Keeps',
    refused: 'Not now',
    stops: (n: number) => `${plural(n, 'guest')} will be paused or stopped`,
    noWayBack: 'There is no way back after this.',
    nothing: 'Nothing is held on the other side.',
  },
  actions: { title: 'Actions on this move' },
  accepted: (verb: string) => `${verb}: accepted`,
  acceptedMore: 'It takes effect between two acts of the move; the page shows when.',
  results: {
    title: (verb: string, taken: number, not: number) => `${verb}: ${taken} accepted, ${not} not`,
    each: 'Each move answers for itself: one that does not take it leaves the others as they are.',
    table: 'What came of each move',
    move: 'Move of',
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
    } satisfies Readonly<Record<Wish, string>>,
  },
  overdue: (ms: number) => `due ${duration(ms)} ago`,
} as const
