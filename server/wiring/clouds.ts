import { randomUUID } from 'node:crypto'
import type { CloudUpload } from '@/forms/cloud'
import type {
  AddCloudResult,
  ApplyCallsResult,
  CloudActionRequest,
  CloudApplication,
  CloudProbeReport,
  CloudProbeStep,
  Clouds,
  UnusableKey,
} from '../api/cloud/clouds'
import { openCloud } from '../cloud/client'
import { readNotifications } from '../cloud/notifications/settings'
import { isReached, PROBE_STEPS, type ProbeReport, type ProbeStep, probeCloud } from '../cloud/probe'
import type { CloudSettings } from '../cloud/settings/cloud-settings'
import type { SealKey } from '../cloud/settings/seal'
import { accountText, readStored, sealSettings, unsealSettings } from '../cloud/settings/stored-settings'
import { readUpload, uploadedClouds } from '../cloud/settings/upload'
import type { PeriodicTask } from '../conductor/periodic-task'
import type { Attribution } from '../engine/change'
import { rowsOf } from '../engine/cloud/facts'
import type { CloudCall } from '../engine/cloud/repair'
import type { CloudSnapshot } from '../engine/cloud/snapshot'
import { answerCloudAction, startCloudAction } from '../store/cloud/action'
import { addCloud, type CloudRow, noteCloudCall, readCloud } from '../store/cloud/cloud'
import { readFences } from '../store/cloud/fence'
import type { Database } from '../store/database/database'
import { CloudAccesses } from '../watch/access'
import { applyCalls, type CallOutcome } from '../watch/apply'
import { makeCloudCache, readStatuses } from '../watch/cloud-cache'
import { connectionFingerprint, type WatcherParts, watchClouds } from '../watch/watcher'
import { type WitnessReader, witnessedOf } from '../watch/witness'
import { cloudKey } from './cloud-key'
import type { CloudWitness } from './witness'

// How clouds are added from the console, and what was read from them.

const PROBES_AT_ONCE = 4
/** A probe is short, and a user waits for it. */
const PROBE_RATE = 20

export function openClouds(database: Database, witness: CloudWitness): Clouds {
  let running = 0
  const cache = makeCloudCache(database)
  const actor: Actor = { database, witness: witness.ask, accesses: new CloudAccesses() }
  return {
    choices: (upload) => {
      const read = uploadedClouds(upload)
      return read.ok ? { did: 'read', clouds: read.value } : { did: 'unread', problems: read.problems }
    },
    probe: (upload, signal) => {
      const read = readUpload(upload)
      if (!read.ok) return { did: 'unread', problems: read.problems }
      if (running >= PROBES_AT_ONCE) return { did: 'busy' }
      running++
      return { did: 'began', reports: reports(read.value, { onEnd: () => running--, ...(signal && { signal }) }) }
    },
    add: (name, upload, attribution) => add(database, { name, upload, attribution }),
    reach: (settings) => {
      const read = readStored(settings)
      if (read === null) return null
      const { authUrl, region, interface: chosen, tls } = read
      return { authUrl, region, interface: chosen, account: accountText(read), verify: tls.verify }
    },
    apply: (application, attribution) => apply(actor, application, attribution),
    act: (request, attribution) => act(actor, request, attribution),
    watched: () => cache.read(),
    statuses: (ids) => readStatuses(database, ids),
    witness: witness.read,
  }
}

interface Actor {
  readonly database: Database
  readonly witness: WitnessReader
  readonly accesses: CloudAccesses
}

async function apply(actor: Actor, application: CloudApplication, attribution: Attribution): Promise<ApplyCallsResult> {
  const { snapshot } = application
  const dataOf = (row: CloudRow, call: CloudCall, outcome: CallOutcome | null) =>
    callData({ row, about: instanceName(snapshot, call) }, call, outcome)
  return send(actor, application, {
    begin: async (row, call) => {
      await noteCloudCall(actor.database, { kind: 'cloud.call', data: dataOf(row, call, null) }, attribution)
      return null
    },
    note: (row, call, outcome) =>
      noteCloudCall(actor.database, { kind: 'cloud.called', data: dataOf(row, call, outcome) }, attribution),
  })
}

