import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { type CloudClient, openCloud } from '../cloud/client'
import { CloudError } from '../cloud/http/errors'
import { readActionFault } from '../cloud/mirror/nova-lists'
import { listenToNova } from '../cloud/notifications/listen'
import type { NotificationsFile } from '../cloud/notifications/settings'
import { FIXES } from '../cloud/probe'
import type { CloudSettings } from '../cloud/settings/cloud-settings'
import type { SealKey } from '../cloud/settings/seal'
import { unsealSettings } from '../cloud/settings/stored-settings'
import type { Actor } from '../engine/change'
import type { CloudSnapshot } from '../engine/cloud/snapshot'
import { type CloudRow, readClouds } from '../store/cloud/cloud'
import { writeParts } from '../store/cloud/part'
import type { Database } from '../store/database/database'
import { readEarlierPolls } from './cloud-cache'
import { CloudPoll } from './cloud-poll'
import { CloudLimit, type Drainer, runDrains } from './drain'
import { type Follower, fencedHosts, followActions, followedClouds, followedSubjects } from './follow'
import { PartSplitter, STATUS, statusText } from './parts'
import type { CloudStatus, NotificationStatus } from './status'
import { type WitnessReader, witnessedOf } from './witness'

// Watches every enabled cloud, each in a separate loop, so that a lost or slow one does not affect the others. The
// loops run where the periodic task runs, and end when it stops: one server at a time polls a cloud.

export interface WatcherParts {
  readonly database: Database
  readonly key: () => Promise<SealKey>
  readonly owner: string
  /** Ms since the epoch by the database's clock. */
  now(): number
  /** What libvirt reports on hosts of clouds. */
  readonly witness: WitnessReader
  /** Requests what a drain needs next from a cloud. */
  readonly sendAction: Drainer['sendAction']
  /** Where the Nova of some clouds sends its notifications. */
  readonly notifications: NotificationsFile
  onError(what: string, error: unknown): void
  /** Overrides the delays; set by tests. */
  readonly delayMs?: number
  readonly requestsPerSecond?: number
  readonly monotonicMs?: () => number
}

export interface Watcher {
  readonly name: string
  readonly everyMs: number
  round(stopping: AbortSignal): Promise<void>
  stop(): Promise<void>
}

const ROUND_INTERVAL_MS = 2_000
/** Without a round for this long, another server is assumed to have the task. */
const WITHOUT_TASK_MS = 10_000
/**
 * For bursts, such as a first pass or many migrations: at rest a cloud of 500 hosts gets fewer than three requests a
 * second. The first pass sends four for each provider.
 */
const MAX_REQUESTS_PER_S = 10
/** Retry delay for a cloud whose settings cannot be opened. */
const SEALED_MS = 30_000
const LOST_MS = { first: 5_000, most: 60_000 }
const JITTER = 0.2
/** Delay between polls while an operator's action is followed. */
const FOLLOW_MS = 2_000
/** Minimum delay between polls, however many notifications arrive; if an audit takes longer, its duration. */
const HINTED_MS = 1_000

interface Loop {
  /** Fingerprint of the settings; changed settings need a new loop. */
  readonly of: string
  readonly ending: AbortController
  readonly running: Promise<void>
  /** An action was requested: the next poll is due. */
  readonly pollNow: () => void
}

export function watchClouds(parts: WatcherParts): Watcher {
  const loops = new Map<string, Loop>()
  let lastRound = 0
  const hasTask = () => performance.now() - lastRound < WITHOUT_TASK_MS
  const begin = (row: CloudRow): Loop => {
    const ending = new AbortController()
    const isOver = () => ending.signal.aborted || !hasTask()
    const pause = resting(ending.signal)
    const running = watchOne(parts, { row, isOver, signal: ending.signal, pause })
      .catch((error: unknown) => parts.onError(`watching the cloud ${row.name} failed; it is restarted`, error))
      .finally(() => ending.abort())
    return { of: connectionFingerprint(row), ending, running, pollNow: pause.end }
  }
  return {
    name: 'clouds',
    everyMs: ROUND_INTERVAL_MS,
    round: async (stopping) => {
      lastRound = performance.now()
      const rows = (await readClouds(parts.database)).filter(({ enabled }) => enabled)
      const wanted = new Map(rows.map((row) => [row.id, row]))
      for (const [id, { of, ending }] of loops) {
        const row = wanted.get(id)
        if (row !== undefined && of === connectionFingerprint(row) && !ending.signal.aborted) continue
        ending.abort()
        loops.delete(id)
      }
      for (const row of rows) if (!loops.has(row.id) && !stopping.aborted) loops.set(row.id, begin(row))
      for (const id of await followedClouds(parts.database)) loops.get(id)?.pollNow()
    },
    stop: async () => {
      const all = [...loops.values()]
      for (const { ending } of all) ending.abort()
      loops.clear()
      await Promise.all(all.map(({ running }) => running))
    },
  }
}

/** Fingerprint of the settings and secret that reach a cloud. */
export const connectionFingerprint = ({ settings, secret }: CloudRow) =>
  `${JSON.stringify(settings)} ${secret.toString('base64')}`

