import type { Progress } from '../../engine/migration/state'
import { forceMethod } from '../../engine/words/force'
import type { HostId } from '../../engine/words/ids'
import type { Answer, DriverOperation, TransferAnswer } from '../driver'
import { targetDomain, treeOf } from './definition'
import type { DomainRecord } from './domain-record'
import { HostSilence } from './host-links'
import { catchSilence, isPostCopy, type ObservedSides, observeSides, silenceOf } from './observation'
import { DONE, failed, type LibvirtContext } from './operation'
import { applyTransferPolicy } from './pacing'
import { pause } from './shutdown'
import type { JobStatistics } from './statistics/job'
import { ownDiskOf } from './storage/disks'
import { ageOf, noteTransfer, startTransfer, transferOf } from './transfer'
import { withRootDisk } from './xml/root-disk'
import { tagDomain } from './xml/tag'
import { buildXml, type XmlElement } from './xml/tree'

// Live migration, peer to peer. Its result is read from both hosts and the job, never from the call: the call is lost
// with this process, and the migration continues. Source: docs of libvirt, "migration"; what each fault leaves behind
// was tested on real daemons (e2e/libvirt).

const MIB = 1024 ** 2
const STARTING_MS = 30_000 // from the record of a transfer to its job; a start that takes longer has failed
const STOPPING_MS = 10_000 // the answer of a stop must come well before its limit (OPERATION_TIMEOUTS_MS)
const POLL_INTERVAL_MS = 150

/** Combined state of both hosts and the job. */
type TransferState =
  | { readonly kind: 'arrived' }
  | { readonly kind: 'moving'; readonly job: JobStatistics; readonly handedOver: boolean; readonly postCopy: boolean }
  | { readonly kind: 'idle' }
  | { readonly kind: 'silent'; readonly silence: HostSilence }
  | { readonly kind: 'lost'; readonly why: string }

async function stateOf(
  { links }: LibvirtContext,
  driverOperation: DriverOperation,
): Promise<{ state: TransferState; sides: ObservedSides }> {
  const { source } = driverOperation
  // The job first: a migration that ends between the two reads is then seen where it ended. In the other order its
  // source would seem to run without a job, as after a failure.
  const job = await jobOf(links, driverOperation)
  const sides = await observeSides(links, driverOperation)
  const found = (state: TransferState) => ({ state, sides })
  const { target } = sides
  const postCopy = target !== null && target.state === 'running' && isPostCopy(target)
  const runsThere = sides.observedState.target === 'running' && !postCopy && !isStuck(sides)
  const atSource = job instanceof HostSilence ? job : silenceOf(sides, source)
  // The source releases the domain last: until then the statistics are incomplete.
  if (runsThere && (atSource || sides.observedState.source === 'absent')) return found({ kind: 'arrived' })
  if (source === null || atSource) return found({ kind: 'silent', silence: atSource ?? noSource(driverOperation) })
  if (job !== null && !(job instanceof HostSilence) && job.operation === 'migration-out') {
    const handedOver = postCopy || runsThere || sides.observedState.source === 'left'
    return found({ kind: 'moving', job, handedOver, postCopy })
  }
  if (runsThere) return found({ kind: 'arrived' })
  // A stop queries only the source: without a job there, nothing arrives any more.
  const atTarget = driverOperation.reach.target ? silenceOf(sides, driverOperation.target) : undefined
  if (atTarget) return found({ kind: 'silent', silence: atTarget })
  if (sides.observedState.source === 'running') return found({ kind: 'idle' })
  return found({ kind: 'lost', why: `the domain is ${sides.observedState.source} at the source` })
}

async function jobOf(
  links: LibvirtContext['links'],
  { source, reach, instance }: DriverOperation,
): Promise<JobStatistics | null | HostSilence> {
  if (source === null || !reach.source) return null
  return catchSilence(links.at(source, (connection) => connection.jobStatistics(instance, 'current')))
}

/** Failed post-copy: the domain is on both hosts and can run on neither until it is resumed. */
const isStuck = ({ target }: ObservedSides) => target?.state === 'paused' && target.reason === 'post-copy failed'

const noSource = ({ target }: DriverOperation) => new HostSilence(target as HostId, 'the migration has no source')

