import type { Operation, Step } from '@/server/engine/migration/state'
import type { BadgeContent } from '../ui/Badge'

// What every page shows about a migration, if only in the task bar: operation and step. The rest is in migration/words.

/** `verb` is on buttons, `noun` in rows, `done` in messages. */
export const operationWords: Readonly<
  Record<Operation, { readonly noun: string; readonly verb: string; readonly hint: string; readonly done: string }>
> = {
  'live-migrate': {
    noun: 'live migration',
    verb: 'Live-migrate',
    hint: 'keeps running',
    done: 'Live migration started',
  },
  'cold-migrate': {
    noun: 'cold migration',
    verb: 'Cold-migrate',
    hint: 'stops, moves, then awaits confirmation',
    done: 'Cold migration started',
  },
  resize: { noun: 'resize', verb: 'Resize', hint: 'new flavor, any host', done: 'Resize started' },
  evacuate: {
    noun: 'evacuation',
    verb: 'Evacuate',
    hint: 'rebuilt on another host; its host is fenced',
    done: 'Evacuation started',
  },
  rebuild: { noun: 'rebuild', verb: 'Rebuild', hint: 'same host, new image', done: 'Rebuild started' },
  unshelve: { noun: 'unshelve', verb: 'Unshelve', hint: 'restored on any host', done: 'Unshelve started' },
}

export const stepBadges: Readonly<Record<Step, BadgeContent>> = {
  claim: { shape: 'ring', tone: 'flow', label: 'claim' },
  prepare: { shape: 'ring', tone: 'flow', label: 'prepare' },
  transfer: { shape: 'half', tone: 'flow', label: 'transfer' },
  switch: { shape: 'diamond', tone: 'flow', label: 'switch' },
  verify: { shape: 'pause', tone: 'warn', label: 'verify' },
  release: { shape: 'outof', tone: 'flow', label: 'release' },
  ended: { shape: 'tick', tone: 'idle', label: 'ended' },
}

/** Columns that every list of migrations has. */
export const flightWords = {
  none: 'No active migrations',
  noneMore: 'Start a migration from an instance.',
  sameHost: 'same host',
  notConverging: 'not converging',
  left: (size: string) => `${size} left`,
} as const

/** Replaces the host id in a stored reason by the host's name, which appears once. */
export function hostWaitText(host: { readonly id: string; readonly name: string }, why: string): string {
  const named = why.replaceAll(host.id, host.name)
  return named.includes(host.name) ? named : `${host.name}: ${named}`
}