const STATES_OF = { sent: 'accepted', 'not-sent': 'not-sent', refused: 'refused', unknown: 'unanswered' } as const

/** Stored before it is sent; the server that watches the cloud follows it. */
async function act(actor: Actor, request: CloudActionRequest, attribution: Attribution): Promise<ApplyCallsResult> {
  const { database } = actor
  let id: string | null = null
  return send(
    actor,
    { ...request, calls: [request.call] },
    {
      begin: async (row, call) => {
        const { verb, subject, name, followed, drain } = request
        const kept = { id: randomUUID(), cloud: row.id, verb, subject, name, followed, drain }
        id = await startCloudAction(database, { ...kept, call: callText(call), body: call.body }, attribution)
        return id === null ? 'the drain has ended' : null
      },
      note: async (row, call, outcome) => {
        if (id !== null) {
          const { did, says, requestId: novaRequest, at: sentAt } = outcome
          const answer = { id, state: STATES_OF[did], says, novaRequest, sentAt }
          await answerCloudAction(database, answer, attribution)
        } else if (request.drain === null)
          // A drain logs its own blockers, once and not on every poll.
          await noteCloudCall(
            database,
            { kind: 'cloud.called', data: callData({ row, about: request.name }, call, outcome) },
            attribution,
          )
      },
    },
  )
}

const callText = ({ service, method, path }: CloudCall) => `${service} ${method} ${path}`

interface CallObject {
  readonly row: CloudRow
  /** Name of what the call is about; null: no instance. */
  readonly about: string | null
}

function callData({ row: { id, name }, about }: CallObject, call: CloudCall, outcome: CallOutcome | null) {
  const result = outcome && { did: outcome.did, says: outcome.says }
  return { cloud: id, name, ...(about !== null && { about }), call: callText(call), body: call.body, ...result }
}

/** An instance that Nova does not list any more is named by its id. */
const instanceName = ({ servers }: CloudSnapshot, { instance }: CloudCall): string | null =>
  rowsOf(servers).find(({ id }) => id === instance)?.name ?? instance

interface SendOptions {
  /** Before it is sent; returns why it must not be, or null. */
  readonly begin: (row: CloudRow, call: CloudCall) => Promise<string | null>
  /** When its outcome is known. */
  readonly note: (row: CloudRow, call: CloudCall, outcome: CallOutcome) => Promise<void>
}

async function send(
  { database, witness, accesses }: Actor,
  application: CloudApplication,
  { begin, note }: SendOptions,
): Promise<ApplyCallsResult> {
  const row = await readCloud(database, application.id)
  if (row === null) return { did: 'gone' }
  if (!row.mayAct) return { did: 'read-only' }
  // Nobody would read whether it was done.
  if (!row.enabled) return { did: 'unwatched' }
  const key = await usableKey()
  if ('did' in key) return key
  const settings = unsealSettings(row.id, row, key)
  if (settings === null) return { did: 'sealed' }
  const outcomes = await accesses.during({ cloud: row.id, of: connectionFingerprint(row), settings }, (access) =>
    applyCalls({
      ...{ access, ...application },
      begin: async (call) => {
        const now = await readCloud(database, row.id)
        if (!now?.mayAct) return 'actions are not allowed on this cloud any more'
        return now.enabled ? begin(row, call) : 'the cloud is not watched any more'
      },
      deadHosts: async () => new Map((await readFences(database, row.id)).map(({ host, since }) => [host, since])),
      domains: (snapshot, now) => witnessedOf(snapshot, witness, now),
      note: (call, outcome) => note(row, call, outcome),
    }),
  )
  const limits = outcomes.flatMap(({ limitedMs }) => limitedMs ?? [])
  return {
    did: 'applied',
    outcomes: outcomes.map(({ call: { does }, did, says }) => ({ does, did, says })),
    limitedMs: limits.length === 0 ? null : Math.max(...limits),
  }
}

interface WatchParts extends Omit<WatcherParts, 'key' | 'sendAction' | 'notifications'> {
  onDown(down: () => Promise<unknown>): void
}

