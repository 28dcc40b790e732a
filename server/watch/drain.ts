import type { Attribution } from '../engine/change'
import { type PreparedAction, prepareAction, type RequestedCloudAction } from '../engine/cloud/action/prepare'
import { type DrainCall, drainStep } from '../engine/cloud/drain/step'
import { type CloudFacts, DEFAULT_SETTINGS, factsOf } from '../engine/cloud/facts'
import type { CloudSnapshot } from '../engine/cloud/snapshot'
import {
  type CloudDrainRow,
  endCloudDrain,
  noteCloudDrain,
  readDrainTries,
  readOpenCloudDrains,
} from '../store/cloud/drain'
import type { Database } from '../store/database/database'

// Drains of hosts: after each poll the next calls are recomputed, sent like an operator's, and followed like them.

export interface DrainedAction extends PreparedAction {
  readonly id: string
  readonly snapshot: CloudSnapshot
  readonly drain: string
}

/** The result of an action; without outcomes nothing was tried. */
interface DrainedResult {
  readonly did: string
  readonly outcomes?: readonly { readonly did: string; readonly says: string }[]
  /** The cloud takes no more calls for this long; 0: it does not say how long. */
  readonly limitedMs?: number | null
}

export interface Drainer {
  readonly database: Database
  /** Sends the action if the cloud may be acted on, after everything it relies on was read again. */
  sendAction(action: DrainedAction, attribution: Attribution): Promise<DrainedResult>
  attribution(): Attribution
  readonly limit: CloudLimit
}

/** How long a cloud takes no more calls, by its own `Retry-After`; shared by all its drains. */
export class CloudLimit {
  readonly #monotonicMs: () => number
  #until = Number.NEGATIVE_INFINITY

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  get isOver(): boolean {
    return this.#monotonicMs() >= this.#until
  }

  extend(ms: number): void {
    this.#until = Math.max(this.#until, this.#monotonicMs() + ms)
  }
}

/** Runs the cloud's open drains; returns how many continue. */
export async function runDrains(drainer: Drainer, cloud: string, snapshot: CloudSnapshot): Promise<number> {
  const drains = (await readOpenCloudDrains(drainer.database)).filter((row) => row.cloud === cloud)
  if (drains.length === 0) return 0
  const facts = factsOf(snapshot, DEFAULT_SETTINGS)
  let left = 0
  for (const drain of drains) if (!(await runOne(drainer, drain, facts))) left++
  return left
}

async function runOne(drainer: Drainer, drain: CloudDrainRow, facts: CloudFacts): Promise<boolean> {
  const { database } = drainer
  const { host, cold, most } = drain
  const tries = await readDrainTries(database, drain.id)
  const { state, detail, next } = drainStep(facts, { host, options: { cold, most }, tries })
  if (state !== 'going') {
    await endCloudDrain(database, { id: drain.id, state, says: detail }, drainer.attribution())
    return true
  }
  if (!drainer.limit.isOver) return false
  const held = new Set<string>()
  for (const call of next) {
    const { why, limitedMs } = await sendOne(drainer, { drain, facts, call })
    if (why !== null) held.add(why)
    if (limitedMs === null) continue
    // The others would only add to what the cloud has too much of.
    drainer.limit.extend(limitedMs)
    break
  }
  if (next.length > 0) {
    const text = held.size === 0 ? null : `Not sent at present: ${[...held].join('; ')}.`
    await noteCloudDrain(database, { id: drain.id, says: text }, attributionOf(drainer, drain))
  }
  return false
}

interface One {
  readonly drain: CloudDrainRow
  readonly facts: CloudFacts
  readonly call: DrainCall
}

/** In the name of the operator who started it, so that the audit log has each call. */
const attributionOf = (drainer: Drainer, { id, who, reason }: CloudDrainRow): Attribution => ({
  actor: { who, request: id, reason },
  at: drainer.attribution().at,
})

const UNTRIED: Readonly<Record<string, string>> = {
  'read-only': 'actions are not allowed on this cloud',
  unwatched: 'the cloud is not watched',
  sealed: 'the settings of the cloud are sealed with another key',
  'no-key': 'the key for clouds on this server cannot be used',
}

interface SentCall {
  /** Why it was not sent: it is recomputed with the next poll. Null: it was sent. */
  readonly why: string | null
  readonly limitedMs: number | null
}

async function sendOne(drainer: Drainer, { drain, facts, call: { verb, subject, host } }: One): Promise<SentCall> {
  const { reason, cloud } = drain
  const input: RequestedCloudAction['input'] = {
    ...{ host, storage: 'auto', flavor: null, state: 'active' },
    reason: reason ?? '',
  }
  const prepared = prepareAction(facts, { verb, subject, input })
  if (typeof prepared === 'string') return { why: prepared, limitedMs: null }
  const action = { ...prepared, id: cloud, snapshot: facts.snapshot, drain: drain.id }
  const { did, outcomes, limitedMs = null } = await drainer.sendAction(action, attributionOf(drainer, drain))
  if (outcomes === undefined) return { why: UNTRIED[did] ?? null, limitedMs }
  const stopped = outcomes.find((each) => each.did === 'not-sent')
  return { why: stopped === undefined ? null : `${prepared.name}: ${stopped.says}`, limitedMs }
}
