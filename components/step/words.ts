import type { Operation, Step } from '@/server/engine/migration/state'
import type { StateLook } from '../ui/Badge'

// What every page says of a move, if only in the bar below it: what it is, and how far. All else is in migration/words.

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

/** What every list of moves tells of each. */
export const flightWords = {
  none: 'No move in flight',
  noneMore: 'Moves are started from an instance.',
  sameHost: 'same host',
  notConverging: 'not converging',
  left: (size: string) => `${size} left`,
} as const

/** Records name a host by its id; people read its name, once. */
export function hostWaitText(host: { readonly id: string; readonly name: string }, why: string): string {
  const named = why.replaceAll(host.id, host.name)
  return named.includes(host.name) ? named : `${host.name}: ${named}`
}