/** Starts it unless it has been started, and reports its progress. */
export async function migrateLive(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  record: DomainRecord,
): Promise<TransferAnswer> {
  const known = transferOf(record, driverOperation)
  if (known?.final) return { did: 'done', progress: known.final }
  const { state, sides } = await stateOf(context, driverOperation)
  switch (state.kind) {
    case 'arrived':
      return arrived(context, driverOperation)
    case 'moving': {
      const { job, handedOver, postCopy } = state
      if (!handedOver) await applyTransferPolicy(context, driverOperation, { job, known })
      // QEMU reports the expected downtime before there was any.
      const progress = { ...progressOf(driverOperation, job, context.now()), downtimeMs: null, postCopy }
      return { did: 'running', handedOver, progress }
    }
    case 'silent':
      // A daemon that hangs may begin the requested work when it resumes: its time to start counts from then.
      if (known) await noteTransfer(context, driverOperation, { startedAt: context.now() })
      throw state.silence
    case 'lost':
      return failed(state.why)
    case 'idle': {
      if (known?.stopped) return failed('stopped on request')
      if (known?.failure) return failed(known.failure)
      if (known && (await ageOf(context, driverOperation, known)) > STARTING_MS)
        return failed('the migration ended and the domain stayed at the source')
      if (!known) {
        const why = await startMigration(context, driverOperation, sides)
        if (why !== null) return failed(why)
      }
      return { did: 'running', handedOver: false, progress: progressOf(driverOperation, null, context.now()) }
    }
    default:
      return state satisfies never
  }
}

/** Null once it is running; otherwise why it cannot start. */
async function startMigration(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  sides: ObservedSides,
): Promise<string | null> {
  const { source, target, instance } = driverOperation
  if (source === null || target === null || !sides.target) return 'nothing is prepared on the target'
  const shell = sides.target.stored
  const live = await context.links.at(source, (connection) => connection.migratableXml(instance, 'running'))
  const [liveXml, persistentXml] = [
    arriving(driverOperation, live, shell),
    arriving(driverOperation, sides.source?.storedXml ?? null, shell),
  ]
  if (!liveXml.ok) return liveXml.why
  if (!persistentXml.ok) return persistentXml.why
  const { peerAddress, dataAddress, policy } = await context.links.hostOf(target)
  if (peerAddress === null) return 'the target has no address for other hosts'
  const own = await context.links.open(source)
  try {
    await context.checkFence?.()
    await startTransfer(context, driverOperation, policy.bandwidthMibPerS)
  } catch (error) {
    await own.close()
    throw error
  }
  const disk = driverOperation.storage === 'block' ? ownDiskOf(shell, instance) : null
  const order = { destination: peerAddress, dataAddress, copiedDisks: disk ? [disk.target] : [], policy }
  own
    .migrate(instance, { ...order, liveXml: liveXml.xml, persistentXml: persistentXml.xml })
    .catch((error: Error) => noteTransfer(context, driverOperation, { failure: error.message }))
    .finally(() => own.close())
    .catch(() => {}) // the result is read, not returned
  return null
}

type ArrivingXml = { readonly ok: true; readonly xml: string } | { readonly ok: false; readonly why: string }

/** The domain as it will run at the target, with the disk that was prepared there. */
function arriving(driverOperation: DriverOperation, before: string | null, shell: XmlElement): ArrivingXml {
  if (before === null) return { ok: false, why: 'the source has no such domain' }
  const tree = treeOf(before)
  const moved = tree.ok ? targetDomain(tree.domain, driverOperation) : tree
  if (!moved.ok) return moved
  const { instance, migration, claim } = driverOperation
  const disk = ownDiskOf(shell, instance)
  const domain = disk ? withRootDisk(moved.domain, disk) : moved.domain
  const tag = { instance, migration, settled: false, role: 'instance', claim: claim.target, kept: null } as const
  return { ok: true, xml: buildXml(tagDomain(domain, tag)) }
}

