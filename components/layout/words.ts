import type { LayoutRollout, LayoutState, TreeNode } from '@/server/api/layout/view'
import type { BadgeContent } from '../ui/Badge'
import { plural } from '../ui/format'

export const layoutBadges: Readonly<Record<LayoutState, BadgeContent>> = {
  flat: { shape: 'ring', tone: 'idle', label: 'flat' },
  planned: { shape: 'half', tone: 'flow', label: 'planned' },
  blocked: { shape: 'pause', tone: 'warn', label: 'blocked' },
  transforming: { shape: 'diamond', tone: 'flow', label: 'converting' },
  healed: { shape: 'dot', tone: 'ok', label: 'converted' },
  verified: { shape: 'tick', tone: 'ok', label: 'verified' },
  failed: { shape: 'cross', tone: 'bad', label: 'failed' },
}

export const layoutMeans: Readonly<Record<LayoutState, string>> = {
  flat: 'all inventory on the root provider; claims work normally',
  planned: 'a plan is ready; nothing is written',
  blocked: 'stays flat and still accepts claims',
  transforming: 'being written in one transaction',
  healed: 'inventory and allocations are on child providers',
  verified: 'totals and allocations are as before',
  failed: 'nothing was written; the host is unchanged',
}

export const rolloutBadges: Readonly<Record<LayoutRollout['state'], BadgeContent>> = {
  running: { shape: 'half', tone: 'flow', label: 'running' },
  paused: { shape: 'pause', tone: 'warn', label: 'paused' },
  done: { shape: 'tick', tone: 'ok', label: 'done' },
  stopped: { shape: 'square', tone: 'idle', label: 'stopped' },
}

export const nodeWords: Readonly<Record<TreeNode['is'], string>> = {
  root: 'root',
  cell: 'NUMA node',
  pf: 'PF',
  gpu: 'GPU',
  pmem: 'PMEM',
}

export const layoutWords = {
  title: 'Provider layout',
  board: 'Hosts by layout state',
  filter: 'Host, id or blocker',
  filters: {
    host: 'name of the host; h-0* for many',
    state: 'layout state',
    zone: 'availability zone',
    blocked: 'what blocks the conversion; * for anything',
    wave: 'rollout it was part of',
    by: 'who made the last change',
  },
  states: 'States',
  columns: {
    host: 'Host',
    zone: 'Zone',
    state: 'State',
    tree: 'Providers',
    why: 'Blocked by',
    consumers: 'Consumers',
    version: 'Version',
    wave: 'Rollout',
    by: 'By',
    at: 'When',
  },
  open: (host: string) => `Layout of ${host}`,
  show: 'now and after',
  dryRun: 'Dry-run the fleet',
  dryRunDone: (planned: number, blocked: number) => `${plural(planned, 'host')} planned, ${blocked} blocked`,
  dryRunMore: 'Only the plans were written. No provider, inventory or allocation changed.',
  host: {
    before: 'Now',
    after: 'After',
    lines: 'Changes',
    noAfter: 'No plan: the host stays as it is.',
    blocked: 'Stays flat',
    blockedMore: 'It still accepts claims.',
    apply: 'Convert to nested',
    applyTo: (host: string) => `Convert ${host} to nested`,
    moved: (n: number) => `${plural(n, 'allocation')} recorded at another provider`,
    lineCount: (n: number) => `${plural(n, 'row')} written in one transaction`,
    nothingMoves: 'No instance migrates or stops. All or nothing is written.',
    done: (host: string, state: string) => `${host}: ${state}`,
    tree: (when: string) => `Providers, ${when}`,
    treeColumns: {
      node: 'Provider',
      resourceClass: 'Class',
      total: 'Total',
      reserved: 'Reserved',
      ratio: 'Ratio',
      used: 'Used / capacity',
    },
  },
  rollout: {
    title: 'Rollout',
    none: 'No rollout yet.',
    start: 'Start rollout',
    startOn: (n: number) => (n === 0 ? 'Start rollout on all hosts' : `Start rollout on ${plural(n, 'host')}`),
    all: 'every host that is not converted yet',
    chosen: (n: number) => plural(n, 'selected host'),
    consequences: (what: string) => `Converts one host at a time: ${what}. It stops at the first failure.`,
    skips: 'Converted hosts are skipped. No instance migrates or stops.',
    running: 'A rollout is running; let it end or stop it first.',
    facts: {
      hosts: 'Hosts',
      healed: 'Converted',
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
    started: 'Rollout started',
  },
} as const
