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
  views: { flight: 'In flight', waiting: 'Waiting', history: 'History', all: 'All' },
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
  },
  empty: {
    flight: 'No move in flight',
    waiting: 'No move waits',
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
    adviser: 'Adviser',
    findings: 'Findings',
    events: 'Events',
  },
  timeline: {
    stepTip: (step: string, at: string, took: string | null) => `${step}, ${at}, ${took ?? '…'}`,
    spanLabel: (holder: string, held: string) => `${holder}: ${held}`,
    spanTip: (holder: string, held: string, at: string) => `${holder}, ${held}, ${at}`,
    title: 'Steps and what each side holds',
    axis: { utc: 'Time, UTC', local: 'Time, local' },
    steps: 'Steps',
    held: (side: string, host: string) => `${side}: ${host}`,
    heldBy: { instance: 'held by the instance', migration: 'held by the migration' },
    step: 'Step',
    from: 'From',
    took: 'Took',
    result: 'Result',
    note: 'Note',
    heading: 'Heading',
  },
  whyNot: 'Why not? Ask every host again',
  cause: 'Why it turned back',
  heldTwiceNow: (held: string) => `Held on both sides: ${held}.`,
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
    rates: 'Bandwidth (line), dirty rate (dashes)',
    bandwidth: 'Bandwidth',
    iteration: 'Iteration',
    downtime: 'Downtime',
    measured: 'Measured',
    converging: 'It gets smaller faster than the guest writes.',
    notConverging: 'The guest writes as fast as it is copied; it will not end by itself.',
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
  someRefused: (n: number) => `${plural(n, 'move')} did not take it`,
  overdue: (ms: number) => `due ${duration(ms)} ago`,
} as const
