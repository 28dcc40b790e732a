import type { LayoutState, LayoutWave, TreeNode } from '@/server/api/layout/view'
import type { StateLook } from '../ui/Badge'
import { plural } from '../ui/format'

export const layoutLooks: Readonly<Record<LayoutState, StateLook>> = {
  flat: { shape: 'ring', tone: 'idle', label: 'flat' },
  planned: { shape: 'half', tone: 'flow', label: 'planned' },
  blocked: { shape: 'pause', tone: 'warn', label: 'blocked' },
  transforming: { shape: 'diamond', tone: 'flow', label: 'transforming' },
  healed: { shape: 'dot', tone: 'ok', label: 'healed' },
  verified: { shape: 'tick', tone: 'ok', label: 'verified' },
  failed: { shape: 'cross', tone: 'bad', label: 'failed' },
}

export const layoutMeans: Readonly<Record<LayoutState, string>> = {
  flat: 'all on the root; claims work as ever',
  planned: 'a plan is ready; nothing is written',
  blocked: 'stays flat, and takes claims all the same',
  transforming: 'being written, in one transaction',
  healed: 'children hold what the root held',
  verified: 'sums and assignments are as before',
  failed: 'nothing was written; the host is as it was',
}

export const waveLooks: Readonly<Record<LayoutWave['state'], StateLook>> = {
  running: { shape: 'half', tone: 'flow', label: 'running' },
  paused: { shape: 'pause', tone: 'warn', label: 'paused' },
  done: { shape: 'tick', tone: 'ok', label: 'done' },
  stopped: { shape: 'square', tone: 'idle', label: 'stopped' },
}

export const nodeWords: Readonly<Record<TreeNode['is'], string>> = {
  root: 'root',
  cell: 'NUMA cell',
  pf: 'PF',
  gpu: 'GPU',
  pmem: 'PMEM',
}

export const layoutWords = {
  title: 'Layout',
  board: 'Hosts by state of their layout',
  filter: 'Host, id or what blocks it',
  filters: {
    host: 'name of the host; h-0* for many',
    state: 'how far its layout is',
    zone: 'zone of the host',
    blocked: 'what is in the way; * for anything',
    wave: 'the wave it was in',
    by: 'who did the last step',
  },
  states: 'States',
  columns: {
    host: 'Host',
    zone: 'Zone',
    state: 'State',
    tree: 'Tree',
    why: 'Blocked by',
    consumers: 'Consumers',
    version: 'Version',
    wave: 'Wave',
    by: 'By',
    at: 'When',
  },
  open: (host: string) => `Layout of ${host}`,
  show: 'now and after',
  dryRun: 'Dry run of the fleet',
  dryRunDone: (planned: number, blocked: number) => `${plural(planned, 'host')} planned, ${blocked} blocked`,
  dryRunMore: 'Only markers were written. No provider, inventory or allocation was touched.',
  host: {
    before: 'Now',
    after: 'After',
    lines: 'What would change',
    noAfter: 'No plan: the host stays as it is.',
    blocked: 'Stays flat',
    blockedMore: 'It takes claims all the same.',
    apply: 'Apply',
    applyTo: (host: string) => `Apply to ${host}`,
    moved: (n: number) => `${plural(n, 'allocation')} ${n === 1 ? 'changes' : 'change'} its provider in the records`,
    lineCount: (n: number) => `${plural(n, 'row')} written in one transaction`,
    nothingMoves: 'No guest moves, stops or is asked anything. All or nothing.',
    done: (host: string, state: string) => `${host}: ${state}`,
    tree: (when: string) => `Providers, ${when}`,
    treeColumns: { node: 'Provider', resourceClass: 'Class', total: 'Total', reserved: 'Reserved', used: 'Used' },
    children: (n: number) => plural(n, 'child', 'children'),
    noPicked: 'Pick a host to see its tree before and after.',
  },
  wave: {
    title: 'Wave',
    none: 'No wave has run.',
    start: 'Start a wave',
    startOn: (n: number) => (n === 0 ? 'Start a wave over all' : `Start a wave over ${plural(n, 'host')}`),
    all: 'every host that is not healed yet',
    chosen: (n: number) => plural(n, 'ticked host'),
    consequences: (what: string) => `One host after the other: ${what}. It stops at the first failure.`,
    skips: 'Hosts that are healed are skipped. Nothing moves and no guest stops.',
    running: 'A wave is under way; it ends or is stopped first.',
    facts: {
      hosts: 'Hosts',
      healed: 'Healed',
      skipped: 'Skipped',
      blocked: 'Stay flat',
      failed: 'Failed',
      by: 'By',
      at: 'Started',
    },
    nobodyFailed: 'none',
    pause: 'Pause',
    resume: 'Resume',
    stop: 'Stop',
    accepted: (verb: string) => `${verb}: accepted`,
    started: 'Wave started',
  },
} as const
