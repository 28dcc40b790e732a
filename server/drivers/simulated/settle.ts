import { copyAt } from './copying'
import { type LiveState, liveAt, type Rate, slower } from './physics'
import { inState, settleShutdown } from './power'
import { type Copy, type HostRecord, hostIn, type InstanceRecord, type Job, type JobEnd, type Scene } from './record'

// The present effect of the stored facts: transfers that ended, instances that moved or stopped. Settling is
// idempotent, so reads in between make no difference.

const MAX_DOWNTIME_MS = 300 // QEMU's default `downtime-limit`
const SWITCH_MS = 20 // starting the instance at the target once the last byte is there
const MIB = 1024 * 1024

/** Progress of a job, computed by physics.ts. */
export type JobState = Pick<LiveState, 'sentBytes' | 'remainingBytes' | 'doneAt' | 'handedOverAt'> & {
  readonly live: LiveState | null
}

export function settle(scene: Scene, now: number): Scene {
  const moved = settleJob(scene, now)
  const copies = moved.record.copies.map((copy) => settleCopy(hostIn(moved, copy.host), copy, now))
  return { ...moved, record: { ...moved.record, copies } }
}

/** The job at a time, if nothing ends it before. */
export function jobAt(scene: Scene, job: Job, now: number): JobState {
  const bandwidth = bandwidthOf(scene, job)
  if (job.kind === 'copy') {
    const state = copyAt({ ...job, bandwidth }, now)
    return { ...state, handedOverAt: state.doneAt, live: null }
  }
  const live = liveAt(
    {
      ...job,
      bandwidth,
      dirty: dirtyRates(scene.record, job),
      maxDowntimeMs: MAX_DOWNTIME_MS / job.speed,
      switchMs: SWITCH_MS / job.speed,
    },
    now,
  )
  return { ...live, live }
}

export function bandwidthOf(scene: Scene, job: Job): readonly Rate[] {
  const initial = { at: job.startedAt, bytesPerS: job.bytesPerS * job.speed }
  const ends = [job.source, job.target].filter((host) => host !== null)
  const lists = ends.map((host) => ratesFrom(hostIn(scene, host).bandwidth, initial, job))
  return lists.reduce(slower)
}

export function dirtyRates(instance: InstanceRecord, job: Job): readonly Rate[] {
  return ratesFrom(instance.dirty, { at: job.startedAt, bytesPerS: defaultDirtyRate(instance) * job.speed }, job)
}

/** Between 8 and 136 MiB/s, derived from the id: instances differ, but each is the same in every run. */
export function defaultDirtyRate(instance: InstanceRecord): number {
  return (8 + (Number.parseInt(instance.instance.slice(-2), 16) % 129)) * MIB
}

/** The rates of a job: the one at its start, then each later change. */
function ratesFrom(changes: readonly Rate[], initial: Rate, job: Job): Rate[] {
  const scaled = changes.map((rate) => ({ ...rate, bytesPerS: rate.bytesPerS * job.speed }))
  const before = scaled.filter((rate) => rate.at <= job.startedAt).at(-1)
  return [{ ...initial, ...(before && { bytesPerS: before.bytesPerS }) }, ...scaled.filter((r) => r.at > job.startedAt)]
}

function settleJob(scene: Scene, now: number): Scene {
  const { job } = scene.record
  if (!job || job.end) return scene
  const outage = firstOutage(scene, job, now)
  const until = outage?.at ?? now
  const state = jobAt(scene, job, until)
  const end = broke(job, state) ? { ...BROKEN, at: until } : endOf(state, outage)
  const moves = job.kind === 'live' && !broke(job, state)
  const copies = moves ? handOver(scene.record.copies, job, state) : scene.record.copies
  const lost = outage !== null && end?.how === 'failed'
  return {
    ...scene,
    record: { ...scene.record, job: { ...job, end }, copies: lost ? stopHalves(copies, job, outage.at) : copies },
  }
}

const BROKEN = { how: 'failed', why: 'the transfer broke in the middle (injected fault)' } as const

/** Pre-copy hands over only after everything was sent, so a transfer that breaks does not; post-copy does not break. */
function broke(job: Job, state: JobState): boolean {
  return job.breaksAtBytes !== null && state.sentBytes >= job.breaksAtBytes && job.force?.how !== 'post-copy'
}

function endOf(state: JobState, outage: Outage | null): JobEnd | null {
  if (state.doneAt !== null) return { at: state.doneAt, how: 'done', why: 'all is there' }
  return outage && { ...outage, how: 'failed' }
}

interface Outage {
  readonly at: number
  readonly why: string
}

/** The first power loss of the job's source or target since its start. */
function firstOutage(scene: Scene, job: Job, now: number): Outage | null {
  let first: Outage | null = null
  for (const host of [job.source, job.target]) {
    if (host === null) continue
    for (const outage of hostIn(scene, host).outages) {
      const over = outage.to !== null && outage.to <= job.startedAt
      const at = Math.max(outage.from, job.startedAt)
      if (!over && at <= now && (first === null || at < first.at))
        first = { at, why: 'a host of the transfer lost power' }
    }
  }
  return first
}

/** After the hand-over the instance runs on the target, and the source's copy is shut off (libvirt: `migrated`). */
function handOver(copies: readonly Copy[], job: Job, state: JobState): readonly Copy[] {
  const at = state.handedOverAt
  if (at === null) return copies
  return copies.map((copy) => {
    if (copy.host === job.target && copy.madeBy === job.migration && copy.is === 'shell')
      return inState(copy, 'running', { at })
    if (copy.host === job.source && copy.madeBy !== job.migration && copy.is === 'running' && copy.since <= at)
      return inState(copy, 'left', { at })
    return copy
  })
}

/** An instance whose memory is on two hosts does not survive the loss of either. */
function stopHalves(copies: readonly Copy[], job: Job, at: number): readonly Copy[] {
  return copies.map((copy) =>
    copy.host === job.target && copy.madeBy === job.migration && copy.is === 'running'
      ? inState(copy, 'stopped', { at })
      : copy,
  )
}

function settleCopy(host: HostRecord, copy: Copy, now: number): Copy {
  if (copy.is !== 'running') return copy
  for (const outage of host.outages) {
    const stoppedAt = Math.max(outage.from, copy.since)
    const during = outage.to === null || outage.to > copy.since
    const inOrder = settleShutdown(copy, stoppedAt)
    if (during && stoppedAt <= now) return inOrder === copy ? inState(copy, 'stopped', { at: stoppedAt }) : inOrder
  }
  return settleShutdown(copy, now)
}
