import { setTimeout as wait } from 'node:timers/promises'
import type { Actor, Change, ChangeResult } from '../engine/change'
import { type FencingEnd, nextFencingStep, type PowerReading } from '../engine/fencing/fencing'
import type { Host } from '../engine/host'
import { hostChange } from '../engine/host-change'
import type { Database } from '../store/database/database'
import {
  endFencing,
  type FencingRow,
  noteOrder,
  noteOrdered,
  noteReading,
  readOpenFencings,
} from '../store/fencing/fencing'
import { readHost } from '../store/host/read'
import type { FencingMethod } from './method'

// Carries out requested fencings: reads the power, orders power-off, and reads again until it is off. All state that
// must survive is in the row, so that the next server continues after one that dies; it begins with a read.

export interface FencerParts {
  readonly database: Database
  methodFor(host: Pick<Host, 'id' | 'name' | 'driver'>): FencingMethod | null
  commit(change: Change): Promise<ChangeResult>
  now(): number
  onError(what: string, error: unknown): void
  /** Delay between two readings, in ms; set by tests. */
  readonly pollMs?: number
}

export interface Fencer {
  /** Starts every open fencing that this server does not run yet. */
  round(): Promise<void>
  /** Starts nothing more; commands that run longer are left alone, and the next server reads their result. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
const TRIES = 5 // other changes to the host may come first
const STOP_MS = 2_000

export function makeFencer(parts: FencerParts): Fencer {
  const stopping = new AbortController()
  const carried = new Map<string, Promise<void>>()
  const begin = (row: FencingRow) => {
    const work = runFencing(parts, row, stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) parts.onError('a fencing stopped; it is taken up again', error)
      })
      .finally(() => carried.delete(row.id))
    carried.set(row.id, work)
  }
  return {
    round: async () => {
      const open = await readOpenFencings(parts.database)
      if (!stopping.signal.aborted) for (const row of open) if (!carried.has(row.id)) begin(row)
    },
    stop: async () => {
      stopping.abort()
      const patience = new AbortController()
      await Promise.race([
        Promise.all(carried.values()),
        wait(STOP_MS, undefined, { signal: patience.signal }).catch(() => {}),
      ])
      patience.abort()
    },
  }
}

/** Runs until the fencing ends or this server stops. */
async function runFencing(parts: FencerParts, row: FencingRow, stopping: AbortSignal): Promise<void> {
  const { pollMs = POLL_MS } = parts
  const attempt = new Attempt(parts, row)
  while (!stopping.aborted && (await attempt.step())) {
    await wait(pollMs, undefined, { signal: stopping }).catch(() => {})
  }
}

class Attempt {
  readonly #parts: FencerParts
  readonly #actor: Actor
  #row: FencingRow
  #orderedHere = false
  #lastSaid = ''

  constructor(parts: FencerParts, row: FencingRow) {
    this.#parts = parts
    this.#row = row
    this.#actor = { who: row.who, request: row.request, reason: row.reason }
  }

  /** False if the fencing is over or another server continues it. */
  async step(): Promise<boolean> {
    const { database } = this.#parts
    const host = await readHost(database, this.#row.host)
    if (host === null) return false
    const method = this.#parts.methodFor(host)
    if (method?.kind !== this.#row.method) return this.#end('failed', 'no method is configured for this host any more')
    // An operator marked it as up after the request, and wants it to run.
    if (host.status === 'up') return this.#end('failed', 'the host is marked as up; nothing more is ordered')
    const reading = method.readPower === null ? null : await method.readPower()
    if (reading) await this.#note(reading)
    const { orders, accepted, deadlineAt } = this.#row
    const ordered = this.#orderedHere ? 'here' : orders > 0 ? 'earlier' : 'no'
    const next = nextFencingStep({ reading, ordered, accepted, now: this.#parts.now(), deadlineAt })
    if (next.do === 'poll') return true
    if (next.do === 'order') return this.#order(method)
    if (next.state === 'verified') await this.#stateFenced(host)
    return this.#end(next.state, endText(next.state, reading))
  }

  async #note({ detail }: PowerReading): Promise<void> {
    if (detail === this.#lastSaid) return
    this.#lastSaid = detail
    await noteReading(this.#parts.database, this.#noteOf(detail))
  }

  async #order(method: FencingMethod): Promise<boolean> {
    const { database } = this.#parts
    const { orders } = this.#row
    // Checked again: reading the power may have taken seconds.
    if ((await readHost(database, this.#row.host))?.status === 'up') return true
    if (!(await noteOrder(database, { ...this.#noteOf('power-off ordered'), orders }))) return false
    this.#orderedHere = true
    this.#row = { ...this.#row, orders: orders + 1, accepted: null }
    const { accepted, detail } = await method.orderOff()
    this.#row = { ...this.#row, accepted }
    return noteOrdered(database, { ...this.#noteOf(detail), orders: orders + 1, accepted })
  }

  /** In the name of the operator who requested it, with the fencing and its approval as the grounds. */
  async #stateFenced(found: Host): Promise<void> {
    const { database, commit, now } = this.#parts
    const evidence = { fencing: this.#row.id, ...this.#row.approved }
    // If it was marked as up or lost meanwhile, that status stays.
    for (let attempt = 1, host: Host | null = found; host?.status === 'down'; attempt++) {
      const word = { set: { status: 'fenced' }, evidence, actor: this.#actor, at: now() } as const
      const committed = await commit(hostChange(host, word))
      if (committed.ok) return
      if (attempt === TRIES) throw new Error(`The status of ${found.name} kept changing.`)
      host = await readHost(database, found.id)
    }
  }

  async #end(state: FencingEnd, says: string): Promise<false> {
    await endFencing(this.#parts.database, { ...this.#noteOf(says), state })
    return false
  }

  #noteOf(says: string) {
    return { id: this.#row.id, says, actor: this.#actor, at: this.#parts.now() }
  }
}

function endText(state: FencingEnd, reading: PowerReading | null): string {
  if (state === 'verified') return 'verified: the machine says that it is off'
  if (state === 'unverified') return 'ordered, but the machine does not say that it is off'
  if (reading === null) return 'the command did not power it off'
  if (reading.denied) return 'it does not accept the account'
  return reading.power === 'on' ? 'it is still on' : 'its power state is unknown'
}
