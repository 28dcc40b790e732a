'use client'
import { type BadgeContent, StateBadge } from './Badge'
import { duration } from './format'
import { uiWords } from './words'

// Whether the screen is live. Always visible, in the same place.

const MIN_SILENCE_MS = 1000 // a shorter silence is not shown

export type Liveness = 'live' | 'polling' | 'connecting' | 'stale' | 'offline'

const badges: Readonly<Record<Liveness, Omit<BadgeContent, 'label'>>> = {
  live: { shape: 'dot', tone: 'ok' },
  polling: { shape: 'half', tone: 'warn' },
  connecting: { shape: 'half', tone: 'flow' },
  stale: { shape: 'triangle', tone: 'warn' },
  offline: { shape: 'cross', tone: 'bad' },
}

export function LiveMark({ state, silentMs }: { state: Liveness; silentMs: number }) {
  const { label, tip } = uiWords.liveness[state]
  const silent = (state === 'stale' || state === 'offline') && silentMs >= MIN_SILENCE_MS
  return (
    <span role="status" title={tip} className="inline-flex min-w-24 text-xs max-lg:min-w-0">
      <StateBadge badge={{ ...badges[state], label }} detail={silent ? duration(silentMs) : undefined} />
    </span>
  )
}
