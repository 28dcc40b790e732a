import type { Liveness } from '../../ui/LiveMark'
import type { ChannelTransport } from './channel'

// Liveness of the screen, from the last message received and any failure since.

const STALE_AFTER_MS = 40_000 // eight missed heartbeats; the documentation states this number

export interface LivenessFacts {
  /** By the browser's clock; null before the first item. */
  readonly lastAt: number | null
  readonly transport: ChannelTransport
  /** The server has not responded since. */
  readonly disconnected: boolean
}

export const INITIAL_LIVENESS: LivenessFacts = { lastAt: null, transport: 'stream', disconnected: false }

export function livenessOf(
  { lastAt, transport, disconnected }: LivenessFacts,
  now: number,
): { state: Liveness; silentMs: number } {
  const silentMs = lastAt === null ? 0 : Math.max(0, now - lastAt)
  if (disconnected) return { state: 'offline', silentMs }
  if (lastAt === null) return { state: 'connecting', silentMs }
  if (silentMs > STALE_AFTER_MS) return { state: 'stale', silentMs }
  return { state: transport === 'stream' ? 'live' : 'polling', silentMs }
}