/** libvirt keeps the statistics of an incoming migration at the target until the daemon there ends. */
async function arrived(context: LibvirtContext, driverOperation: DriverOperation): Promise<TransferAnswer> {
  const { target, instance } = driverOperation
  const job =
    target === null
      ? null
      : await context.links.at(target, (connection) => connection.jobStatistics(instance, 'completed'))
  if (job?.operation !== 'migration-in') return DONE
  const progress = progressOf(driverOperation, job, context.now())
  await noteTransfer(context, driverOperation, { final: progress })
  return { did: 'done', progress }
}

function progressOf({ flavor, storage }: DriverOperation, job: JobStatistics | null, now: number): Progress {
  const { dirtyPagesPerS, pageBytes } = job ?? {}
  // The disk goes first, and until it is copied the memory is not reported.
  const isToCome = storage === 'block' && (job?.memoryTotalBytes ?? 0) === 0
  const memoryToCome = isToCome ? flavor.source.memoryMib * MIB : 0
  return {
    at: Math.round(now),
    totalBytes: memoryToCome + (job?.memoryTotalBytes ?? 0) + (job?.diskTotalBytes ?? 0),
    remainingBytes: memoryToCome + (job?.memoryRemainingBytes ?? 0) + (job?.diskRemainingBytes ?? 0),
    dirtyBytesPerS: (dirtyPagesPerS ?? 0) * (pageBytes ?? 0),
    bandwidthBytesPerS: job?.memoryBytesPerS ?? 0,
    iteration: job?.iteration ?? 1,
    downtimeMs: job?.downtimeMs ?? null,
    postCopy: false,
  }
}

/** Stops the transfer, or prevents one that was about to start. */
export async function stopLive(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  record: DomainRecord,
): Promise<Answer> {
  if (transferOf(record, driverOperation)?.final) return failed('the domain was already switched to the target')
  await noteTransfer(context, driverOperation, { stopped: true })
  let aborted = false
  const until = performance.now() + STOPPING_MS
  do {
    const { state } = await stateOf(context, driverOperation)
    if (state.kind === 'arrived') return failed('the domain was already switched to the target')
    if (state.kind === 'silent') throw state.silence
    if (state.kind === 'lost') return DONE
    if (state.kind === 'moving' && state.handedOver) return failed('the domain was already switched to the target')
    if (state.kind === 'idle' && (aborted || !(await isStarting(context, driverOperation)))) return DONE
    if (state.kind === 'moving' && driverOperation.source !== null) {
      await abort(context, driverOperation.source, driverOperation)
      aborted = true
    }
    await pause(POLL_INTERVAL_MS)
  } while (performance.now() < until)
  return {
    did: 'no-answer',
    why: 'the migration has not ended yet',
    ...(driverOperation.source && { host: driverOperation.source }),
  }
}

/** It is recorded, and neither its job nor its end has been observed. */
async function isStarting(context: LibvirtContext, driverOperation: DriverOperation): Promise<boolean> {
  const known = transferOf((await context.memory.read(driverOperation.instance)).record, driverOperation)
  return known !== null && known.failure === null && (await ageOf(context, driverOperation, known)) < STARTING_MS
}

/** Refused when it ends at this moment; the next read shows the result. */
async function abort({ links }: LibvirtContext, source: HostId, { instance }: DriverOperation): Promise<void> {
  await links
    .at(source, (connection) => connection.abortJob(instance))
    .catch((error: unknown) => {
      if (error instanceof HostSilence) throw error
    })
}

/** Completes it: by post-copy where the host is configured for it, otherwise by pausing the domain. */
export async function forceLive(
  context: LibvirtContext,
  driverOperation: DriverOperation,
  record: DomainRecord,
): Promise<Answer> {
  const { source, target, instance, image } = driverOperation
  const known = transferOf(record, driverOperation)
  if (known === null || source === null || target === null) return failed('no live transfer is active')
  const { state } = await stateOf(context, driverOperation)
  if (state.kind === 'silent') throw state.silence
  if (state.kind === 'arrived' || known.forced) return DONE
  if (state.kind !== 'moving') return failed('no live transfer is active')
  const { policy } = await context.links.hostOf(target)
  const postCopy = policy.postCopy && forceMethod(image.source.properties) === 'post-copy'
  await context.links.at(source, (connection) =>
    postCopy ? connection.startPostCopy(instance) : connection.suspend(instance),
  )
  await noteTransfer(context, driverOperation, { forced: true })
  return DONE
}
