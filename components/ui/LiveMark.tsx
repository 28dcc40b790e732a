'use client'
import { StateBadge, type StateLook } from './Badge'
import { duration } from './format'

// Whether the screen can be trusted right now. Always visible, in the same place.

export type Liveness = 'live' | 'polling' | 'connecting' | 'stale' | 'offline'

const looks: Readonly<Record<Liveness, StateLook & { readonly tip: string }>> = {
  live: { shape: 'dot', tone: 'ok', label: 'Live', tip: 'Changes are shown within two seconds.' },
  polling: {
    ...{ shape: 'half', tone: 'warn', label: 'Polling' },
    tip: 'No channel reaches this browser, so the server is asked every two seconds.',
  },
  connecting: { shape: 'half', tone: 'flow', label: 'Connecting', tip: 'Waiting for the first message.' },
  stale: { shape: 'triangle', tone: 'warn', label: 'Stale', tip: 'No message for a while. What you see may be old.' },
  offline: { shape: 'cross', tone: 'bad', label: 'Offline', tip: 'The connection is lost; trying again by itself.' },
}

export function LiveMark({ state, silentMs }: { state: Liveness; silentMs: number }) {
  const look = looks[state]
  return (
    <span role="status" title={look.tip} className="inline-flex min-w-24 text-xs">
      <StateBadge look={look} detail={state === 'stale' || state === 'offline' ? duration(silentMs) : undefined} />
    </span>
  )
}
