import type { Progress } from '../../engine/migration/state'
import { forceMethod } from '../../engine/words/force'
import type { HostId } from '../../engine/words/ids'
import type { Answer, DriverOperation, TransferAnswer } from '../driver'
import {
  DEFAULT_BYTES_PER_S,
  DONE,
  failed,
  type OperationContext,
  type OperationResult,
  type SimulatedTime,
} from './faults'
import { rateAt } from './physics'
import { type Copy, type Job, type Scene, withInstance } from './record'
import { bandwidthOf, dirtyRates, jobAt, settle } from './settle'
import { copyAtSide } from './sides'

// Starts, polls, stops and forces transfers. The scene must be settled before any of these is called.

const MIB = 1024 * 1024
const GIB = 1024 * MIB
const WORKING_SET_SHARE = 4 // a guest repeatedly writes to a quarter of its memory
const WRITTEN_SHARE = 8 // an eighth of a disk was ever written to; a block migration copies only that
const SHUTDOWN_MS = 3_000 // ACPI shutdown of an idle guest
const OPEN_IMAGE_MS = 1_000
const IMAGE_BYTES = 2 * GIB

/** Starts the transfer unless it was started, and returns its progress. */
export function transfer(
  scene: Scene,
  driverOperation: DriverOperation,
  context: OperationContext,
): OperationResult<TransferAnswer> {
  const known = jobOf(scene, driverOperation)
  if (known) return { scene, answer: tell(scene, known, context.now) }
  const why = cannotStart(scene, driverOperation)
  if (why !== null) return { scene, answer: failed(why) }
  const job = newJob(driverOperation, context)
  const copies = stopsSource(driverOperation) ? stopSource(scene, driverOperation, context.now) : scene.record.copies
  const started = settle(withInstance(scene, { job, copies }), context.now)
  return { scene: started, answer: tell(started, started.record.job ?? job, context.now) }
}

/** Stops the transfer. A hand-over cannot be undone. */
export function stopTransfer(
  scene: Scene,
  driverOperation: DriverOperation,
  { now }: SimulatedTime,
): OperationResult<Answer> {
  const job = jobOf(scene, driverOperation)
  if (!job || job.end) return { scene, answer: DONE }
  if (isHandedOver(scene, job, now)) return { scene, answer: failed('the domain was already switched to the target') }
  return { scene: withStopped(scene, job, now), answer: DONE }
}

export function forceTransfer(
  scene: Scene,
  driverOperation: DriverOperation,
  { now }: SimulatedTime,
): OperationResult<Answer> {
  const job = jobOf(scene, driverOperation)
  if (job?.kind !== 'live') return { scene, answer: failed('no live transfer is active') }
  if (job.end || job.force) return { scene, answer: DONE }
  const how = forceMethod(driverOperation.image.source.properties)
  return { scene: withInstance(scene, { job: { ...job, force: { at: now, how } } }), answer: DONE }
}

/** The transfer of this migration; null if the latest transfer belongs to another one. */
export function jobOf(scene: Scene, driverOperation: DriverOperation): Job | null {
  const { job } = scene.record
  return job?.migration === driverOperation.migration ? job : null
}

export function withStopped(scene: Scene, job: Job, now: number): Scene {
  return withInstance(scene, { job: { ...job, end: { at: now, how: 'stopped', why: 'stopped on request' } } })
}

export function isHandedOver(scene: Scene, job: Job, now: number): boolean {
  return job.kind === 'live' && jobAt(scene, job, now).handedOverAt !== null
}

function tell(scene: Scene, job: Job, now: number): TransferAnswer {
  if (job.end?.how === 'done') return { did: 'done', progress: progressOf(scene, job, job.end.at) }
  if (job.end) return failed(job.end.why)
  const state = jobAt(scene, job, now)
  return {
    did: 'running',
    progress: progressOf(scene, job, now),
    handedOver: job.kind === 'live' && state.handedOverAt !== null,
  }
}

function progressOf(scene: Scene, job: Job, now: number): Progress {
  const { live, ...state } = jobAt(scene, job, now)
  return {
    at: Math.round(now),
    totalBytes: job.totalBytes,
    remainingBytes: Math.round(state.remainingBytes),
    dirtyBytesPerS: live ? Math.round(rateAt(dirtyRates(scene.record, job), now)) : 0,
    bandwidthBytesPerS: Math.round(rateAt(bandwidthOf(scene, job), now)),
    iteration: live?.iteration ?? 1,
    downtimeMs: live && live.downtimeMs !== null ? Math.round(live.downtimeMs) : null,
    postCopy: live?.postCopy ?? false,
  }
}

function cannotStart(scene: Scene, driverOperation: DriverOperation): string | null {
  if (!copyAtSide(scene, driverOperation, 'target')) return 'nothing is prepared on the target'
  if (!readsSource(driverOperation)) return null
  const source = copyAtSide(scene, driverOperation, 'source')
  if (!source) return 'the source has no such domain'
  if (driverOperation.operation === 'live-migrate' && source.is !== 'running')
    return 'the domain does not run on the source'
  return null
}

export const readsSource = ({ operation }: DriverOperation): boolean =>
  operation === 'live-migrate' || operation === 'cold-migrate' || operation === 'resize'

const stopsSource = ({ operation }: DriverOperation): boolean => operation === 'cold-migrate' || operation === 'resize'

function stopSource(scene: Scene, driverOperation: DriverOperation, now: number): readonly Copy[] {
  const source = copyAtSide(scene, driverOperation, 'source')
  return scene.record.copies.map((copy) =>
    copy === source && copy.is === 'running' ? { ...copy, is: 'stopped', since: now } : copy,
  )
}

function newJob(driverOperation: DriverOperation, { now, speed, half }: OperationContext): Job {
  const totalBytes = bytesOf(driverOperation)
  return {
    migration: driverOperation.migration,
    kind: driverOperation.operation === 'live-migrate' ? 'live' : 'copy',
    source: readsSource(driverOperation) ? driverOperation.source : null,
    target: driverOperation.target as HostId,
    startedAt: now,
    delayMs: delayOf(driverOperation) / speed,
    totalBytes,
    workingSetBytes: Math.floor((driverOperation.flavor.source.memoryMib * MIB) / WORKING_SET_SHARE),
    bytesPerS: DEFAULT_BYTES_PER_S,
    speed,
    force: null,
    breaksAtBytes: half ? Math.floor(totalBytes / 2) : null,
    end: null,
  }
}

/** A live migration sends the memory and, in block mode, the part of the disk that was ever written to. */
function bytesOf({ operation, flavor, storage, source, target }: DriverOperation): number {
  const disk = flavor.source.diskGib * GIB
  switch (operation) {
    case 'live-migrate':
      return flavor.source.memoryMib * MIB + (storage === 'block' ? Math.floor(disk / WRITTEN_SHARE) : 0)
    case 'cold-migrate':
    case 'resize':
      return source === target ? 0 : disk
    case 'evacuate':
      return 0
    case 'rebuild':
      return IMAGE_BYTES
    case 'unshelve':
      return IMAGE_BYTES
    default:
      return operation satisfies never
  }
}

function delayOf(driverOperation: DriverOperation): number {
  if (driverOperation.operation === 'live-migrate') return 0
  return stopsSource(driverOperation) && driverOperation.wasRunning ? SHUTDOWN_MS : OPEN_IMAGE_MS
}