interface CloudWatch {
  readonly row: CloudRow
  readonly isOver: () => boolean
  readonly signal: AbortSignal
  readonly pause: PollDelay
}

/** The delay between two polls, which ends early for a waiting request, and soon when something may have changed. */
interface PollDelay {
  /**
   * `leastMs`: minimum delay even after hints, so that polls do not take all the time. `deferredMs`: for this long the
   * cloud wants no request at all, however many are waiting.
   */
  readonly wait: (ms: number, leastMs: number, deferredMs: number) => Promise<void>
  readonly end: () => void
  /** Reports a possible change. A hint during a poll shortens the next delay. */
  readonly hint: () => void
}

function resting(signal: AbortSignal): PollDelay {
  let ending: AbortController | null = null
  let hinted = new AbortController()
  return {
    wait: async (ms, leastMs, deferredMs) => {
      const begun = performance.now()
      await pause(deferredMs, signal)
      ending = new AbortController()
      const ended = AbortSignal.any([signal, ending.signal])
      await pause(ms, AbortSignal.any([ended, hinted.signal]))
      if (hinted.signal.aborted) await pause(Math.min(ms, leastMs) - (performance.now() - begun), ended)
      hinted = new AbortController()
      ending = null
    },
    end: () => ending?.abort(),
    hint: () => hinted.abort(),
  }
}

const NO_SECRET = {
  error: 'its settings cannot be opened: they were changed, or sealed with another key than this server has',
  fix: 'Give this server the key that the cloud was added with (BERTH_CLOUD_KEY), or remove the cloud and add it again.',
}

async function watchOne(parts: WatcherParts, watched: CloudWatch): Promise<void> {
  const { row, signal } = watched
  const key = await parts.key().catch((error: Error) => error)
  const settings = key instanceof Error ? null : unsealSettings(row.id, row, key)
  const { status: earlier, steadySince } = await readEarlierPolls(parts.database, row.id)
  if (settings === null) {
    const problem = key instanceof Error ? { ...NO_SECRET, error: key.message } : NO_SECRET
    await writeProblem(parts, { cloud: row.id, earlier, problem })
    return pause(SEALED_MS, signal)
  }
  const client = await openClient(parts, row, { settings, earlier, steadySince })
  if (client === null) return void (await pause(LOST_MS.most, signal))
  const close = () => void client.close()
  // On abort, requests in flight are not waited for.
  signal.addEventListener('abort', close, { once: true })
  const notified = listening(parts, watched)
  try {
    await poll(parts, watched, { client, notified, earlier })
  } finally {
    notified?.close()
    await client.close()
  }
}

interface NotificationFeed {
  readonly status: () => NotificationStatus
  readonly close: () => void
}

/** Null: the server has no notification settings for this cloud. */
function listening({ notifications, now }: WatcherParts, { row, pause }: CloudWatch): NotificationFeed | null {
  const settings = notifications.get(row.name)
  if (settings === undefined) return null
  let receivedAt: number | null = null
  const listener = listenToNova(settings, () => {
    receivedAt = now()
    pause.hint()
  })
  return { status: () => ({ receivedAt, failure: listener.failure }), close: listener.close }
}

interface ClientOptions {
  readonly settings: CloudSettings
  readonly earlier: CloudStatus | null
  readonly steadySince: number | null
}

/** Null: its certificates cannot be used. */
async function openClient(
  parts: WatcherParts,
  row: CloudRow,
  { settings, earlier, steadySince }: ClientOptions,
): Promise<CloudClient | null> {
  const { requestsPerSecond = MAX_REQUESTS_PER_S, monotonicMs } = parts
  try {
    return await openCloud(settings, { requestsPerSecond, steadySince, ...(monotonicMs && { monotonicMs }) })
  } catch (error) {
    const { code } = error as { code?: unknown }
    const problem = { error: `its certificates cannot be read: ${String(code ?? 'unknown')}`, fix: FIXES.tls }
    await writeProblem(parts, { cloud: row.id, earlier, problem })
    return null
  }
}

const BLANK: CloudStatus = {
  ...{ at: 0, reachedAt: null, error: null, fix: null, requestsPerS: 0, pollMs: 0, auditMs: 0, counts: null },
  notifications: null,
}

interface WatchProblem {
  readonly cloud: string
  readonly earlier: CloudStatus | null
  readonly problem: Pick<CloudStatus, 'error' | 'fix'>
}

/** This server cannot read the cloud: what was read before stays known, and its alarms stay open. */
function writeProblem(parts: WatcherParts, { cloud, earlier, problem }: WatchProblem): Promise<void> {
  const { reachedAt = null, counts = null, error = null } = earlier ?? {}
  const status = { ...BLANK, reachedAt, counts, ...problem, at: parts.now() }
  return writeStatus(parts, { cloud, status, isNews: error !== problem.error })
}

interface CloudConnection {
  readonly client: CloudClient
  readonly notified: NotificationFeed | null
  /** The status that the previous server left. */
  readonly earlier: CloudStatus | null
}

