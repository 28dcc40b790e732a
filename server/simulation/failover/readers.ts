import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../store/database/database'
import { readEventsAfter } from '../../store/event/read'
import type { Broken } from '../laws'
import type { Copy } from './crew'

// A program that follows the events of one copy, as a dashboard does, whatever becomes of the copy and its database.

const POLL_MS = 150
const ANSWER_MS = 20_000

export interface Reader {
  /** What it saw, and what of that cannot be. */
  stop(): Promise<{ readonly seen: ReadonlyMap<bigint, string>; readonly broken: readonly Broken[] }>
}

interface Message {
  readonly is: 'events' | 'beat'
  readonly seq: string
  readonly events?: readonly { readonly seq: string; readonly kind: string }[]
}

export function startReader(copy: () => Copy | null, token: string): Reader {
  const seen = new Map<bigint, string>()
  const broken: Broken[] = []
  let [at, stopped]: [bigint | null, boolean] = [null, false]
  const hear = (message: Message) => {
    for (const { seq, kind } of message.events ?? []) {
      const sequence = BigInt(seq)
      if (at !== null && sequence <= at) backwards(`event ${seq} after ${at}`)
      seen.set(sequence, kind)
      at = sequence
    }
    if (at !== null && BigInt(message.seq) < at) backwards(`the end is ${message.seq}, ${at} was seen`)
    at = BigInt(message.seq)
  }
  const backwards = (what: string) => void broken.push({ law: 'no reader goes back in time', what })
  const reading = (async () => {
    while (!stopped) {
      for (const message of await poll(copy(), { token, after: at })) hear(message)
      await pause(POLL_MS)
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await reading
      return { seen, broken }
    },
  }
}

/** Nothing when no answer comes, or one that says that it cannot be told now. */
async function poll(
  copy: Copy | null,
  { token, after }: { readonly token: string; readonly after: bigint | null },
): Promise<readonly Message[]> {
  if (copy === null) return []
  const asked = after === null ? '' : `?after=${after}`
  try {
    const answer = await fetch(`${copy.api}/api/v1/events/since${asked}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    return answer.ok ? ((await answer.json()) as readonly Message[]) : []
  } catch {
    return []
  }
}

/** Events that were seen and are not in the records. */
export async function forgotten(database: Database, seen: ReadonlyMap<bigint, string>): Promise<Broken[]> {
  const kept = new Map<bigint, string>()
  for (let after = -1n; ; ) {
    const events = await readEventsAfter(database, after)
    for (const { sequence, kind } of events) kept.set(sequence, kind)
    const last = events.at(-1)
    if (!last) break
    after = last.sequence
  }
  return [...seen].flatMap(([sequence, kind]) =>
    kept.get(sequence) === kind
      ? []
      : [{ law: 'what a reader saw stays', what: `event ${sequence} was ${kind} and is ${kept.get(sequence)}` }],
  )
}
