import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../store/database/database'
import { readEventsAfter } from '../../store/event/read'
import type { LawViolation } from '../laws'
import { type Copy, METRICS_TOKEN } from './berth-copies'

// A client that follows the events of one copy, as a dashboard does, through every fault of the copy and its database.
// Every event that it has received must also be in the list of events, which a replica may serve.

const POLL_MS = 150
const ANSWER_MS = 20_000

export interface Reader {
  /** Stops reading; returns the events seen and the laws broken. */
  stop(): Promise<{
    readonly seen: ReadonlyMap<bigint, string>
    readonly broken: readonly LawViolation[]
    readonly lists: PastCounts
  }>
}

export type PastCounts = Readonly<Record<'replica' | 'primary', number>>

interface Message {
  readonly is: 'events' | 'beat'
  readonly seq: string
  readonly events?: readonly { readonly seq: string; readonly kind: string }[]
}

export function startReader(copy: () => Copy | null, token: string): Reader {
  const seen = new Map<bigint, string>()
  const broken: LawViolation[] = []
  let [at, stopped]: [bigint | null, boolean] = [null, false]
  const hear = (message: Message) => {
    for (const { seq, kind } of message.events ?? []) {
      const sequence = BigInt(seq)
      if (at !== null && sequence <= at) backwards(`event ${seq} after ${at}`)
      seen.set(sequence, kind)
      at = sequence
    }
    if (at !== null && BigInt(message.seq) < at) backwards(`the stream ends at ${message.seq}, ${at} was received`)
    at = BigInt(message.seq)
  }
  const backwards = (what: string) => void broken.push({ law: 'the sequence never goes backwards for a reader', what })
  const reading = (async () => {
    while (!stopped) {
      const now = copy()
      for (const message of await poll(now, { token, after: at })) hear(message)
      const [newest] = await ask<readonly { readonly seq: string }[]>(
        now,
        { path: '/api/v1/events?limit=1', token },
        [],
      )
      if (newest && at !== null && BigInt(newest.seq) < at)
        backwards(`the list ends at ${newest.seq}, ${at} was received`)
      await pause(POLL_MS)
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await reading
      return { seen, broken, lists: await listsOf(copy()) }
    },
  }
}

const poll = (copy: Copy | null, { token, after }: { readonly token: string; readonly after: bigint | null }) =>
  ask<readonly Message[]>(copy, { path: `/api/v1/events/since${after === null ? '' : `?after=${after}`}`, token }, [])

interface Question {
  readonly path: string
  readonly token: string
}

/** Returns `otherwise` if there is no response, or an error status. */
async function ask<T>(copy: Copy | null, { path, token }: Question, otherwise: T): Promise<T> {
  if (copy === null) return otherwise
  try {
    const answer = await fetch(`${copy.api}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    if (!answer.ok) return otherwise
    return (answer.headers.get('content-type')?.includes('json') ? await answer.json() : await answer.text()) as T
  } catch {
    return otherwise
  }
}

/** How many lists of a copy the replica and the primary have served since the copy started. */
async function listsOf(copy: Copy | null): Promise<PastCounts> {
  const text = await ask(copy, { path: '/metrics', token: METRICS_TOKEN }, '')
  const count = (by: string) =>
    Number(new RegExp(`^berth_past_reads_total\\{by="${by}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  return { replica: count('replica'), primary: count('primary') }
}

/** Events that a reader received and that are not in the records. */
export async function forgotten(database: Database, seen: ReadonlyMap<bigint, string>): Promise<LawViolation[]> {
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
      : [
          {
            law: 'every event that a reader received is recorded',
            what: `event ${sequence} was received as ${kind}, recorded as ${kept.get(sequence)}`,
          },
        ],
  )
}