async function poll(
  parts: WatcherParts,
  { row, isOver, pause }: CloudWatch,
  { client, notified, earlier }: CloudConnection,
): Promise<void> {
  // What the previous server read is known until this one has read it.
  const { reachedAt = null, counts = null } = earlier ?? {}
  const cloudPoll = new CloudPoll(client, counts ?? undefined)
  const cutter = new PartSplitter()
  let status: CloudStatus = { ...BLANK, reachedAt, counts }
  let missed = 0
  let followed = 0
  let before: CloudSnapshot | null = null
  const follower: Follower = {
    database: parts.database,
    deadlineMs: client.settings.deadlineMs,
    attribution: () => ({ actor: actorOf(parts), at: parts.now() }),
    explain: (instance, novaRequest) => readActionFault(client, instance, novaRequest),
  }
  const limit = new CloudLimit(client.monotonicMs)
  let counted = { requests: 0, at: performance.now() }
  while (!isOver()) {
    const begun = performance.now()
    const begunAt = parts.now()
    const failure = await cloudPoll.poll().then(() => partly(cloudPoll.failure), failureOf)
    if (isOver()) return
    const { requests } = client.counts()
    const now = performance.now()
    const requestsPerS = (requests - counted.requests) / Math.max(1, (now - counted.at) / 1_000)
    counted = { requests, at: now }
    status = { ...status, at: parts.now(), requestsPerS, pollMs: now - begun }
    status = { ...status, notifications: notified?.status() ?? null }
    if (failure === null) {
      missed = 0
      const state = await cloudPoll.audited({
        domains: (snapshot) => witnessedOf(snapshot, parts.witness, () => client.now() ?? parts.now()),
        deadHosts: (snapshot) => fencedHosts(follower, { cloud: row.id, before, snapshot }),
        followed: await followedSubjects(parts.database, row.id),
      })
      status = {
        ...status,
        reachedAt: parts.now(),
        error: null,
        fix: null,
        counts: cloudPoll.counts(),
        auditMs: cloudPoll.auditMs,
      }
      before = state.snapshot
      if (isOver()) return
      await writeState(parts, row.id, { cutter, state, status })
      followed = await followActions(follower, row.id, { snapshot: state.snapshot, begunAt })
      followed += await runDrains({ ...follower, limit, sendAction: parts.sendAction }, row.id, state.snapshot)
    } else {
      missed++
      const isChange = status.error === null
      status = { ...status, error: failure.says, fix: failure.fix }
      await writeStatus(parts, { cloud: row.id, status, isNews: isChange })
    }
    const dueMs = followed > 0 ? FOLLOW_MS : cloudPoll.delayMs
    const delayMs = failure === null ? dueMs : Math.min(LOST_MS.first * 2 ** (missed - 1), LOST_MS.most)
    await pause.wait(
      parts.delayMs ?? delayMs * (1 - JITTER + 2 * JITTER * Math.random()),
      failure === null ? Math.max(HINTED_MS, cloudPoll.auditMs) : delayMs,
      Math.min(failure?.retryAfterMs ?? 0, LOST_MS.most),
    )
  }
}

const partly = (says: string | null) => (says === null ? null : { says, fix: NOT_ALL, retryAfterMs: null })
const NOT_ALL = 'Look at the services of the cloud, and probe it again to see which of them answer.'

function failureOf(error: unknown) {
  if (!(error instanceof CloudError)) throw error
  return { says: error.message, fix: FIXES[error.kind], retryAfterMs: error.retryAfterMs }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal }).catch(() => {})

interface StateWrite {
  readonly cutter: PartSplitter
  readonly state: Awaited<ReturnType<CloudPoll['audited']>>
  readonly status: CloudStatus
}

async function writeState(parts: WatcherParts, cloud: string, { cutter, state, status }: StateWrite): Promise<void> {
  const { parts: changed, isNews } = await cutter.cut(state)
  changed.set(STATUS, statusText(status))
  await write(parts, { cloud, parts: changed, isNews }).catch((error: unknown) => {
    cutter.forget()
    parts.onError('the state of a cloud could not be stored; this is retried', error)
  })
}

interface StatusWrite {
  readonly cloud: string
  readonly status: CloudStatus
  readonly isNews?: boolean
}

async function writeStatus(parts: WatcherParts, { cloud, status, isNews = true }: StatusWrite): Promise<void> {
  await write(parts, { cloud, parts: new Map([[STATUS, statusText(status)]]), isNews }).catch((error: unknown) =>
    parts.onError('the status of a cloud could not be stored', error),
  )
}

function write(
  parts: WatcherParts,
  what: { readonly cloud: string; readonly parts: ReadonlyMap<string, string>; readonly isNews: boolean },
): Promise<void> {
  return writeParts(parts.database, { ...what, actor: actorOf(parts), at: parts.now() })
}

/** Named like a conductor: a cloud's events wake none of them. */
const actorOf = ({ owner }: WatcherParts): Actor => ({ who: `conductor ${owner}`, request: null, reason: null })