/** One server at a time runs this task and watches the clouds. Throws when BERTH_NOTIFICATIONS_FILE is not valid. */
export function watchedClouds({ onDown, ...parts }: WatchParts): PeriodicTask {
  const { BERTH_NOTIFICATIONS_FILE: file } = process.env
  const actor: Actor = { ...parts, accesses: new CloudAccesses() }
  const { stop, ...task } = watchClouds({
    ...parts,
    key: () => cloudKey(process.env),
    sendAction: (request, attribution) => act(actor, request, attribution),
    notifications: file ? readNotifications(file, process.env) : new Map(),
  })
  onDown(stop)
  return task
}

const usableKey = (): Promise<SealKey | UnusableKey> =>
  cloudKey(process.env).catch((error: Error): UnusableKey => ({ did: 'no-key', why: error.message }))

interface Addition {
  readonly name: string
  readonly upload: CloudUpload
  readonly attribution: Attribution
}

async function add(database: Database, { name, upload, attribution }: Addition): Promise<AddCloudResult> {
  const read = readUpload(upload)
  if (!read.ok) return { did: 'unread', problems: read.problems }
  const key = await usableKey()
  if ('did' in key) return key
  const { steps } = await probe(read.value)
  const failed = steps.find(({ state }) => state === 'failed')
  if (failed && !isReached({ steps })) return { did: 'unreached', failed: stepView(failed) }
  const id = randomUUID()
  const sealed = sealSettings(id, read.value, key)
  return (await addCloud(database, { id, name, ...sealed }, attribution))
    ? { did: 'added', cloud: id }
    : { did: 'name-taken' }
}

async function probe(
  settings: CloudSettings,
  onSteps?: (steps: readonly ProbeStep[]) => void,
  signal?: AbortSignal,
): Promise<ProbeReport> {
  const client = await openCloud(settings, { requestsPerSecond: PROBE_RATE, retries: 0 })
  const close = () => void client.close()
  signal?.addEventListener('abort', close, { once: true })
  try {
    return await probeCloud(client, onSteps)
  } finally {
    await client.close()
  }
}

const STATES = { ok: 'done', failed: 'failed', skipped: 'skipped' } as const

const stepView = ({ name, state, says, fix, ms }: ProbeStep): CloudProbeStep => ({
  ...{ name, state: STATES[state], ms, says: state === 'skipped' ? null : says, next: fix },
})

/** Ended steps, then the running one and those queued behind it. */
function stepViews(ended: readonly ProbeStep[], isOver: boolean): readonly CloudProbeStep[] {
  const rest = PROBE_STEPS.filter((name) => !ended.some((step) => step.name === name))
  return [
    ...ended.map(stepView),
    ...rest.map((name, at): CloudProbeStep => {
      const state = isOver ? 'skipped' : at === 0 ? 'running' : 'waiting'
      return { name, state, ms: null, says: null, next: null }
    }),
  ]
}

interface ReportOptions {
  readonly signal?: AbortSignal
  readonly onEnd: () => void
}

/** The probe ends when its reader stops reading. */
function reports(settings: CloudSettings, { onEnd, signal }: ReportOptions): AsyncIterable<CloudProbeReport> {
  const left = new AbortController()
  const ended = signal ? AbortSignal.any([signal, left.signal]) : left.signal
  const report = { address: settings.authUrl, unknown: null, isReached: false }
  return new ReadableStream<CloudProbeReport>({
    async start(controller) {
      const tell = (now: CloudProbeReport) => {
        if (!ended.aborted) controller.enqueue(now)
      }
      tell({ ...report, steps: stepViews([], false) })
      const onStep = (steps: readonly ProbeStep[]) => tell({ ...report, steps: stepViews(steps, false) })
      const probed = await probe(settings, onStep, ended).finally(onEnd)
      tell({ ...report, steps: stepViews(probed.steps, true), unknown: probed.unknown, isReached: isReached(probed) })
      if (!left.signal.aborted) controller.close()
    },
    cancel: () => left.abort(),
  })
}
